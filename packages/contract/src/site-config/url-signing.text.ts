export const urlSigningIssues = {
  signing_secret: {
    zh: '密钥为 6 至 128 个可见的 ASCII 字符',
    en: 'A key has 6 to 128 visible ASCII characters',
  },
  signing_argument: {
    zh: '参数名只能包含字母、数字、下划线和连字符',
    en: 'An argument has letters, digits, underscores and hyphens',
  },
} as const;
