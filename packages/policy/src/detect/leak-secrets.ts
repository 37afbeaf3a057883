import { lowerAscii } from '../lib/text.ts';
import { digit, isKind } from './bytes.ts';
import type { Leak } from './leak.ts';
import {
  bytesIn,
  endOfRun,
  isNamedSecret,
  isQuoted,
  isWordAt,
  placesMax,
  type LeakAnswer,
} from './leak-text.ts';

/** Private keys, and credentials of services whose form is known. What looks made up is none. */

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const alphanumeric = `${digits}${capitals}abcdefghijklmnopqrstuvwxyz`;
const base64 = bytesIn(`${alphanumeric}+/=`);
const base64AndBreaks = bytesIn(`${alphanumeric}+/=\r\n\t \\`);
const upperAndDigits = bytesIn(digits + capitals);
const tokenBytes = bytesIn(`${alphanumeric}-_`);
const plainBytes = bytesIn(alphanumeric);
const decimal = bytesIn(digits);

const keyNames = ['RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', ''];
/** The shortest key there is, of Ed25519, has 64. */
const keyBytesMin = 60;

/** RFC 7468, and what OpenSSL and OpenSSH write. */
export function addPrivateKeys(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  let at = text.indexOf('-----BEGIN ');
  for (let places = 0; at >= 0 && places < placesMax; places++) {
    const name = keyNameAt(text, at + 11);
    if (name !== undefined) {
      const line = `-----BEGIN ${name}PRIVATE KEY-----`;
      const score = hasKey(text, at + line.length, name) ? scoreOfKey(answer, at) : 0;
      if (score > 0) into.push({ kind: 'private_key', score, shown: line });
    }
    at = text.indexOf('-----BEGIN ', at + 11);
  }
}

function keyNameAt(text: string, at: number): string | undefined {
  for (const name of keyNames) if (text.startsWith(`${name}PRIVATE KEY-----`, at)) return name;
  return undefined;
}

/** Whether what follows is the content of a key: long enough, of the bytes that it has, not made up, and up to the line that ends it. */
function hasKey(text: string, begin: number, name: string): boolean {
  let at = begin;
  // Fields of a key with a passphrase (RFC 1421); an empty line ends them.
  if (text.substring(at, at + 20).indexOf('Proc-Type:') >= 0) {
    const end = text.indexOf('\n\n', at);
    const other = text.indexOf('\r\n\r\n', at);
    const last = end < 0 ? other : end;
    if (last < 0) return false;
    at = last;
  }
  const end = endOfRun(text, at, base64AndBreaks);
  // In JSON line breaks are written `\n`: its `n` and `r` count as content, which changes nothing here.
  const body = endsPlainly(text, end, name) ? withoutBreaks(text.substring(at, end)) : '';
  return body.length >= keyBytesMin && isRandom(body, 20);
}

const endsPlainly = (text: string, end: number, name: string): boolean =>
  end === text.length || text.startsWith(`-----END ${name}PRIVATE KEY-----`, end);

function withoutBreaks(text: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (base64[text.substring(at, at + 1)] !== true) {
      at += 1;
      continue;
    }
    const end = endOfRun(text, at, base64);
    parts.push(text.substring(at, end));
    at = end;
  }
  return parts.join('');
}

/** A file that is a key, or data that has one. In prose and programs a key may be there to be shown. */
function scoreOfKey(answer: LeakAnswer, at: number): number {
  const { text, type } = answer;
  if (isQuoted(answer, at)) return 0;
  if (type === 'json' && isExample(text, at)) return 0;
  if (type === 'json') return isNamedSecret(text, at) ? 8 : 4;
  if (type === 'plain' || type === 'file' || type === 'html') {
    if (isOnlyPem(text, at)) return 9;
    return type === 'file' && !isExample(text, at) ? 6 : 4;
  }
  return 4;
}

/** Before it are at most certificates and the lines that OpenSSL writes about them. */
function isOnlyPem(text: string, at: number): boolean {
  let start = 0;
  while (start < at) {
    let end = text.indexOf('\n', start);
    if (end < 0 || end > at) end = at;
    if (!isPemLine(text.substring(start, end))) return false;
    start = end + 1;
  }
  return true;
}

const pemLines = [
  'Bag Attributes',
  'Key Attributes',
  'localKeyID:',
  'friendlyName:',
  'subject=',
  'issuer=',
  '-----',
  'subject:',
  'issuer:',
  '#',
];

function isPemLine(line: string): boolean {
  let at = 0;
  while (at < line.length && line.charCodeAt(at) <= 32) at += 1;
  if (at === line.length) return true;
  for (const begin of pemLines) if (line.startsWith(begin, at)) return true;
  const end = endOfRun(line, at, base64AndBreaks);
  return end === line.length && line.length <= 80 && line.indexOf(' ') < 0;
}

const exampleWords = ['example', 'sample', 'placeholder', 'dummy', 'default"'];
const isExample = (text: string, at: number): boolean => {
  const before = lowerAscii(text.substring(at > 200 ? at - 200 : 0, at));
  for (const one of exampleWords) if (before.indexOf(one) >= 0) return true;
  return false;
};

const madeUp = [
  'example',
  'xxxx',
  '0000',
  '1234',
  'abcd',
  'test',
  'fake',
  'dummy',
  'your',
  'secret',
  'redacted',
  'sample',
  'placeholder',
];

/** Whether somebody's machine made it up, and not somebody: it has many different bytes and none of the words that people write. */
function isRandom(token: string, distinctMin: number): boolean {
  const seen: Record<string, boolean> = {};
  let distinct = 0;
  let run = 1;
  let digitsSeen = false;
  for (let index = 0; index < token.length; index++) {
    const each = token.substring(index, index + 1);
    if (seen[each] !== true) distinct += 1;
    seen[each] = true;
    if (isKind(token.charCodeAt(index), digit)) digitsSeen = true;
    run = index > 0 && each === token.substring(index - 1, index) ? run + 1 : 1;
    if (run >= 5 && each !== 'A' && each !== '=') return false;
  }
  if (distinct < distinctMin || !digitsSeen) return false;
  // In much that is random any four letters may stand.
  if (token.length > 100) return true;
  const lower = lowerAscii(token);
  for (const each of madeUp) if (lower.indexOf(each) >= 0) return false;
  return true;
}

/** What is longer is no token. */
const tokenBytesMax = 200;

/** What a token has after what it begins with. */
interface TokenForm {
  begin: string;
  bytes: Record<string, true>;
  lengthMin: number;
  lengthMax: number;
  /** The last six say whether the others were written right (as GitHub and npm have it). */
  isChecked?: boolean;
}

const forms: TokenForm[] = [
  { begin: 'ghp_', bytes: plainBytes, lengthMin: 36, lengthMax: 36, isChecked: true },
  { begin: 'gho_', bytes: plainBytes, lengthMin: 36, lengthMax: 36, isChecked: true },
  { begin: 'ghu_', bytes: plainBytes, lengthMin: 36, lengthMax: 36, isChecked: true },
  { begin: 'ghs_', bytes: plainBytes, lengthMin: 36, lengthMax: 36, isChecked: true },
  { begin: 'npm_', bytes: plainBytes, lengthMin: 36, lengthMax: 36, isChecked: true },
  { begin: 'glpat-', bytes: tokenBytes, lengthMin: 20, lengthMax: 20 },
  { begin: 'sk_live_', bytes: plainBytes, lengthMin: 24, lengthMax: 128 },
  { begin: 'rk_live_', bytes: plainBytes, lengthMin: 24, lengthMax: 128 },
];

export function addCredentials(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  for (const form of forms) {
    let at = text.indexOf(form.begin);
    for (let places = 0; at >= 0 && places < placesMax; places++) {
      if (isToken(text, at, form)) addCredential(answer, at, form.begin, into);
      at = text.indexOf(form.begin, at + form.begin.length);
    }
  }
  addSlack(answer, into);
  addAws(answer, 'AKIA', into);
  addAws(answer, 'ASIA', into);
}

function isToken(
  text: string,
  at: number,
  { begin, bytes, lengthMin, lengthMax, isChecked }: TokenForm,
): boolean {
  if (isWordAt(text, at - 1)) return false;
  const start = at + begin.length;
  const end = endOfRun(text, start, bytes, tokenBytesMax);
  const token = text.substring(start, end);
  if (token.length < lengthMin || token.length > lengthMax || isWordAt(text, end)) return false;
  if (isChecked === true) return isChecksumRight(token);
  return isRandom(token, 10);
}

function addCredential(answer: LeakAnswer, at: number, shown: string, into: Leak[]): void {
  if (isQuoted(answer, at)) return;
  const { text, type } = answer;
  const isWritten = type === 'html' || type === 'xml' || (type === 'json' && !isNamedSecret(text, at));
  const isShown = isWritten || isExample(text, at);
  into.push({ kind: 'credential', score: isShown ? 4 : 6, shown: `${shown}***` });
}

/** `xoxb-` and `xoxp-`, numbers, and a secret. */
function addSlack(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  let at = text.indexOf('xox');
  for (let places = 0; at >= 0 && places < placesMax; places++) {
    const begin = text.substring(at, at + 5);
    if ((begin === 'xoxb-' || begin === 'xoxp-') && isSlack(text, at + 5))
      addCredential(answer, at, begin, into);
    at = text.indexOf('xox', at + 3);
  }
}

function isSlack(text: string, begin: number): boolean {
  let at = begin;
  let numbers = 0;
  while (numbers < 3) {
    const end = endOfRun(text, at, decimal, tokenBytesMax);
    if (end - at < 10 || end - at > 13 || !text.startsWith('-', end)) break;
    numbers += 1;
    at = end + 1;
  }
  const end = endOfRun(text, at, plainBytes, tokenBytesMax);
  return numbers >= 2 && end - at >= 24 && end - at <= 36 && isRandom(text.substring(at, end), 10);
}

/** The ID of a key alone is no secret: within some lines of it stands what is. */
function addAws(answer: LeakAnswer, begin: string, into: Leak[]): void {
  const { text } = answer;
  let at = text.indexOf(begin);
  for (let places = 0; at >= 0 && places < placesMax; places++) {
    const end = endOfRun(text, at, upperAndDigits, tokenBytesMax);
    const id = text.substring(at, end);
    if (
      id.length === 20 &&
      !isWordAt(text, at - 1) &&
      !isWordAt(text, end) &&
      isRandom(id.substring(4), 8) &&
      (hasAwsSecret(text, end, end + 400) || hasAwsSecret(text, at > 300 ? at - 300 : 0, at))
    )
      addCredential(answer, at, begin, into);
    at = text.indexOf(begin, at + 4);
  }
}

function hasAwsSecret(text: string, start: number, stop: number): boolean {
  let at = start;
  const last = stop < text.length ? stop : text.length;
  while (at < last) {
    const end = endOfRun(text, at, base64, tokenBytesMax);
    if (end - at === 40 && isMixed(text.substring(at, end))) return true;
    at = end + 1;
  }
  return false;
}

/** Not a hash in hexadecimal. */
function isMixed(token: string): boolean {
  return token !== lowerAscii(token) && token.toUpperCase() !== token && isRandom(token, 20);
}

/** CRC-32 of all but the last six, in base 62. */
function isChecksumRight(token: string): boolean {
  const body = token.substring(0, token.length - 6);
  let stated = 0;
  for (let index = token.length - 6; index < token.length; index++)
    stated = stated * 62 + alphanumeric.indexOf(token.substring(index, index + 1));
  const counted = crc32(body);
  return (counted < 0 ? counted + 4_294_967_296 : counted) === stated;
}

/** As a signed number of 32 bits. */
function crc32(text: string): number {
  let crc = -1;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) !== 0 ? (crc >>> 1) ^ -306_674_912 : crc >>> 1;
  }
  return crc ^ -1;
}
