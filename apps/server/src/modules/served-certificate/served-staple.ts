import type { StapleProblem } from '@breakwater/contract';

/** What an authority says of a certificate, as a server staples it (RFC 6960 §4.2.1). Its signature is checked by the node before. */
interface Staple {
  serial: string;
  status: 'good' | 'revoked' | 'unknown';
  thisUpdate: Date;
  nextUpdate: Date | null;
}

interface Element {
  tag: number;
  body: Buffer;
}

const tags = { integer: 2, time: 0x18, sequence: 0x30, explicit0: 0xa0 };
const statuses: Record<number, Staple['status']> = { 0x80: 'good', 0xa1: 'revoked', 0x82: 'unknown' };
/** Clocks differ a little. */
const toleranceMs = 5 * 60_000;

export interface JudgedStaple {
  /** Absent where it is good. */
  problem?: StapleProblem;
  /** What it says of its time; null where there is none, or it says nothing. */
  from: Date | null;
  until: Date | null;
}

/** What is wrong with what was stapled to the certificate of this serial number, and what that says of its time. */
export function judgeStaple(stapled: Buffer | undefined, serial: string): JudgedStaple {
  if (stapled === undefined || stapled.length === 0) return { problem: 'missing', from: null, until: null };
  const staple = readStaple(stapled);
  if (staple === undefined) return { problem: 'unreadable', from: null, until: null };
  const problem = problemOf(staple, serial);
  return { ...(problem === undefined ? {} : { problem }), from: staple.thisUpdate, until: staple.nextUpdate };
}

function problemOf(staple: Staple, serial: string): StapleProblem | undefined {
  const { status, thisUpdate, nextUpdate } = staple;
  if (staple.serial !== plainSerial(serial)) return 'other';
  if (status !== 'good') return status;
  if (thisUpdate.getTime() > Date.now() + toleranceMs) return 'early';
  return nextUpdate !== null && nextUpdate.getTime() < Date.now() ? 'expired' : undefined;
}

/** Nothing of what is no good answer of the basic kind. */
function readStaple(response: Buffer): Staple | undefined {
  try {
    const [status, bytes] = partsOf(partOf(response, tags.sequence));
    if (status?.body[0] !== 0 || bytes === undefined) return undefined;
    const [, basic] = partsOf(partOf(bytes.body, tags.sequence));
    const [data] = partsOf(partOf(basic!.body, tags.sequence));
    // After the responder's name and the time it was made; extensions follow in an element of their own.
    const answers = partsOf(data!.body).find(({ tag }) => tag === tags.sequence);
    const [certificate, said, from, until] = partsOf(partsOf(answers!.body)[0]!.body);
    const serial = partsOf(certificate!.body).find(({ tag }) => tag === tags.integer);
    const next = until?.tag === tags.explicit0 ? partsOf(until.body)[0] : undefined;
    return {
      serial: plainSerial(serial!.body.toString('hex')),
      status: statuses[said!.tag] ?? 'unknown',
      thisUpdate: timeOf(from!),
      nextUpdate: next === undefined ? null : timeOf(next),
    };
  } catch {
    return undefined;
  }
}

/** The elements of DER that stand one after another. Throws where one goes beyond the end. */
function partsOf(bytes: Buffer): Element[] {
  const parts: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    let length = bytes.readUInt8(at + 1);
    at += 2;
    if (length > 0x80) {
      const size = length - 0x80;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    if (at + length > bytes.length) throw new RangeError('an element goes beyond the end');
    parts.push({ tag, body: bytes.subarray(at, at + length) });
    at += length;
  }
  return parts;
}

function partOf(bytes: Buffer, tag: number): Buffer {
  const part = partsOf(bytes).find((each) => each.tag === tag);
  if (part === undefined) throw new RangeError('an element is missing');
  return part.body;
}

/** `YYYYMMDDHHMMSSZ` */
function timeOf({ tag, body }: Element): Date {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(body.toString('latin1'));
  if (tag !== tags.time || match === null) throw new RangeError('a time is no time');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [number, ...number[]];
  return new Date(Date.UTC(year, month! - 1, day, hour, minute, second));
}

const plainSerial = (hex: string): string => hex.toUpperCase().replace(/^0+/, '');
