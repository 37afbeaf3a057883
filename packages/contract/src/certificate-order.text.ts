export const certificateOrderIssues = {
  wildcard_needs_dns: {
    zh: '泛域名只能通过 DNS 验证',
    en: 'Wildcard domains can only be validated by DNS',
  },
  certificate_name: {
    zh: '该域名不是此客户已验证的域名',
    en: 'This is not a verified domain of this customer',
  },
  certificate_name_unserved: {
    zh: '没有已验证的站点提供该域名，HTTP 验证无法完成',
    en: 'No verified site serves this domain, so HTTP validation cannot succeed',
  },
  no_acme_account: {
    zh: '平台没有可用的证书账号，请先添加',
    en: 'The platform has no certificate account. Add one first',
  },
} as const;
