import { createHmac, timingSafeEqual } from 'node:crypto';
import type { tsigAlgorithms } from '@breakwater/contract';
import { nameBytes, Reader, uint16, uint32, WireError } from './dns-wire.ts';

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

/**
 * Whether an answer was signed by the same key, over the request that it answers and of now. An answer without a signature,
 * or with another than SHA-2 gives in full, is not.
 */
export function isSignedAnswer(
  answer: Buffer,
  request: SignedMessage,
  key: TsigKey,
  now = Date.now(),
): boolean {
  const start = lastRecord(answer);
  const reader = new Reader(answer, start);
  const name = reader.name();
  if (name !== `${key.name.replace(/\.$/, '')}.` || reader.uint16() !== tsigType) return false;
  reader.take(8);
  if (reader.name() !== `${key.algorithm}.`) return false;
  const time = reader.take(6);
  const fudge = reader.uint16();
  const mac = reader.take(reader.uint16());
  const id = reader.take(2);
  const error = reader.uint16();
  const other = reader.take(reader.uint16());
  const plain = Buffer.from(answer.subarray(0, start));
  id.copy(plain, 0);
  plain.writeUInt16BE(plain.readUInt16BE(10) - 1, 10);
  const expected = macOf(key, [
    uint16(request.mac.length),
    request.mac,
    plain,
    variables(key, { time, fudge, error, other }),
  ]);
  const seconds = time.readUIntBE(0, 6);
  const isNow = Math.abs(now / 1000 - seconds) <= Math.min(fudge, fudgeSeconds);
  return isNow && error === 0 && mac.length === expected.length && timingSafeEqual(mac, expected);
}

/** Where the last record of a message begins; a signature is the last. Throws `WireError`. */
function lastRecord(message: Buffer): number {
  const reader = new Reader(message, 4);
  const questions = reader.uint16();
  const sections = [reader.uint16(), reader.uint16(), reader.uint16()];
  reader.at = headerBytes;
  for (let n = 0; n < questions; n++) {
    reader.name();
    reader.take(4);
  }
  const records = sections.reduce((sum, each) => sum + each, 0);
  if (sections[2] === 0) throw new WireError('the answer is not signed');
  for (let n = 1; n < records; n++) {
    reader.name();
    reader.take(8);
    reader.take(reader.uint16());
  }
  return reader.at;
}
