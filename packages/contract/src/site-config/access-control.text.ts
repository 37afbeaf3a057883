export const accessControlIssues = {
  access_path: {
    zh: '路径须以 / 或 * 开头，不能包含空格、? 和 #',
    en: 'A path must start with / or * and cannot contain spaces, ? or #',
  },
  access_rule_empty: {
    zh: '至少填写一个条件；要拒绝其他所有访客，请设置默认动作',
    en: 'Set at least one condition. To block all other visitors, use the default action',
  },
} as const;
