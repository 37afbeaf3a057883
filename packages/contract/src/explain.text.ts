export const explainIssues = {
  explain_url: {
    zh: '请填写完整网址，例如 https://www.example.com/a?b=1；中文与空格请用百分号编码',
    en: 'Enter a full URL, such as https://www.example.com/a?b=1; percent-encode spaces and non-ASCII characters',
  },
} as const;
