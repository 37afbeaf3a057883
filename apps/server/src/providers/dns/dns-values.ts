import type { DnsRecordType } from '@breakwater/contract';
import { ProviderProblem } from '../define-provider.ts';
import { dataBytes, quote, Reader, WireError } from './dns-wire.ts';

/** Values of records: as a zone file writes them, which is how we have them, and as hosts do. */

const textBytesMax = 255;

/** A value in the one form that values are compared in. Fails with `invalid`. */
export function canonicalValue(type: DnsRecordType, value: string): string {
  const bytes = bytesOf(type, value);
  return new Reader(bytes).data(type, bytes.length);
}

function bytesOf(type: DnsRecordType, value: string): Buffer {
  try {
    return dataBytes(type, ascii(value));
  } catch (error) {
    throw error instanceof WireError ? new ProviderProblem('invalid', error.message) : error;
  }
}

/** What is not ASCII as zone files escape it, byte by byte. */
const ascii = (text: string): string =>
  text.replace(/[^\0-\x7f]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  );

/** The texts of a TXT record, joined as whoever reads one does. */
export function plainText(value: string): string {
  const bytes = bytesOf('TXT', value);
  const reader = new Reader(bytes);
  const parts: Buffer[] = [];
  while (reader.at < bytes.length) parts.push(reader.take(reader.uint8()));
  return Buffer.concat(parts).toString('utf8');
}

/** A text as a zone file has it, in parts of at most 255 bytes. */
export function quotedText(text: string): string {
  const bytes = Buffer.from(text);
  const parts = [bytes.subarray(0, textBytesMax)];
  for (let at = textBytesMax; at < bytes.length; at += textBytesMax)
    parts.push(bytes.subarray(at, at + textBytesMax));
  return parts.map(quote).join(' ');
}

/** Hosts keep a text without saying where it was parted, so that parts do not count. */
export const sameValue = (type: DnsRecordType, one: string, other: string): boolean =>
  type === 'TXT' ? plainText(one) === plainText(other) : one === other;

/** How a host writes values. */
export interface ValueForm {
  text: 'plain' | 'quoted';
  /** Whether names in values end with a dot. */
  names: 'dot' | 'bare';
  /** Whether an MX record has its priority in a field of its own. */
  priority: 'apart' | 'within';
}

const namesOf: readonly DnsRecordType[] = ['CNAME', 'MX', 'NS', 'PTR', 'SRV'];

export function toHostValue(
  type: DnsRecordType,
  value: string,
  form: ValueForm,
): { value: string; priority?: number } {
  if (type === 'TXT') return { value: form.text === 'plain' ? plainText(value) : value };
  const named = namesOf.includes(type) && form.names === 'bare' ? value.replace(/\.$/, '') : value;
  if (type !== 'MX' || form.priority === 'within') return { value: named };
  const [priority = '', ...target] = named.split(' ');
  return { value: target.join(' '), priority: Number(priority) };
}

/** Undefined for what is no value of its type: a host may have records that we could not write. */
export function fromHostValue(
  type: DnsRecordType,
  { value, priority }: { value: string; priority?: number | undefined },
  form: ValueForm,
): string | undefined {
  // Some hosts keep the quotation marks that somebody entered.
  const isPlain = type === 'TXT' && form.text === 'plain' && !/^".*"$/s.test(value);
  const isApart = type === 'MX' && form.priority === 'apart';
  try {
    return canonicalValue(type, isPlain ? quotedText(value) : isApart ? `${priority ?? 0} ${value}` : value);
  } catch (error) {
    if (error instanceof ProviderProblem) return undefined;
    throw error;
  }
}
