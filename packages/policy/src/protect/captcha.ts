import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import { lowerAscii, parseDigits } from '../lib/text.ts';

/**
 * How a vendor is asked whether a visitor has passed its challenge, and what its answer means. As the vendors document it:
 * developers.cloudflare.com/turnstile, docs.hcaptcha.com, developers.google.com/recaptcha, docs.geetest.com/gt4.
 */

/** `HMAC-SHA-256` in lower-case hex, all of it. */
export type FullHmacHex = (this: void, key: string, text: string) => string;

/** What a challenge was shown for: a token that was got for something else is no good here. */
export interface CaptchaExpected {
  /** In lower case, without a port. */
  host: string;
  /** Of the challenge. */
  nonce: string;
}

/**
 * `wrong`: not passed, or made up. `used`: before, or too late. `elsewhere`: passed on another site, or for another challenge.
 * `setup`: the vendor does not accept the account. `away`: it gave no answer of use.
 */
export type CaptchaVerdict = 'good' | 'wrong' | 'used' | 'elsewhere' | 'low_score' | 'setup' | 'away';

/** What pages name, where a vendor has a name for what a challenge is for. */
export const captchaAction = 'breakwater';

const tokenMax = 6000;

/** The form that the vendor is sent; nothing where a browser's answer has another form than what the vendor's script gives. */
export function captchaForm(
  account: CaptchaAccountDocument,
  token: string,
  hmacHex: FullHmacHex,
): string | undefined {
  if (token.length > tokenMax) return undefined;
  const parts = token.split(' ');
  for (const part of parts) if (!isPlain(part)) return undefined;
  const { vendor, site_key: siteKey, secret_key: secret } = account;
  if (vendor !== 'geetest') {
    if (parts.length !== 1) return undefined;
    const form: [string, string][] = [
      ['secret', secret],
      ['response', token],
    ];
    if (vendor === 'hcaptcha') form.push(['sitekey', siteKey]);
    return encoded(form);
  }
  if (parts.length !== 4) return undefined;
  const [lot, output, pass, time] = parts;
  // What is no number it answers as if the account were wrong.
  if (parseDigits(time!) === undefined) return undefined;
  return encoded([
    ['captcha_id', siteKey],
    ['lot_number', lot!],
    ['captcha_output', output!],
    ['pass_token', pass!],
    ['gen_time', time!],
    ['sign_token', hmacHex(secret, lot!)],
  ]);
}

/** A token that the vendor's script might give, and that nobody was given. */
export const madeUpToken = ({ vendor }: Pick<CaptchaAccountDocument, 'vendor'>): string =>
  vendor === 'geetest' ? `${'0'.repeat(32)} none ${'0'.repeat(64)} 1` : 'none';

/** Letters, digits, and what base64 and the vendors have besides. */
function isPlain(text: string): boolean {
  if (text === '') return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (!isLetter && !isMark(code)) return false;
  }
  return true;
}

/** One of `-._~=+/:`. */
const isMark = (code: number): boolean =>
  (code >= 45 && code <= 47) || code === 95 || code === 126 || code === 61 || code === 43 || code === 58;

/** As a form. Of the marks that tokens and keys may have, these have another meaning there. */
function encoded(form: [string, string][]): string {
  const parts: string[] = [];
  for (const [name, value] of form) {
    const text = value.split('+').join('%2B').split('=').join('%3D').split('/').join('%2F');
    parts.push(`${name}=${text.split(':').join('%3A')}`);
  }
  return parts.join('&');
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== undefined && value !== null;

/** `json`: of an answer that is none, nothing. */
export function captchaVerdict(
  account: CaptchaAccountDocument,
  { status, json }: { status: number; json: unknown },
  expected: CaptchaExpected,
): CaptchaVerdict {
  if (status >= 500 || status === 429 || !isObject(json)) return 'away';
  return account.vendor === 'geetest' ? geetestVerdict(json, expected) : verdictOf(account, json, expected);
}

/** What the codes of three vendors mean; what is not here was refused for what the browser sent. */
const codes: Record<string, CaptchaVerdict | undefined> = {
  'missing-input-secret': 'setup',
  'invalid-input-secret': 'setup',
  'not-using-dummy-passcode': 'setup',
  'internal-error': 'away',
  'timeout-or-duplicate': 'used',
  'already-seen-response': 'used',
  'invalid-or-already-seen-response': 'used',
  'expired-input-response': 'used',
};

function verdictOf(account: CaptchaAccountDocument, json: Json, expected: CaptchaExpected): CaptchaVerdict {
  const { success, hostname, action, cdata, score } = json;
  if (success === false) return refusalOf(json['error-codes']);
  if (success !== true) return 'away';
  if (typeof hostname !== 'string' || lowerAscii(hostname) !== expected.host) return 'elsewhere';
  if (account.vendor === 'turnstile' && (action !== captchaAction || cdata !== expected.nonce))
    return 'elsewhere';
  const { score_min: least } = account;
  if (least === undefined) return 'good';
  if (typeof score !== 'number' || action !== captchaAction) return 'elsewhere';
  return score >= least ? 'good' : 'low_score';
}

/** A key that is not accepted comes before all else: nothing that visitors send is judged then. */
function refusalOf(said: unknown): CaptchaVerdict {
  let verdict: CaptchaVerdict = 'wrong';
  if (!Array.isArray(said)) return verdict;
  for (const code of said as unknown[]) {
    const meaning = typeof code === 'string' ? codes[code] : undefined;
    if (meaning === 'setup') return meaning;
    if (meaning !== undefined && verdict !== 'away') verdict = meaning;
  }
  return verdict;
}

/** Of the account: no id, a wrong one, or one that was deleted or paused. */
const geetestCodes: Record<string, CaptchaVerdict | undefined> = {
  '-50101': 'setup',
  '-50102': 'setup',
  '-50103': 'setup',
  '-50104': 'setup',
  '-50105': 'setup',
  '-50003': 'used',
  '-50301': 'used',
  '-50305': 'used',
};

function geetestVerdict(json: Json, { host }: CaptchaExpected): CaptchaVerdict {
  const { status, result, code, captcha_args: told } = json;
  if (status === 'error') {
    // As a text or as a number.
    const name = typeof code === 'number' ? `${code}` : typeof code === 'string' ? code : '';
    return geetestCodes[name] ?? 'wrong';
  }
  if (status !== 'success' || (result !== 'success' && result !== 'fail')) return 'away';
  if (result === 'fail') return 'wrong';
  const referer = isObject(told) ? told['referer'] : undefined;
  // A page can keep its address to itself, so what says nothing of it is from anywhere.
  return typeof referer === 'string' && hostOf(referer) === host ? 'good' : 'elsewhere';
}

/** Of an address; without a port. */
function hostOf(url: string): string {
  const start = url.indexOf('://');
  let rest = start < 0 ? url : url.substring(start + 3);
  for (const mark of ['/', '?', '#', ':']) {
    const end = rest.indexOf(mark);
    if (end >= 0) rest = rest.substring(0, end);
  }
  return lowerAscii(rest);
}
