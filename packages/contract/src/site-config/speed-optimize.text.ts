export const speedOptimizeIssues = {
  content_type: { zh: '请输入媒体类型，例如 text/html', en: 'Enter a media type, such as text/html' },
  preload_address: {
    zh: '请输入以 / 或 https:// 开头的地址，不含空格、引号和逗号',
    en: 'Enter a path or URL that starts with / or https://, without spaces, quotes or commas',
  },
} as const;
