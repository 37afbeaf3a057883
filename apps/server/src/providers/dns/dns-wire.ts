import type { DnsRecordType } from '@breakwater/contract';
import { parseAddress, formatAddress } from '@breakwater/policy/address/ip';

/** DNS messages as bytes: names and record data of RFC 1035, 3596 (AAAA), 2782 (SRV) and 8659 (CAA), and no more than is needed. */

export const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
} as const satisfies Record<DnsRecordType, number>;

/** What does not fit the form it should have. */
export class WireError extends Error {}

/** A name without compression, in lower case as TSIG wants it. */
export function nameBytes(name: string): Buffer {
  const labels = name
    .replace(/\.$/, '')
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label, 'latin1');
    if (bytes.length > 63) throw new WireError(`the label ${label} is too long`);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The data of a record as a zone file writes it. Throws `WireError`. */
export function dataBytes(type: DnsRecordType, text: string): Buffer {
  const fields = text.trim().split(/\s+/);
  const number = (at: number) => {
    const value = Number(fields[at]);
    if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new WireError(`no ${type}: ${text}`);
    return value;
  };
  switch (type) {
    case 'A':
    case 'AAAA':
      return addressBytes(type, text.trim());
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return nameBytes(fields[0] ?? '');
    case 'MX':
      return Buffer.concat([uint16(number(0)), nameBytes(fields[1] ?? '')]);
    case 'SRV':
      return Buffer.concat([
        uint16(number(0)),
        uint16(number(1)),
        uint16(number(2)),
        nameBytes(fields[3] ?? ''),
      ]);
    case 'TXT':
      return Buffer.concat(quotedTexts(text).map(textBytes));
    case 'CAA': {
      const tag = Buffer.from(fields[1] ?? '', 'latin1');
      const [value = ''] = quotedTexts(fields.slice(2).join(' '));
      return Buffer.concat([Buffer.from([number(0) & 255, tag.length]), tag, Buffer.from(value, 'latin1')]);
    }
  }
}

function addressBytes(type: 'A' | 'AAAA', text: string): Buffer {
  const address = parseAddress(text);
  if (!address || address.length !== (type === 'A' ? 4 : 16)) throw new WireError(`no ${type}: ${text}`);
  return Buffer.from(address);
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length > 255) throw new WireError('a text has at most 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The texts between quotation marks, or what stands there without any; RFC 1035, section 5.1. */
function quotedTexts(text: string): string[] {
  const found = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/gs)];
  if (found.length === 0) throw new WireError('a text is needed');
  return found.map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replace(/\\(\d{3}|.)/gs, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped) & 255) : escaped,
    ),
  );
}

/** Reads a message from a place on. */
export class Reader {
  readonly #bytes: Buffer;
  at: number;
  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  take(length: number): Buffer {
    if (this.at + length > this.#bytes.length) throw new WireError('the message ends too early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
  uint8 = (): number => this.take(1).readUInt8();
  uint16 = (): number => this.take(2).readUInt16BE();
  uint32 = (): number => this.take(4).readUInt32BE();

  /** With a dot at the end; follows pointers, which only lead back. */
  name(): string {
    const labels: string[] = [];
    let after: number | undefined;
    for (let jumps = 0; ;) {
      const length = this.uint8();
      if (length === 0) break;
      if (length >= 0xc0) {
        const target = ((length & 0x3f) << 8) | this.uint8();
        after ??= this.at;
        if (target >= this.at || ++jumps > 50) throw new WireError('a name goes in circles');
        this.at = target;
      } else labels.push(this.take(length).toString('latin1').toLowerCase());
    }
    if (after !== undefined) this.at = after;
    return `${labels.join('.')}.`;
  }

  /** The data of a record as a zone file writes it. */
  data(type: DnsRecordType, length: number): string {
    const end = this.at + length;
    const text = this.#data(type, end);
    if (this.at !== end) throw new WireError('a record has another length than it says');
    return text;
  }

  #data(type: DnsRecordType, end: number): string {
    switch (type) {
      case 'A':
      case 'AAAA':
        return formatAddress([...this.take(type === 'A' ? 4 : 16)]);
      case 'NS':
      case 'CNAME':
      case 'PTR':
        return this.name();
      case 'MX':
        return `${this.uint16()} ${this.name()}`;
      case 'SRV':
        return `${this.uint16()} ${this.uint16()} ${this.uint16()} ${this.name()}`;
      case 'TXT': {
        const texts: string[] = [];
        while (this.at < end) texts.push(quote(this.take(this.uint8())));
        return texts.join(' ');
      }
      case 'CAA': {
        const flags = this.uint8();
        const tag = this.take(this.uint8()).toString('latin1');
        return `${flags} ${tag} ${quote(this.take(end - this.at))}`;
      }
    }
  }
}

export function quote(bytes: Buffer): string {
  const text = [...bytes].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte < 32 || byte > 126 ? `\\${String(byte).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  return `"${text.join('')}"`;
}
