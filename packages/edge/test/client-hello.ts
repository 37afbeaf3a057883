import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What clients of TLS send first, taken on its way, and JA4 worked out from it by the specification alone: none of the edge's code. */

export interface Relay {
  port: number;
  /** The fingerprint of each connection so far, in their order. */
  seen: string[];
  /** The bytes of each, as records. */
  sent: Buffer[];
  /** The extensions of each. */
  extensions: number[][];
  /** Ends the connections that there are. */
  drop: () => void;
  close: () => Promise<void>;
}

/** A port before another, at which each connection's first message is read. */
export async function relayTo(port: number): Promise<Relay> {
  const seen: string[] = [];
  const sent: Buffer[] = [];
  const extensions: number[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((visitor) => {
    const place = seen.push('') - 1;
    const edge = connect(port, '127.0.0.1');
    let begun: Buffer | undefined = Buffer.alloc(0);
    visitor.on('data', (chunk: Buffer) => {
      if (begun === undefined) return;
      begun = Buffer.concat([begun, chunk]);
      const hello = helloIn(begun);
      if (hello === undefined) return;
      sent[place] = begun;
      begun = undefined;
      seen[place] = ja4(hello);
      extensions[place] = readHello(hello).extensions.map(({ type }) => type);
    });
    for (const [one, other] of [
      [visitor, edge],
      [edge, visitor],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    sent,
    extensions,
    drop,
    close: async () => {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The body of a ClientHello that may be spread over records (RFC 8446 §5.1), once all of it is there. */
function helloIn(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) {
    if (bytes[at] !== 22) break;
    parts.push(bytes.subarray(at + 5, at + 5 + bytes.readUInt16BE(at + 3)));
  }
  const message = Buffer.concat(parts);
  if (message.length < 4) return undefined;
  const length = message.readUIntBE(1, 3);
  return message.length < 4 + length ? undefined : message.subarray(4, 4 + length);
}

const isGrease = (value: number) => (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
const shorts = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2)).filter(
    (value) => !isGrease(value),
  );

function readHello(hello: Buffer) {
  let at = 2 + 32;
  const take = (sizeBytes: number): Buffer => {
    const length = hello.readUIntBE(at, sizeBytes);
    at += sizeBytes + length;
    return hello.subarray(at - length, at);
  };
  take(1);
  const ciphers = shorts(take(2));
  take(1);
  const extensions: { type: number; data: Buffer }[] = [];
  if (at < hello.length) {
    const end = at + 2 + hello.readUInt16BE(at);
    at += 2;
    while (at < end) {
      const type = hello.readUInt16BE(at);
      at += 2;
      const data = take(2);
      if (!isGrease(type)) extensions.push({ type, data });
    }
  }
  return { version: hello.readUInt16BE(0), ciphers, extensions };
}

/** https://github.com/FoxIO-LLC/ja4/blob/main/technical_details/JA4.md */
export function ja4(hello: Buffer): string {
  const { version, ciphers, extensions } = readHello(hello);
  const dataOf = (type: number) => extensions.find((each) => each.type === type)?.data;
  const versions = dataOf(43);
  const highest = versions === undefined ? version : Math.max(...shorts(versions.subarray(1)));
  const protocols = dataOf(16);
  const first = protocols?.subarray(3, 3 + protocols[2]!).toString('latin1') ?? '';
  const mark = /^[0-9A-Za-z](.*[0-9A-Za-z])?$/s.test(first)
    ? first[0]! + first.at(-1)!
    : Buffer.from(first, 'latin1')
        .toString('hex')
        .replace(/^(.).*(.)$/s, '$1$2');
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  const two = (list: unknown[]) => String(Math.min(list.length, 99)).padStart(2, '0');
  const hash = (list: unknown[], text: string) =>
    list.length === 0 ? '0'.repeat(12) : createHash('sha256').update(text).digest('hex').slice(0, 12);
  const names = ciphers.map(hex).toSorted();
  const kept = extensions.map(({ type }) => type).filter((type) => type !== 0 && type !== 16);
  const types = kept.map(hex).toSorted();
  const algorithms = shorts(dataOf(13)?.subarray(2) ?? Buffer.alloc(0)).map(hex);
  const last = [types.join(','), ...(algorithms.length > 0 ? [algorithms.join(',')] : [])].join('_');
  const release = { 0x0304: '13', 0x0303: '12', 0x0302: '11', 0x0301: '10' }[highest] ?? '00';
  const target = dataOf(0) === undefined ? 'i' : 'd';
  return (
    `t${release}${target}${two(ciphers)}${two(extensions)}${mark === '' ? '00' : mark}` +
    `_${hash(names, names.join(','))}_${hash(types, last)}`
  );
}
