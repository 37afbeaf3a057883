import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { Digests } from '../origin/sigv4.ts';
import {
  challengeUnderLoad,
  judgeAnswer,
  lettersOf,
  networkOf,
  pictureSecret,
  readChallenge,
  readPass,
  signChallenge,
  signPass,
  slidePlace,
  turnOf,
  zeroBits,
  type Bound,
} from '../protect/verify.ts';
import { captchaForm, captchaVerdict } from '../protect/captcha.ts';
import { verifyTexts } from '../protect/verify-page.text.ts';
import { chooseLanguage, isFormKept, wantsPage, withoutPass } from '../protect/verify-request.ts';

/** The vectors of browser verification. */
export function runVerifyVector(decision: string, input: Record<string, unknown>, digests: Digests): unknown {
  if (decision === 'verify') return verify(input as never, digests);
  if (decision === 'verify-request') return request(input as never);
  if (decision === 'captcha') return captcha(input as never, digests);
  return undefined;
}

function request(input: {
  fields?: Record<string, string>;
  language?: string;
  cookie?: string;
  form?: Record<string, string>;
}): unknown {
  if (input.fields !== undefined) return { page: wantsPage(input.fields as never) };
  if (input.language !== undefined) return { language: chooseLanguage(input.language, verifyTexts, 'en') };
  if (input.cookie !== undefined) return { cookie: withoutPass(input.cookie) ?? 'none' };
  return { kept: isFormKept(input.form as never) };
}

interface CaptchaCase {
  account: CaptchaAccountDocument;
  token?: string;
  status: number;
  json: unknown;
}

function captcha(input: CaptchaCase, digests: Digests): unknown {
  const { account, status, json } = input;
  const hmac = (key: string, text: string) => digests.toHex(digests.hmac(key, text));
  if (input.token !== undefined) return { form: captchaForm(account, input.token, hmac) ?? 'none' };
  const expected = { host: 'www.example.com', nonce: 'feedfacefeedfacefeedfacefeedface' };
  return { verdict: captchaVerdict(account, { status, json }, expected) };
}

interface VerifyCase {
  address?: string;
  v4: number;
  v6: number;
  wanted?: VerifyKind;
  difficulty: number;
  pages: number;
  hex?: string;
  token: 'challenge' | 'pass' | 'none';
  as?: 'pass';
  kind?: VerifyKind;
  now: number;
  /** What it was made for, and whoever has it, where that is not the same as ever. */
  made?: Partial<Bound>;
  other?: Partial<Bound>;
  keys?: string[];
}

function verify(input: VerifyCase, digests: Digests): unknown {
  if (input.address !== undefined) return { network: networkOf(input.address, input.v4, input.v6) };
  if (input.hex !== undefined) return { bits: zeroBits(input.hex) };
  if (input.wanted !== undefined) {
    const { kind, difficulty } = challengeUnderLoad(input.wanted, input.difficulty, input.pages);
    return { load: `${kind} ${difficulty}` };
  }
  return token(input, digests);
}

const usual: Bound = { siteId: '7', network: '192.0.2/24', agent: 'a' };

function token(input: VerifyCase, digests: Digests): unknown {
  const { kind = 'proof_of_work', now, keys = ['key'] } = input;
  const hmac = (key: string, text: string) => digests.toHex(digests.hmac(key, text));
  const made = { ...usual, ...input.made };
  const id = '0123456789abcdef0123456789abcdef';
  let text = 'none';
  if (input.token === 'challenge')
    text = signChallenge(
      { kind, issued: 1000, difficulty: input.difficulty ?? 4, nonce: id },
      made,
      'key',
      hmac,
    );
  if (input.token === 'pass') text = signPass({ kind, issued: 1000, seconds: 60, id }, made, 'key', hmac);
  const bound = { ...usual, ...input.other };
  if (input.token === 'pass' || input.as === 'pass') {
    const pass = readPass(text, bound, keys, now, hmac);
    return { read: typeof pass === 'string' ? pass : `${pass.kind} ${pass.issued} ${pass.seconds}` };
  }
  const read = readChallenge(text, bound, keys, now, hmac);
  if (typeof read === 'string') return { read };
  const { challenge } = read;
  const answering = { token: text, read, delaySeconds: 5, now, sha256: digests.sha256Hex, hmac };
  let count = 0;
  while (zeroBits(digests.sha256Hex(`${text}:${count}`)) < 4) count += 1;
  return {
    read: `${challenge.kind} ${challenge.issued} ${challenge.difficulty}`,
    work: judgeAnswer({ ...answering, answer: `work:${count}` }),
    sight: judgeAnswer({ ...answering, answer: `sight:${seenIn(kind, pictureSecret(text, 'key', hmac))}` }),
  };
}

function seenIn(kind: VerifyKind, secret: string): string {
  if (kind === 'image') return lettersOf(secret).toLowerCase();
  return `${kind === 'rotate' ? turnOf(secret) : slidePlace(secret).x}`;
}
