import { createHash, createHmac } from 'node:crypto';

/**
 * What the signatures of AWS (SigV4), Tencent Cloud (TC3), Volcengine and Huawei Cloud have in common: a request in a form that both
 * sides make the same of.
 */

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const hmacSha256 = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** All but the unreserved characters of RFC 3986, section 2.3, escaped. */
export const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query in the order of its names; whoever signs it sends it so. */
export const canonicalQuery = (query: Readonly<Record<string, string | number>>): string =>
  Object.entries(query)
    .map(([name, value]) => [escaped(name), escaped(String(value))] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

export interface SignedParts {
  method: string;
  /** As it is sent. */
  path: string;
  query: string;
  /** Those that are signed; names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export function canonicalRequest({ method, path, query, headers, body }: SignedParts) {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]!.trim()}\n`).join('');
  const signedHeaders = names.join(';');
  return {
    signedHeaders,
    text: [method, path, query, lines, signedHeaders, sha256(body)].join('\n'),
  };
}

interface Scoped {
  algorithm: string;
  time: string;
  /** What the key is narrowed to, step by step: day, region, service and a word that ends it. */
  scope: readonly string[];
  key: string;
}

/** A signature in hexadecimal, by a key that holds for a scope alone. */
export function scopedSignature({ algorithm, time, scope, key }: Scoped, canonical: string): string {
  const toSign = [algorithm, time, scope.join('/'), sha256(canonical)].join('\n');
  const scopeKey = scope.reduce<string | Buffer>((of, step) => hmacSha256(of, step), key);
  return hmacSha256(scopeKey, toSign).toString('hex');
}

/** A time as SigV4 and its relatives write it: 20150830T123600Z. */
export const basicTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '');
