export const usedSystemRuleIssues = {
  exception_path: {
    zh: '请填写以 / 开头的路径，末尾的 * 匹配其后的任意内容，例如 /editor/*',
    en: 'Enter a path that starts with /. A * at the end matches anything after it, such as /editor/*',
  },
  exception_of_everything: {
    zh: '请至少填写路径、参数或规则中的一项',
    en: 'Enter at least a path, a parameter or a rule',
  },
} as const;
