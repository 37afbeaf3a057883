import { createHmac, timingSafeEqual } from 'node:crypto';
import type { tsigAlgorithms } from '@breakwater/contract';
import { nameBytes, Reader, uint16, uint32 } from './dns-wire.ts';

/** Signed DNS messages, RFC 8945. */

export interface TsigKey {
  name: string;
  algorithm: (typeof tsigAlgorithms)[number];
  secret: Buffer;
}
/** A message with its signature, which its answer is signed over. */
export interface SignedMessage {
  bytes: Buffer;
  mac: Buffer;
}

const tsigType = 250;
const anyClass = 255;
const fudgeSeconds = 300;
const headerBytes = 12;

/** 48 bits of seconds. */
const timeBytes = (seconds: number): Buffer =>
  Buffer.concat([uint16(Math.floor(seconds / 2 ** 32)), uint32(seconds % 2 ** 32)]);

const macOf = ({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer =>
  createHmac(algorithm.replace('hmac-', ''), secret).update(Buffer.concat(parts)).digest();

interface Signing {
  time: Buffer;
  fudge?: number;
  error?: number;
  other?: Buffer;
}

/** Section 4.3.3: what of the record is signed besides the message. */
const variables = (
  key: TsigKey,
  { time, fudge = fudgeSeconds, error = 0, other = Buffer.alloc(0) }: Signing,
): Buffer =>
  Buffer.concat([
    nameBytes(key.name),
    uint16(anyClass),
    uint32(0),
    nameBytes(key.algorithm),
    time,
    uint16(fudge),
    uint16(error),
    uint16(other.length),
    other,
  ]);

export function signMessage(message: Buffer, key: TsigKey, now = Date.now()): SignedMessage {
  const time = timeBytes(Math.floor(now / 1000));
  const mac = macOf(key, [message, variables(key, { time })]);
  const data = Buffer.concat([
    nameBytes(key.algorithm),
    time,
    uint16(fudgeSeconds),
    uint16(mac.length),
    mac,
    message.subarray(0, 2),
    uint16(0),
    uint16(0),
  ]);
  const head = [nameBytes(key.name), uint16(tsigType), uint16(anyClass), uint32(0), uint16(data.length)];
  const bytes = Buffer.concat([message, ...head, data]);
  bytes.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/** Unsigned messages of a transfer that may stand in a row (section 5.3.1). */
const unsignedMax = 99;

/**
 * Whether answers were signed by the same key, over the request that they answer and of now. Of several (a transfer of a zone, section
 * 5.3.1) the first and the last have to be, and each signature covers those before it that are not. One without a signature, or with another than
 * SHA-2 gives in full, is not signed. Throws `WireError`.
 */
export function areSignedAnswers(
  answers: readonly Buffer[],
  request: SignedMessage,
  key: TsigKey,
  now = Date.now(),
): boolean {
  let before = request.mac;
  let unsigned: Buffer[] = [];
  for (const [at, answer] of answers.entries()) {
    const tsig = tsigOf(answer);
    if (!tsig) {
      unsigned.push(answer);
      if (at === 0 || at === answers.length - 1 || unsigned.length > unsignedMax) return false;
      continue;
    }
    const told = at === 0 ? variables(key, tsig) : Buffer.concat([tsig.time, uint16(tsig.fudge)]);
    const expected = macOf(key, [uint16(before.length), before, ...unsigned, tsig.plain, told]);
    if (!isOfKey(tsig, key) || !isNow(tsig, now) || tsig.error !== 0) return false;
    if (tsig.mac.length !== expected.length || !timingSafeEqual(tsig.mac, expected)) return false;
    before = tsig.mac;
    unsigned = [];
  }
  return answers.length > 0;
}

interface Tsig {
  name: string;
  algorithm: string;
  time: Buffer;
  fudge: number;
  mac: Buffer;
  error: number;
  other: Buffer;
  /** The message without it. */
  plain: Buffer;
}

const isOfKey = ({ name, algorithm }: Tsig, key: TsigKey): boolean =>
  name === `${key.name.replace(/\.$/, '')}.` && algorithm === `${key.algorithm}.`;

const isNow = ({ time, fudge }: Tsig, now: number): boolean =>
  Math.abs(now / 1000 - time.readUIntBE(0, 6)) <= Math.min(fudge, fudgeSeconds);

/** Undefined for a message whose last record is no signature. Throws `WireError`. */
function tsigOf(answer: Buffer): Tsig | undefined {
  const start = lastRecord(answer);
  if (start === undefined) return undefined;
  const reader = new Reader(answer, start);
  const name = reader.name();
  if (reader.uint16() !== tsigType) return undefined;
  reader.take(8);
  const algorithm = reader.name();
  const time = reader.take(6);
  const fudge = reader.uint16();
  const mac = reader.take(reader.uint16());
  const id = reader.take(2);
  const error = reader.uint16();
  const other = reader.take(reader.uint16());
  const plain = Buffer.from(answer.subarray(0, start));
  id.copy(plain, 0);
  plain.writeUInt16BE(plain.readUInt16BE(10) - 1, 10);
  return { name, algorithm, time, fudge, mac, error, other, plain };
}

/** Where the last record of a message begins; a signature is the last. Undefined where there can be none. Throws `WireError`. */
function lastRecord(message: Buffer): number | undefined {
  const reader = new Reader(message, 4);
  const questions = reader.uint16();
  const sections = [reader.uint16(), reader.uint16(), reader.uint16()];
  reader.at = headerBytes;
  for (let n = 0; n < questions; n++) {
    reader.name();
    reader.take(4);
  }
  const records = sections.reduce((sum, each) => sum + each, 0);
  if (sections[2] === 0) return undefined;
  for (let n = 1; n < records; n++) {
    reader.name();
    reader.take(8);
    reader.take(reader.uint16());
  }
  return reader.at;
}
