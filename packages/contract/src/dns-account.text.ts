export const dnsAccountIssues = {
  dns_name: { zh: '请输入有效的域名', en: 'Enter a valid domain name' },
  dns_host: {
    zh: '请输入主机名或 IP 地址，可带端口，例如 ns1.example.com:53',
    en: 'Enter a hostname or IP address, optionally with a port, such as ns1.example.com:53',
  },
  base64: { zh: '请输入 Base64 格式的密钥', en: 'Enter a Base64-encoded key' },
  secret_again: {
    zh: '服务器已更改，请重新输入密钥',
    en: 'The server was changed. Enter the secret again',
  },
  provider_refused: {
    zh: '服务商拒绝了该密钥或请求',
    en: 'The provider rejected the key or the request',
  },
  provider_unreachable: { zh: '无法连接到服务商', en: 'The provider cannot be reached' },
  provider_late: { zh: '服务商响应超时', en: 'The provider did not respond in time' },
  provider_answer: { zh: '服务商的响应无法解析', en: 'The response of the provider could not be parsed' },
  provider_private: {
    zh: '该地址指向内网或本机，不允许访问',
    en: 'Private and local addresses are not allowed',
  },
  provider_status: { zh: '服务商返回状态码 {line}', en: 'The provider returned status {line}' },
  dns_zone_unknown: { zh: '该账号下没有此区域', en: 'The account has no such zone' },
} as const;
