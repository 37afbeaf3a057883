import type { GuardAction, GuardCount, GuardKeyPart } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

export interface LimitWords {
  seconds: string;
  requests: number;
  what: string;
  action: string;
  hold: string;
}

/** What a rule of CC guard does, in words. */
export const guardRuleText = defineText({
  zh: {
    counts: { requests: '全部请求', origin: '仅回源请求', answers: '按响应' } satisfies Record<
      GuardCount,
      string
    >,
    parts: {
      address: '访客 IP',
      network: '网段（/24，IPv6 /48）',
      header: '请求头',
      cookie: 'Cookie',
      argument: '查询参数',
      ja4: 'TLS 指纹（JA4）',
    } satisfies Record<GuardKeyPart, string>,
    counted: (what: string, by: string) => `${what}，统计对象：${by}`,
    together: (what: string) => `${what}，合并统计`,
    actions: {
      observe: '仅记录',
      challenge: '浏览器验证',
      limit: '限速（429）',
      block: '拦截（403）',
      ban: '封禁 IP',
    } satisfies Record<GuardAction, string>,
    challengeOf: (action: string, kind: string) => `${action}（${kind}）`,
    summary: ({ seconds, requests, what, action, hold }: LimitWords) =>
      `${seconds}内超过 ${requests} 次（${what}）→ ${action}，${hold}`,
    only: '仅',
  },
  en: {
    counts: { requests: 'All requests', origin: 'Requests to the origin', answers: 'By response' },
    parts: {
      address: 'Client IP',
      network: 'Network (/24, IPv6 /48)',
      header: 'Header',
      cookie: 'Cookie',
      argument: 'Query parameter',
      ja4: 'TLS fingerprint (JA4)',
    },
    counted: (what: string, by: string) => `${what}, counted by ${by}`,
    together: (what: string) => `${what}, all visitors together`,
    actions: {
      observe: 'Log only',
      challenge: 'Browser challenge',
      limit: 'Rate limit (429)',
      block: 'Block (403)',
      ban: 'Block IP',
    },
    challengeOf: (action: string, kind: string) => `${action} (${kind})`,
    summary: ({ seconds, requests, what, action, hold }: LimitWords) =>
      `More than ${requests} in ${seconds} (${what}) → ${action}, ${hold}`,
    only: 'Only ',
  },
});
