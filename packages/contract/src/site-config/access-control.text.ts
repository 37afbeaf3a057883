export const accessControlIssues = {
  access_path: {
    zh: '路径以 / 或 * 开头，不含空格、? 和 #',
    en: 'A path starts with / or *, and has no spaces, ? or #',
  },
  access_rule_empty: {
    zh: '至少填写一个条件；要拒绝其他所有访问，请使用“其他访客”',
    en: 'Say at least one thing that the rule is about; to refuse all others, use the setting for them',
  },
} as const;
