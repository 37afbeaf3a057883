import { parseDigits, trimOws } from '../lib/text.ts';

/**
 * Fields that `Connection` cannot take away: the edge's own statements, which an origin trusts, and what frames, names
 * or governs the message. Naming one of them is a mistake or an attack.
 */
const kept: Record<string, boolean> = {
  host: true,
  'content-length': true,
  'content-type': true,
  'content-encoding': true,
  'content-range': true,
  'transfer-encoding': true,
  date: true,
  age: true,
  vary: true,
  expires: true,
  'cache-control': true,
  'cdn-cache-control': true,
  'set-cookie': true,
  cookie: true,
  authorization: true,
  'cdn-loop': true,
  via: true,
  'max-forwards': true,
  'x-request-id': true,
  upgrade: true,
  connection: true,
  close: true,
  'keep-alive': true,
};

/** For one hop only, whether `Connection` says so or not (RFC 9110 §7.6.1, §11.7), besides those that nginx leaves out by itself. */
export const hopFieldsOfRequests = [
  'Trailer',
  'Proxy-Connection',
  'Proxy-Authorization',
  'Proxy-Authenticate',
];
export const hopFieldsOfAnswers = [
  'Upgrade',
  'TE',
  'Trailer',
  'Proxy-Connection',
  'Proxy-Authenticate',
  'Proxy-Authentication-Info',
];

/** The fields that a `Connection` field takes off this hop (RFC 9110 §7.6.1), in lower case. */
export function fieldsOfHop(connection: string): string[] {
  const names: string[] = [];
  for (const item of connection.split(',')) {
    const name = trimOws(item).toLowerCase();
    if (name === '' || kept[name] === true) continue;
    if (name.startsWith('x-forwarded-') || name.startsWith('x-real-') || name.startsWith('x-breakwater'))
      continue;
    names.push(name);
  }
  return names;
}

/** `Max-Forwards` as it goes on (RFC 9110 §7.6.2); nothing: not further than here. What is no number stays as it is. */
export function fewerForwards(field: string): string | undefined {
  const left = parseDigits(field);
  if (left === undefined) return field;
  return left === 0 ? undefined : `${left - 1}`;
}

/**
 * `Accept-Encoding` as one of a few texts, so that answers which vary by it are not kept once for every browser:
 * `br, gzip`, `br`, `gzip` or `identity`, and each of the first three with a refusal of the bare form. What the visitor did
 * not accept is never added (RFC 9110 §12.5.3).
 */
export function plainAcceptEncoding(field: string): string {
  let br: boolean | undefined;
  let gzip: boolean | undefined;
  let any = false;
  let identity = true;
  for (const item of field.split(',')) {
    const parts = item.split(';');
    const name = trimOws(parts[0]!).toLowerCase();
    const isWanted = !hasZeroWeight(parts);
    if (name === 'br') br = isWanted;
    else if (name === 'gzip' || name === 'x-gzip') gzip = isWanted;
    else if (name === '*') any = isWanted;
    else if (name === 'identity') identity = isWanted;
  }
  const names: string[] = [];
  if (br ?? any) names.push('br');
  if (gzip ?? any) names.push('gzip');
  if (!identity) names.push('identity;q=0');
  return names.length === 0 ? 'identity' : names.join(', ');
}

/** `q=0`, `q=0.0` and so on. */
function hasZeroWeight(parts: string[]): boolean {
  for (let index = 1; index < parts.length; index++) {
    const text = trimOws(parts[index]!).toLowerCase();
    if (!text.startsWith('q=')) continue;
    const digits = text.substring(2).split('.').join('');
    return parseDigits(digits) === 0;
  }
  return false;
}
