/** Why a file could not be fetched from its address. */
export const fetchIssues = {
  fetch_status: { zh: '服务器返回状态码 {line}', en: 'The server returned status {line}' },
  fetch_redirects: { zh: '重定向次数过多', en: 'Too many redirects' },
  fetch_private: {
    zh: '该地址指向内网或本机，不允许访问',
    en: 'Private and local addresses are not allowed',
  },
  fetch_late: { zh: '{line} 秒内没有响应', en: 'No response within {line second|seconds}' },
  fetch_slow: { zh: '文件下载超时', en: 'The download timed out' },
  fetch_size: { zh: '文件大于 {line} MB', en: 'The file is larger than {line} MB' },
  fetch_failed: { zh: '无法连接到该网址', en: 'The URL cannot be reached' },
} as const;
