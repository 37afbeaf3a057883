export const explainIssues = {
  explain_url: {
    zh: '请填写完整网址，例如 https://www.example.com/a?b=1；中文与空格请用百分号编码',
    en: 'Give a full address, such as https://www.example.com/a?b=1; write other characters percent-encoded',
  },
} as const;
