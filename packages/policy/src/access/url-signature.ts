import type { UrlSigning } from '@breakwater/contract/site-config/url-signing';
import { parseIsoTime } from '../http/date.ts';
import { splitTarget } from '../http/path.ts';
import { lowerAscii, parseDigits } from '../lib/text.ts';

/**
 * Signed links, in the three ways that the Chinese clouds have. The path is signed as it is sent, without the query:
 *
 * A: `PATH?auth_key=TIME-RANDOM-USER-MD5`, the MD5 of `PATH-TIME-RANDOM-USER-SECRET`, the time in seconds since 1970
 * B: `/YYYYMMDDHHMM/MD5/PATH`, of secret, time and path one after the other, the time that of China
 * C: `/MD5/TIME/PATH`, of secret, path and time one after the other, the time in seconds since 1970 as hexadecimal digits
 */

export interface SignatureVerdict {
  state: 'good' | 'missing' | 'bad' | 'expired';
  /** What was signed, without the signature: what rules, the cache and the origin see of a good one. */
  target: string;
}

export type Md5Hex = (this: void, text: string) => string;

/** A signature as it stands in a link. */
interface Signature {
  seconds: number;
  md5: string;
  /** What the MD5 is of, with the secret between. */
  before: string;
  after: string;
  target: string;
}

const chinaSeconds = 8 * 3600;

export function checkSignature(
  settings: UrlSigning,
  target: string,
  now: number,
  md5Hex: Md5Hex,
): SignatureVerdict {
  const found = signatureIn(settings, target);
  if (found === undefined) return { state: 'missing', target };
  const isGood =
    isSignedBy(found, settings.secret, md5Hex) || isSignedBy(found, settings.previous_secret, md5Hex);
  if (!isGood) return { state: 'bad', target };
  if (now > found.seconds + settings.valid_seconds) return { state: 'expired', target };
  return { state: 'good', target: found.target };
}

function signatureIn(settings: UrlSigning, target: string): Signature | undefined {
  const { path, query } = splitTarget(target);
  if (settings.type === 'A')
    return query === undefined ? undefined : inArgument(path, query, `${settings.argument}=`);
  const rest = query === undefined ? '' : `?${query}`;
  const first = path.indexOf('/', 1);
  const second = first < 0 ? -1 : path.indexOf('/', first + 1);
  if (second < 0) return undefined;
  const one = path.substring(1, first);
  const two = path.substring(first + 1, second);
  const inner = path.substring(second);
  return settings.type === 'B' ? ofTypeB(one, two, inner, rest) : ofTypeC(one, two, inner, rest);
}

/** The argument may stand once: of two, an origin might read the other. */
function inArgument(path: string, query: string, mark: string): Signature | undefined {
  let value: string | undefined;
  const others: string[] = [];
  for (const part of query.split('&')) {
    if (!part.startsWith(mark)) others.push(part);
    else if (value !== undefined) return undefined;
    else value = part.substring(mark.length);
  }
  const parts = value === undefined ? [] : value.split('-');
  if (parts.length !== 4) return undefined;
  const seconds = parseDigits(parts[0]!);
  if (seconds === undefined || !isMd5(parts[3]!)) return undefined;
  return {
    seconds,
    md5: parts[3]!,
    before: `${path}-${parts[0]!}-${parts[1]!}-${parts[2]!}-`,
    after: '',
    target: others.length === 0 ? path : `${path}?${others.join('&')}`,
  };
}

function ofTypeB(time: string, md5: string, inner: string, rest: string): Signature | undefined {
  const seconds = minuteOf(time);
  if (seconds === undefined || !isMd5(md5)) return undefined;
  return { seconds, md5, before: '', after: `${time}${inner}`, target: inner + rest };
}

function ofTypeC(md5: string, time: string, inner: string, rest: string): Signature | undefined {
  const seconds = time.length > 8 ? undefined : parseHex(time);
  if (seconds === undefined || !isMd5(md5)) return undefined;
  return { seconds, md5, before: '', after: `${inner}${time}`, target: inner + rest };
}

/** `YYYYMMDDHHMM` in China, in seconds since 1970. */
function minuteOf(time: string): number | undefined {
  if (time.length !== 12 || parseDigits(time) === undefined) return undefined;
  const day = `${time.substring(0, 4)}-${time.substring(4, 6)}-${time.substring(6, 8)}`;
  const seconds = parseIsoTime(`${day}T${time.substring(8, 10)}:${time.substring(10, 12)}:00Z`);
  return seconds === undefined ? undefined : seconds - chinaSeconds;
}

function parseHex(text: string): number | undefined {
  if (text.length === 0) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = hexDigit(text.charCodeAt(index));
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  return code >= 65 && code <= 70 ? code - 55 : -1;
}

const isMd5 = (text: string): boolean => text.length === 32 && isHexadecimal(text);

function isHexadecimal(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (hexDigit(text.charCodeAt(index)) < 0) return false;
  return true;
}

/** Takes as long wherever the first difference is. */
function isSignedBy(found: Signature, secret: string | undefined, md5Hex: Md5Hex): boolean {
  if (secret === undefined || secret === '') return false;
  const wanted = md5Hex(`${found.before}${secret}${found.after}`);
  const given = lowerAscii(found.md5);
  let differences = 0;
  for (let index = 0; index < 32; index++)
    if (wanted.charCodeAt(index) !== given.charCodeAt(index)) differences += 1;
  return differences === 0;
}
