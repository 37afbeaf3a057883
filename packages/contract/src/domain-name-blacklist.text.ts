export const domainNameBlacklistIssues = {
  domain_blacklisted: {
    zh: '该域名在域名黑名单中，不能添加',
    en: 'This domain is on the domain blacklist and cannot be added',
  },
  blacklist_pattern: {
    zh: '通配规则由小写字母、数字、“-”、“.”和 1 至 4 个“*”组成，至少含 2 个字母或数字；中文域名请用 punycode 形式',
    en: 'A pattern consists of letters, digits, “-”, “.” and 1 to 4 “*”, with at least 2 letters or digits; use punycode for international names',
  },
} as const;
