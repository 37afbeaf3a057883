export const urlSigningIssues = {
  signing_secret: {
    zh: '密钥为 6 至 128 个可见的 ASCII 字符',
    en: 'The key must have 6 to 128 printable ASCII characters',
  },
  signing_argument: {
    zh: '参数名只能包含字母、数字、下划线和连字符',
    en: 'A parameter name can contain only letters, digits, underscores and hyphens',
  },
} as const;
