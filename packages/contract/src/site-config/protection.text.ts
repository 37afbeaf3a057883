export const protectionIssues = {
  color: {
    zh: '请输入 # 加 6 位十六进制颜色，如 #1d6fd8',
    en: 'Enter a color as # and six hexadecimal digits, such as #1d6fd8',
  },
  protection_tag: {
    zh: '标签以字母或数字开头，只能包含字母、数字、_、.、: 和 -，最多 40 个字符',
    en: 'A tag starts with a letter or digit and contains only letters, digits, _, ., : and -, up to 40 characters',
  },
} as const;
