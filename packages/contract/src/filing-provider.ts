import * as z from 'zod';
import { inputText } from './common.ts';
import { describeProvider, type ProviderDescription } from './provider.ts';
import { secretField } from './secret.ts';

/** Who tells of filing numbers. `manual`: nobody; operators confirm them. */
const manual = describeProvider({
  family: 'filing',
  code: 'manual',
  title: { zh: '管理员人工核验', en: 'Administrators' },
  params: z.strictObject({}),
  fields: {},
  target: [],
  capabilities: [],
});

const customHttp = describeProvider({
  family: 'filing',
  code: 'custom_http',
  title: { zh: '自定义 HTTP 接口', en: 'Custom HTTP API' },
  params: z.strictObject({
    url: inputText().max(500),
    ...secretField('secret', inputText().min(16).max(500)),
  }),
  fields: {
    url: {
      label: { zh: '接口地址', en: 'Endpoint URL' },
      hint: { zh: '所有请求均以 POST 发送到该地址', en: 'Every request is a POST to this URL' },
      placeholder: 'https://filing.example.com/breakwater',
    },
    secret: {
      label: { zh: '签名密钥', en: 'Signing secret' },
      hint: {
        zh: '至少 16 个字符，用于 HMAC-SHA256 签名',
        en: 'At least 16 characters, used for the HMAC-SHA256 signature',
      },
    },
  },
  target: ['url'],
  capabilities: ['find'],
});

export const filingProviders = { manual, custom_http: customHttp } as const satisfies Record<
  string,
  ProviderDescription
>;
export type FilingProviderCode = keyof typeof filingProviders;
export const filingProviderCodes = Object.keys(filingProviders) as [
  FilingProviderCode,
  ...FilingProviderCode[],
];
