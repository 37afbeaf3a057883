export const httpFilterIssues = {
  filter_pattern: {
    zh: '规则由 2 至 5 段文字组成，段间用“*”分隔，例如“代开*发票”',
    en: 'A pattern has 2 to 5 parts with “*” between them, such as “buy*pills”',
  },
  filter_hash: { zh: '请输入 64 位十六进制的 SHA-256', en: 'Enter a SHA-256 of 64 hexadecimal digits' },
  filter_words: { zh: '所有分类最多 100000 个监控词', en: 'All categories together can have 100,000 words' },
  violation_closed: { zh: '此记录已无需申诉', en: 'There is nothing left to appeal against' },
} as const;
