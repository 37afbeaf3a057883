import {
  captchaProviders,
  type CaptchaAccountDocument,
  type CaptchaProviderCode,
} from '@breakwater/contract';
import { captchaForm, captchaVerdict, madeUpToken } from '@breakwater/policy/protect/captcha';
import { createHmac } from 'node:crypto';
import { callHttp } from '../call-http.ts';
import { defineProvider, ProviderProblem } from '../define-provider.ts';
import type { Reach } from '../reach.ts';

/** What nodes are told of an account, but for its number. */
export type CaptchaVendorPart = Omit<CaptchaAccountDocument, 'account_id'>;

export interface CaptchaClient {
  part: CaptchaVendorPart;
  /** Asks the vendor about a token that nobody was given. */
  probe(): Promise<void>;
}

interface Addresses {
  verify: string;
  script: string;
  /** From where the vendor's script loads more, as the vendor documents it for a page's policy. */
  sources: readonly string[];
  /** Below another server of the operator's choice. */
  paths: { verify: string; script: string };
}

const addresses: Record<CaptchaProviderCode, Addresses> = {
  // developers.cloudflare.com/turnstile/reference/content-security-policy
  turnstile: {
    verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    sources: ['https://challenges.cloudflare.com'],
    paths: { verify: '/turnstile/v0/siteverify', script: '/turnstile/v0/api.js' },
  },
  // docs.hcaptcha.com#content-security-policy-settings
  hcaptcha: {
    verify: 'https://api.hcaptcha.com/siteverify',
    script: 'https://js.hcaptcha.com/1/api.js',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    paths: { verify: '/siteverify', script: '/1/api.js' },
  },
  // developers.google.com/recaptcha/docs/faq
  recaptcha: {
    verify: 'https://www.google.com/recaptcha/api/siteverify',
    script: 'https://www.google.com/recaptcha/api.js',
    sources: [
      'https://www.google.com/recaptcha/',
      'https://www.gstatic.com/recaptcha/',
      'https://recaptcha.google.com/recaptcha/',
      'https://www.gstatic.cn/recaptcha/',
      'https://www.recaptcha.net/recaptcha/',
    ],
    paths: { verify: '/recaptcha/api/siteverify', script: '/recaptcha/api.js' },
  },
  // docs.geetest.com/gt4: its script asks by scripts, from hosts that take each other's place.
  geetest: {
    verify: 'https://gcaptcha4.geetest.com/validate',
    script: 'https://static.geetest.com/v4/gt4.js',
    sources: ['https://*.geetest.com', 'https://*.geevisit.com'],
    paths: { verify: '/validate', script: '/v4/gt4.js' },
  },
};

type Keys = { site_key: string; secret_key?: string | undefined; url: string };

function partOf(vendor: CaptchaProviderCode, { site_key: siteKey, secret_key: secret = '', url }: Keys) {
  const { verify, script, sources, paths } = addresses[vendor];
  const isOwn = url !== '';
  return {
    vendor,
    site_key: siteKey,
    secret_key: secret,
    verify_url: isOwn ? url + paths.verify : verify,
    script_url: isOwn ? url + paths.script : script,
    sources: isOwn ? [url, ...sources] : [...sources],
    ...(isOwn && vendor === 'geetest' ? { api_host: new URL(url).host } : {}),
  };
}

const clientOf = (part: CaptchaVendorPart, reach: Reach): CaptchaClient => ({
  part,
  probe: () => probe(part, reach),
});

const hmacHex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const probeSeconds = 10;

/** A vendor that says that the token is none has taken the keys, as far as it looks at them before. */
async function probe(part: CaptchaVendorPart, reach: Reach): Promise<void> {
  const account = { account_id: 0, ...part };
  const { status, text } = await callHttp(
    reach,
    {
      method: 'POST',
      url: part.verify_url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: captchaForm(account, madeUpToken(account), hmacHex)!,
    },
    { secondsMax: probeSeconds, bytesMax: 65_536 },
  );
  if (status === 429) throw new ProviderProblem('provider_limited');
  if (status >= 500) throw new ProviderProblem('provider_down', String(status));
  const json = parsed(text);
  const verdict = captchaVerdict(account, { status, json }, { host: '', nonce: '' });
  if (verdict === 'setup' || isMismatch(json)) throw new ProviderProblem('provider_key');
  if (verdict === 'away') throw new ProviderProblem('provider_answer', String(status));
}

/** hCaptcha: a site key that is not of this secret. Said of visitors' tokens it may be their doing, so there it means nothing. */
const isMismatch = (json: unknown): boolean => {
  const codes = (json as { 'error-codes'?: unknown } | undefined)?.['error-codes'];
  return Array.isArray(codes) && codes.includes('sitekey-secret-mismatch');
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const test = (client: CaptchaClient) => client.probe();

export const turnstileProvider = defineProvider<CaptchaClient, typeof captchaProviders.turnstile>(
  captchaProviders.turnstile,
  { make: (params, { reach }) => clientOf(partOf('turnstile', params), reach), test },
);
export const hcaptchaProvider = defineProvider<CaptchaClient, typeof captchaProviders.hcaptcha>(
  captchaProviders.hcaptcha,
  { make: (params, { reach }) => clientOf(partOf('hcaptcha', params), reach), test },
);
export const recaptchaProvider = defineProvider<CaptchaClient, typeof captchaProviders.recaptcha>(
  captchaProviders.recaptcha,
  {
    make: (params, { reach }) => {
      const part = partOf('recaptcha', params);
      return clientOf(
        params.version === 'v3' ? { ...part, score_min: Number(params.score_min) } : part,
        reach,
      );
    },
    test,
  },
);
export const geetestProvider = defineProvider<CaptchaClient, typeof captchaProviders.geetest>(
  captchaProviders.geetest,
  { make: (params, { reach }) => clientOf(partOf('geetest', params), reach), test },
);
