import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import { captchaAction } from './captcha.ts';

/** What the page of a challenge is told of a vendor's: nothing of it is secret. */
export interface ExternalChallenge {
  vendor: CaptchaAccountDocument['vendor'];
  /** For people. */
  name: string;
  key: string;
  src: string;
  lang: string;
  action: string;
  /** Nobody is asked anything. */
  score: boolean;
  /** Of GeeTest at another server. */
  api: string;
  /** After so many seconds without the vendor's script another way is taken. */
  wait: number;
}

type Vendor = CaptchaAccountDocument['vendor'];

export const vendorNames: Record<Vendor, string> = {
  turnstile: 'Cloudflare Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'Google reCAPTCHA',
  geetest: 'GeeTest',
};

/** How vendors name the languages of our pages, where they do not as we do. */
const languages: Record<Vendor, Record<string, string | undefined>> = {
  turnstile: { zh: 'zh-cn', 'zh-hant': 'zh-tw' },
  hcaptcha: { zh: 'zh-CN', 'zh-hant': 'zh-TW' },
  recaptcha: { zh: 'zh-CN', 'zh-hant': 'zh-TW' },
  geetest: {
    zh: 'zho',
    'zh-hant': 'zho-tw',
    en: 'eng',
    ja: 'jpn',
    ko: 'kor',
    es: 'spa',
    fr: 'fra',
    de: 'deu',
    ru: 'rus',
  },
};

const patienceSeconds = 10;

export function externalChallenge(account: CaptchaAccountDocument, language: string): ExternalChallenge {
  const { vendor, site_key: key, script_url: script, api_host: api, score_min: least } = account;
  const lang = languages[vendor][language] ?? language;
  const score = least !== undefined;
  return {
    vendor,
    name: vendorNames[vendor],
    key,
    src: `${script}${queryOf(vendor, key, lang, score)}`,
    lang,
    action: captchaAction,
    score,
    api: api ?? '',
    wait: patienceSeconds,
  };
}

function queryOf(vendor: Vendor, key: string, lang: string, isScore: boolean): string {
  if (vendor === 'geetest') return '';
  const query = `?onload=bwReady&render=${isScore ? key : 'explicit'}`;
  if (vendor === 'turnstile') return query;
  // Else it would take the name of Google's for itself.
  return vendor === 'hcaptcha' ? `${query}&recaptchacompat=off&hl=${lang}` : `${query}&hl=${lang}`;
}

/** The policy of the page: what of others it may load and ask, and nothing else. Vendors set styles of their own. */
export function pagePolicy(nonce: string, account: CaptchaAccountDocument | undefined): string {
  const own = "form-action 'self'; base-uri 'none'; frame-ancestors 'self'";
  if (account === undefined)
    return (
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; worker-src blob:; ` +
      `connect-src 'self'; img-src data:; ${own}`
    );
  const sources = account.sources.join(' ');
  return (
    `default-src 'none'; script-src 'nonce-${nonce}' ${sources}; style-src 'unsafe-inline' ${sources}; worker-src blob:; ` +
    `connect-src 'self' ${sources}; img-src data: ${sources}; font-src ${sources}; media-src ${sources}; frame-src ${sources}; ${own}`
  );
}
