import { percentDecode } from '../http/path.ts';

/** AWS Signature Version 4 for object storage (service s3). Bytes in, bytes out; what computes digests is passed in. */
export interface Digests {
  /** SHA-256 in lower-case hex. */
  sha256Hex: (this: void, text: string) => string;
  /** HMAC-SHA-256, raw. */
  hmac: (this: void, key: string, text: string) => string;
  toHex: (this: void, bytes: string) => string;
  /** Of links that others sign; nothing of ours rests on it. */
  md5Hex: (this: void, text: string) => string;
}

export interface SignedField {
  /** Lower case. */
  name: string;
  value: string;
}

export interface RequestToSign {
  method: string;
  /** As `encodePath` and `encodeQuery` give them, and as they are sent. */
  path: string;
  query: string;
  /** In the order of their names. */
  fields: SignedField[];
  payloadHash: string;
}

export interface Signer {
  accessKeyId: string;
  region: string;
  /** `20130524T000000Z`. */
  time: string;
  /** Of the day of `time`. */
  key: string;
}

const digits = '0123456789ABCDEF';

function isUnreserved(code: number): boolean {
  if (code >= 48 && code <= 57) return true;
  if (code >= 65 && code <= 90) return true;
  if (code >= 97 && code <= 122) return true;
  return code === 45 || code === 46 || code === 95 || code === 126;
}

function encode(bytes: string, keepsSlash: boolean): string {
  const parts: string[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes.charCodeAt(index);
    if (isUnreserved(code) || (keepsSlash && code === 47)) parts.push(bytes.substring(index, index + 1));
    else {
      const high = Math.floor(code / 16);
      const low = code % 16;
      parts.push('%', digits.substring(high, high + 1), digits.substring(low, low + 1));
    }
  }
  return parts.join('');
}

/** The object a path names, written in the one way that is signed. Absent: it names none, or would leave its bucket. */
export function encodePath(path: string): string | undefined {
  const key = percentDecode(path);
  if (key.length < 2) return undefined;
  for (const segment of key.split('/')) if (segment === '.' || segment === '..') return undefined;
  return encode(key, true);
}

/** Of a query, the fields of these names, sorted and written in the one way that is signed. */
export function encodeQuery(query: string, names: string[]): string {
  const fields: string[] = [];
  for (const part of query.split('&')) {
    const mark = part.indexOf('=');
    const name = percentDecode(mark < 0 ? part : part.substring(0, mark));
    let isWanted = false;
    for (const each of names) if (each === name) isWanted = true;
    if (!isWanted) continue;
    const value = mark < 0 ? '' : part.substring(mark + 1);
    // Sorted by name, then by value: a space comes before whatever a name can go on with.
    fields.push(`${encode(name, false)} ${encode(percentDecode(value.split('+').join(' ')), false)}`);
  }
  fields.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return fields.join('&').split(' ').join('=');
}

/** The key that signs the requests of a day to a region. */
export function signingKey(secret: string, day: string, region: string, { hmac }: Digests): string {
  return hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
}

/** What the `Authorization` of a request says. */
export function authorize(request: RequestToSign, signer: Signer, digests: Digests): string {
  const names: string[] = [];
  const lines = [request.method, request.path, request.query];
  for (const { name, value } of request.fields) {
    names.push(name);
    lines.push(`${name}:${value}`);
  }
  const signed = names.join(';');
  lines.push('', signed, request.payloadHash);
  const scope = `${signer.time.substring(0, 8)}/${signer.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', signer.time, scope, digests.sha256Hex(lines.join('\n'))].join('\n');
  const signature = digests.toHex(digests.hmac(signer.key, text));
  return `AWS4-HMAC-SHA256 Credential=${signer.accessKeyId}/${scope},SignedHeaders=${signed},Signature=${signature}`;
}
