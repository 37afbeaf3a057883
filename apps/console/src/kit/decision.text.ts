import type { RefusingSection } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** What refused a request, as the `decision` of its record says it. */
export const decisionText = defineText({
  zh: {
    sections: {
      access_control: '访问控制',
      block_referer: '防盗链',
      signing: '签名链接',
      basic_auth: '密码访问',
      security: '访问限制',
    } satisfies Record<RefusingSection, string>,
    levels: { global: '全局', product: '产品', client: '客户' } as Record<string, string>,
    rule: (number: string) => `规则 ${number}`,
    reasons: {
      otherwise: '没有规则匹配',
      empty: '来源为空',
      denied: '来源被禁止',
      not_allowed: '来源不在允许之列',
      missing: '缺少凭据',
      bad: '凭据错误',
      expired: '已过期',
      tries: '尝试过多',
      too_many_requests: '请求过于频繁',
      too_many_connections: '连接过多',
      content_too_large: '内容过大',
      length_required: '没有内容长度',
      header_too_large: '请求头过大',
      url_too_long: 'URL 过长',
    } as Record<string, string>,
  },
  en: {
    sections: {
      access_control: 'Access rules',
      block_referer: 'Hotlink protection',
      signing: 'Signed links',
      basic_auth: 'Password',
      security: 'Limits',
    },
    levels: { global: 'global', product: 'product', client: 'customer' } as Record<string, string>,
    rule: (number: string) => `rule ${number}`,
    reasons: {
      otherwise: 'no rule fits',
      empty: 'no referer',
      denied: 'referer denied',
      not_allowed: 'referer not allowed',
      missing: 'missing',
      bad: 'wrong',
      expired: 'expired',
      tries: 'too many tries',
      too_many_requests: 'too many requests',
      too_many_connections: 'too many connections',
      content_too_large: 'content too large',
      length_required: 'no length of the content',
      header_too_large: 'header too large',
      url_too_long: 'URL too long',
    } as Record<string, string>,
  },
});
