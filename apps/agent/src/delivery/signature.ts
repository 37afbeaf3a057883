import { createHash, createHmac } from 'node:crypto';

/**
 * The signature between agent and control plane, used by both sides; its form is stated in the contract's `node-api.ts`.
 */
const scheme = 'BW1-HMAC-SHA256';
const header =
  /^BW1-HMAC-SHA256 app_id=([A-Za-z0-9]{16}), time=(\d{1,12}), nonce=([0-9a-f]{32}), signature=([0-9a-f]{64})$/;

export interface SignedParts {
  method: string;
  /** Path and query as they stand in the request line. */
  target: string;
  body: Uint8Array | string;
  /** Unix seconds. */
  time: number;
  /** 32 hex digits, never used twice. */
  nonce: string;
}

export interface Authorization {
  appId: string;
  time: number;
  nonce: string;
  signature: string;
}

/** HMAC-SHA256 over the parts, in hex. */
export function signatureOf(appSecret: string, parts: SignedParts): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  return createHmac('sha256', appSecret)
    .update([parts.method, parts.target, parts.time, parts.nonce, bodyHash].join('\n'))
    .digest('hex');
}

/** The `Authorization` header of a request. */
export function sign(appId: string, appSecret: string, parts: SignedParts): string {
  const signature = signatureOf(appSecret, parts);
  return `${scheme} app_id=${appId}, time=${parts.time}, nonce=${parts.nonce}, signature=${signature}`;
}

/** The parts of the header, or undefined where it has another form. */
export function parseAuthorization(text: string | undefined): Authorization | undefined {
  const match = header.exec(text ?? '');
  if (!match) return undefined;
  const [, appId = '', time = '', nonce = '', signature = ''] = match;
  return { appId, time: Number(time), nonce, signature };
}

const sessionScheme = 'BW2-HMAC-SHA256';
const sessionHeader =
  /^BW2-HMAC-SHA256 session=([0-9a-f]{32}), count=([1-9]\d{0,14}), signature=([0-9a-f]{64})$/;

export interface SessionParts extends Pick<SignedParts, 'method' | 'target' | 'body'> {
  /** 32 hex digits. */
  session: string;
  /** Of the call within its session: from 1, never used twice. */
  count: number;
}

export interface SessionAuthorization {
  session: string;
  count: number;
  signature: string;
}

/** HMAC-SHA256 over the parts, in hex, with a key that is the session's own. */
export function sessionSignatureOf(appSecret: string, parts: SessionParts): string {
  const key = createHmac('sha256', appSecret).update(`BW2 session\n${parts.session}`).digest();
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  return createHmac('sha256', key)
    .update([parts.method, parts.target, parts.count, bodyHash].join('\n'))
    .digest('hex');
}

/** The `Authorization` header of a request within a session. */
export function signInSession(appSecret: string, parts: SessionParts): string {
  const signature = sessionSignatureOf(appSecret, parts);
  return `${sessionScheme} session=${parts.session}, count=${parts.count}, signature=${signature}`;
}

/** The parts of that header, or undefined where it has another form. */
export function parseSessionAuthorization(text: string | undefined): SessionAuthorization | undefined {
  const match = sessionHeader.exec(text ?? '');
  if (!match) return undefined;
  const [, session = '', count = '', signature = ''] = match;
  return { session, count: Number(count), signature };
}
