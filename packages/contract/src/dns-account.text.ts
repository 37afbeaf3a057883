export const dnsAccountIssues = {
  dns_name: { zh: '请输入有效的域名', en: 'Enter a valid domain name' },
  dns_host: {
    zh: '请输入主机名或 IP 地址，可带端口，例如 ns1.example.com:53',
    en: 'Enter a host name or an IP address, with a port or without, such as ns1.example.com:53',
  },
  base64: { zh: '请输入 Base64 格式的密钥', en: 'Enter a key in base64' },
  secret_again: {
    zh: '服务器已更改，请重新输入密钥',
    en: 'Another server was named: enter the secret again',
  },
  provider_refused: {
    zh: '服务商拒绝了该密钥或请求',
    en: 'The provider refused the key or the request',
  },
  provider_unreachable: { zh: '无法连接到服务商', en: 'The provider cannot be reached' },
  provider_late: { zh: '服务商没有及时响应', en: 'The provider did not answer in time' },
  provider_answer: { zh: '服务商的响应无法解析', en: 'What the provider answers cannot be read' },
  provider_private: {
    zh: '该地址指向内网或本机，不会访问',
    en: 'The address is private, so it is not asked',
  },
  provider_status: { zh: '服务商返回状态 {line}', en: 'The provider answered {line}' },
  dns_zone_unknown: { zh: '该账号下没有此区域', en: 'The account has no such zone' },
} as const;
