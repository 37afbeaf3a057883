export const backendHealthCheckIssues = {
  path_ascii: {
    zh: '路径不能包含空格、控制字符或 #，非 ASCII 字符请用百分号编码',
    en: 'The path cannot contain spaces, control characters or #; percent-encode non-ASCII characters',
  },
  status_range: {
    zh: '请输入状态码或范围，例如 200 或 200-399',
    en: 'Enter a status code or a range, such as 200 or 200-399',
  },
  ascii_printable: { zh: '只能使用可见的 ASCII 字符', en: 'Use printable ASCII characters only' },
  timeout_over_interval: {
    zh: '超时不能大于检查间隔',
    en: 'The timeout cannot be longer than the interval',
  },
  head_no_body: {
    zh: 'HEAD 请求没有响应体，请改用 GET',
    en: 'Responses to HEAD have no body. Use GET instead',
  },
} as const;
