/** What vendors call lines, where they have no codes for them. */

export const dnslaLines = {
  default: '默认',
  telecom: '电信',
  unicom: '联通',
  mobile: '移动',
  edu: '教育网',
} as const;

export const dnspodDefaultLine = '默认';
