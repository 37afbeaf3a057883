export const backendHealthCheckIssues = {
  path_ascii: {
    zh: '路径不能包含空格、控制字符或 #，其他字符请用百分号编码',
    en: 'No spaces, control characters or #; write other characters percent-encoded',
  },
  status_range: {
    zh: '请输入状态码或范围，例如 200 或 200-399',
    en: 'Enter a status code or a range, such as 200 or 200-399',
  },
  ascii_printable: { zh: '只能使用可见的英文字符', en: 'Printable ASCII characters only' },
  timeout_over_interval: {
    zh: '超时不能大于检查间隔',
    en: 'The timeout cannot be longer than the interval',
  },
  head_no_body: {
    zh: 'HEAD 请求没有响应内容，请改用 GET',
    en: 'An answer to HEAD has no body; use GET',
  },
} as const;
