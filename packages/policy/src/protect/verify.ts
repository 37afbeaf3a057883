import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { parseAddress } from '../address/ip.ts';
import { hexValue, parseWhole } from '../lib/text.ts';

/**
 * What a browser has to solve before it is let through, and the pass that it gets for it. Both are texts that their signature
 * makes good, so a node keeps nothing of a challenge before it is solved, and a pass of one node holds on all that have its
 * keys. What they are bound to (site, network, agent) is signed and does not stand in them.
 */

/** Whom a challenge or a pass is made for. */
export interface Bound {
  siteId: string;
  /** As `networkOf` writes it. */
  network: string;
  agent: string;
  /** What TLS tells of the client, where passes are bound to it (`tlsClientOf`). */
  client?: string | undefined;
}

export interface Challenge {
  kind: VerifyKind;
  /** Seconds since 1970. */
  issued: number;
  /**
   * Leading zero bits of a hash; of pictures, that of the way without one, and of `external` that of the way without the vendor:
   * 0 where there is none.
   */
  difficulty: number;
  /** Hexadecimal, of this challenge alone. */
  nonce: string;
}

export interface Pass {
  kind: VerifyKind;
  issued: number;
  seconds: number;
  id: string;
}

/** HMAC-SHA-256 in lower-case hex, or its first 32 digits. */
export type HmacHex = (this: void, key: string, text: string) => string;

export type TokenProblem = 'malformed' | 'forged' | 'expired';

/** How long there is to solve one: nobody is hurried, and what was worked out ahead is of no use the next day. */
export const challengeSeconds = 7200;
/** Nodes' clocks may be so far apart. */
const clockSeconds = 120;
const macLength = 32;
const idLength = 32;
const difficultyMax = 26;

/** Who has passed a stronger one is not asked for a weaker. */
const strengths: Record<VerifyKind, number> = {
  cookie: 1,
  javascript: 2,
  delay: 3,
  proof_of_work: 3,
  click: 4,
  slide: 5,
  rotate: 5,
  image: 5,
  external: 6,
};

export const isKind = (name: string): boolean => strengths[name as VerifyKind] !== undefined;
export const isEnough = (pass: VerifyKind, wanted: VerifyKind): boolean =>
  strengths[pass] >= strengths[wanted];
export const isPicture = (kind: VerifyKind): boolean => strengths[kind] === 5;

/** The network of an address: its first bits in hexadecimal, and how many. What is no address stands for itself. */
export function networkOf(text: string, bitsV4: number, bitsV6: number): string {
  const address = parseAddress(text);
  if (address === undefined) return text;
  const bits = address.length === 4 ? bitsV4 : bitsV6;
  const parts: string[] = [];
  for (let index = 0; index < address.length && index * 8 < bits; index++) {
    const unit = 2 ** Math.max(0, 8 - (bits - index * 8));
    parts.push(`${Math.floor(address[index]! / unit) * unit}`);
  }
  return `${parts.join('.')}/${bits}`;
}

export function signChallenge(challenge: Challenge, bound: Bound, key: string, hmac: HmacHex): string {
  const { kind, issued, difficulty, nonce } = challenge;
  return signed('challenge', `${kind}.${issued}.${difficulty}.${nonce}`, bound, key, hmac);
}

export function signPass(pass: Pass, bound: Bound, key: string, hmac: HmacHex): string {
  const { kind, issued, seconds, id } = pass;
  return signed('pass', `${kind}.${issued}.${seconds}.${id}`, bound, key, hmac);
}

function signed(what: string, text: string, bound: Bound, key: string, hmac: HmacHex): string {
  return `${text}.${macOf(what, text, bound, key, hmac)}`;
}

/** The agent stands last: it alone can have anything in it but an end of line. */
function macOf(what: string, text: string, bound: Bound, key: string, hmac: HmacHex): string {
  const client = bound.client === undefined ? '' : `${bound.client}\n`;
  const all = `${what}\n${text}\n${bound.siteId}\n${bound.network}\n${client}${bound.agent}`;
  return hmac(key, all).substring(0, macLength);
}

export interface ReadChallenge {
  challenge: Challenge;
  /** That it was signed with. */
  key: string;
}

export function readChallenge(
  token: string,
  bound: Bound,
  keys: readonly string[],
  now: number,
  hmac: HmacHex,
): ReadChallenge | TokenProblem {
  const parts = partsOf(token);
  if (parts === undefined) return 'malformed';
  const key = keyOf('challenge', token, bound, keys, hmac);
  if (key === undefined) return 'forged';
  const [kind, issued, difficulty, nonce] = parts;
  if (!isCurrent(issued, challengeSeconds, now)) return 'expired';
  return { challenge: { kind, issued, difficulty, nonce }, key };
}

export function readPass(
  token: string,
  bound: Bound,
  keys: readonly string[],
  now: number,
  hmac: HmacHex,
): Pass | TokenProblem {
  const parts = partsOf(token);
  if (parts === undefined) return 'malformed';
  if (keyOf('pass', token, bound, keys, hmac) === undefined) return 'forged';
  const [kind, issued, seconds, id] = parts;
  return isCurrent(issued, seconds, now) ? { kind, issued, seconds, id } : 'expired';
}

const isCurrent = (issued: number, seconds: number, now: number): boolean =>
  issued <= now + clockSeconds && now < issued + seconds;

/** Kind, when, a number and a name; nothing where a text has another form. */
function partsOf(token: string): [VerifyKind, number, number, string] | undefined {
  if (token.length > 150) return undefined;
  const parts = token.split('.');
  if (parts.length !== 5) return undefined;
  const issued = parseWhole(parts[1]!);
  const count = parseWhole(parts[2]!);
  if (!isKind(parts[0]!) || issued === undefined || count === undefined) return undefined;
  if (parts[3]!.length !== idLength || parts[4]!.length !== macLength) return undefined;
  return [parts[0] as VerifyKind, issued, count, parts[3]!];
}

function keyOf(
  what: string,
  token: string,
  bound: Bound,
  keys: readonly string[],
  hmac: HmacHex,
): string | undefined {
  const end = token.length - macLength;
  const text = token.substring(0, end - 1);
  const mac = token.substring(end);
  for (const key of keys) if (macOf(what, text, bound, key, hmac) === mac) return key;
  return undefined;
}

/** What a script has to find at least, so that one ran at all. */
const scriptBits = 8;
/** The way without a picture, or without a vendor, takes some seconds. */
const otherWayBits = 3;
/** So many pages a second on a node are no load; with each doubling the work doubles. */
const quietPages = 50;
const loadBitsMax = 6;
/** Pictures cost the node more than a hash, so under so many pages a second work is asked for in their place. */
export const picturePagesMax = 200;

/** The kind and difficulty of a challenge at so many pages a second. */
export function challengeUnderLoad(
  wanted: VerifyKind,
  difficulty: number,
  pages: number,
): { kind: VerifyKind; difficulty: number } {
  const more = loadBits(pages);
  if (wanted === 'cookie') return { kind: wanted, difficulty: 0 };
  const hasOtherWay = isPicture(wanted) || wanted === 'external';
  const isWork = wanted === 'proof_of_work' || hasOtherWay;
  if (!isWork) return { kind: wanted, difficulty: scriptBits + more };
  const bits = difficulty + more + (hasOtherWay ? otherWayBits : 0);
  return { kind: wanted, difficulty: bits > difficultyMax ? difficultyMax : bits };
}

/**
 * One more with each doubling. By a logarithm, for LuaJIT does not compile what calls a loop as one piece; at an exact doubling it
 * may come out a little too small.
 */
function loadBits(pages: number): number {
  const doublings = pages <= quietPages ? 0 : Math.floor(Math.log(pages / quietPages) / Math.LN2 + 1e-9);
  return doublings > loadBitsMax ? loadBitsMax : doublings;
}

export type AnswerVerdict = 'good' | 'early' | 'wrong';

export interface Answering {
  token: string;
  read: ReadChallenge;
  /** `work:N`, or `sight:` and what was seen. */
  answer: string;
  delaySeconds: number;
  now: number;
  sha256: (this: void, text: string) => string;
  hmac: HmacHex;
}

export function judgeAnswer({ token, read, answer, delaySeconds, now, ...by }: Answering): AnswerVerdict {
  const { challenge, key } = read;
  if (challenge.kind === 'cookie') return 'wrong';
  if (challenge.kind === 'delay' && now < challenge.issued + delaySeconds) return 'early';
  if (answer.startsWith('work:')) {
    // Everything has no bits at least.
    if (challenge.difficulty === 0) return 'wrong';
    const found = answer.substring(5);
    if (found.length > 15 || parseWhole(found) === undefined) return 'wrong';
    return zeroBits(by.sha256(`${token}:${found}`)) >= challenge.difficulty ? 'good' : 'wrong';
  }
  if (!isPicture(challenge.kind) || !answer.startsWith('sight:')) return 'wrong';
  const seen = answer.substring(6);
  return isSeen(challenge.kind, pictureSecret(token, key, by.hmac), seen) ? 'good' : 'wrong';
}

/** Zero bits at the beginning of a text in hexadecimal. */
export function zeroBits(hex: string): number {
  let bits = 0;
  for (let index = 0; index < hex.length; index++) {
    const value = hexValue(hex, index);
    if (value === 0) {
      bits += 4;
      continue;
    }
    return bits + (value < 2 ? 3 : value < 4 ? 2 : value < 8 ? 1 : 0);
  }
  return bits;
}

/** What decides on a picture: nobody who has only the token can work it out. */
export const pictureSecret = (token: string, key: string, hmac: HmacHex): string =>
  hmac(key, `picture\n${token}`);

function numberFrom(secret: string, start: number, count: number): number {
  let value = 0;
  for (let index = start; index < start + 6; index++) value = value * 16 + hexValue(secret, index);
  return value % count;
}

export const slideWidth = 200;
export const slideHeight = 80;
export const pieceSize = 32;
/** Where the gap is, from the left and from the top. */
export const slidePlace = (secret: string): { x: number; y: number } => ({
  x: 50 + numberFrom(secret, 0, slideWidth - pieceSize - 56),
  y: 6 + numberFrom(secret, 6, slideHeight - pieceSize - 12),
});

/** By how many degrees a picture has to be turned, clockwise. */
export const turnOf = (secret: string): number => 40 + numberFrom(secret, 0, 280);

/** Letters and digits that nobody takes for others. */
export const pictureLetters = 'ACEFHJKLMNPRTUVWXY3479';
export function lettersOf(secret: string): string {
  const letters: string[] = [];
  for (let index = 0; index < 5; index++) {
    const place = numberFrom(secret, index * 6, pictureLetters.length);
    letters.push(pictureLetters.substring(place, place + 1));
  }
  return letters.join('');
}

const slideTolerance = 5;
const turnTolerance = 14;

function isSeen(kind: VerifyKind, secret: string, seen: string): boolean {
  if (kind === 'image') return seen.length < 20 && seen.toUpperCase() === lettersOf(secret);
  const value = parseWhole(seen);
  if (value === undefined) return false;
  if (kind === 'slide') return Math.abs(value - slidePlace(secret).x) <= slideTolerance;
  const off = Math.abs((value % 360) - turnOf(secret));
  return Math.min(off, 360 - off) <= turnTolerance;
}
