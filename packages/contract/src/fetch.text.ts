/** Why a file could not be fetched from its address. */
export const fetchIssues = {
  fetch_status: { zh: '服务器返回状态 {line}', en: 'The server answered {line}' },
  fetch_redirects: { zh: '重定向次数过多', en: 'There are too many redirects' },
  fetch_private: {
    zh: '该地址指向内网或本机，不会访问',
    en: 'The address is private, so it is not asked',
  },
  fetch_late: { zh: '{line} 秒内没有响应', en: 'There was no answer within {line} seconds' },
  fetch_slow: { zh: '文件未能及时下载完成', en: 'The file did not arrive in time' },
  fetch_size: { zh: '文件大于 {line} MB', en: 'The file is larger than {line} MB' },
  fetch_failed: { zh: '无法连接到该网址', en: 'The address cannot be reached' },
} as const;
