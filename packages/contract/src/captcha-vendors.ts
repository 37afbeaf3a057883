import * as z from 'zod';
import { inputText } from './common.ts';
import { describeProvider, type ProviderDescription } from './provider.ts';
import { secretField } from './secret.ts';

/** Challenges of others: services that tell people from programs. What each needs there is in `docs/captcha-accounts.md`. */

/** As vendors make them; so they need no care in a form or a page. */
const key = () =>
  inputText()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[\w.:=+/~-]*$/, { error: 'invalid' });

/** Scheme, host and port. It stands in the policy of pages, so nothing else may be in it. */
const url = inputText()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^(?:https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)?$/, { error: 'captcha_url' })
  .default('');

const keys = { site_key: key(), ...secretField('secret_key', key()), url };

const secretKey = { label: { zh: '私有密钥', en: 'Secret key' } };
const siteKeyHint = { zh: '公开，会出现在验证页面中', en: 'Public; it appears in the challenge page' };
const siteKey = { label: { zh: '站点密钥', en: 'Site key' }, hint: siteKeyHint };
const urlField = (placeholder: string) => ({
  label: { zh: '服务器地址', en: 'Server address' },
  hint: {
    zh: '留空则使用服务商的默认地址；访客和节点都必须能访问',
    en: 'Leave empty for the default address of the provider. Visitors and nodes must be able to reach it',
  },
  placeholder,
});

export const turnstile = describeProvider({
  family: 'captcha',
  code: 'turnstile',
  title: { zh: 'Cloudflare Turnstile', en: 'Cloudflare Turnstile' },
  params: z.strictObject(keys),
  fields: { site_key: siteKey, secret_key: secretKey, url: urlField('https://challenges.cloudflare.com') },
  target: ['url'],
  capabilities: [],
});

export const hcaptcha = describeProvider({
  family: 'captcha',
  code: 'hcaptcha',
  title: { zh: 'hCaptcha', en: 'hCaptcha' },
  params: z.strictObject(keys),
  fields: { site_key: siteKey, secret_key: secretKey, url: urlField('https://hcaptcha.example.com') },
  target: ['url'],
  capabilities: [],
});

export const recaptchaScores = ['0.1', '0.3', '0.5', '0.7', '0.9'] as const;

export const recaptcha = describeProvider({
  family: 'captcha',
  code: 'recaptcha',
  title: { zh: 'Google reCAPTCHA', en: 'Google reCAPTCHA' },
  params: z.strictObject({
    version: z.enum(['v2', 'v3']).default('v2'),
    ...keys,
    score_min: z.enum(recaptchaScores).default('0.5'),
  }),
  fields: {
    version: {
      label: { zh: '版本', en: 'Version' },
      hint: {
        zh: 'v2：复选框；v3：按评分，访客无需操作。密钥须属于所选版本',
        en: 'v2: checkbox. v3: by score, without interaction. The keys must be of this version',
      },
    },
    site_key: siteKey,
    secret_key: secretKey,
    url: urlField('https://www.recaptcha.net'),
    score_min: {
      label: { zh: '最低评分 (v3)', en: 'Minimum score (v3)' },
      hint: { zh: '1.0 最像真人；v2 不使用评分', en: '1.0 is most likely a person. Not used by v2' },
    },
  },
  target: ['url'],
  capabilities: [],
});

export const geetest = describeProvider({
  family: 'captcha',
  code: 'geetest',
  title: { zh: '极验 GeeTest v4', en: 'GeeTest v4' },
  params: z.strictObject(keys),
  fields: {
    site_key: { label: { zh: '验证 ID (captcha_id)', en: 'ID (captcha_id)' }, hint: siteKeyHint },
    secret_key: { label: { zh: '验证 Key (captcha_key)', en: 'Key (captcha_key)' } },
    url: urlField('https://captcha.example.com'),
  },
  target: ['url'],
  capabilities: [],
});

/** In the order in which they are offered. */
export const captchaProviders = { turnstile, hcaptcha, recaptcha, geetest } as const satisfies Record<
  string,
  ProviderDescription
>;
export type CaptchaProviderCode = keyof typeof captchaProviders;
export const captchaProviderCodes = Object.keys(captchaProviders) as [
  CaptchaProviderCode,
  ...CaptchaProviderCode[],
];
