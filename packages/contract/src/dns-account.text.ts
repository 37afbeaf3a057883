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
  service_account: {
    zh: '请粘贴 Google 服务账号的 JSON 密钥文件内容',
    en: 'Paste the content of the JSON key file of a Google service account',
  },
  provider_key: {
    zh: '服务商不认可该密钥，请检查密钥是否正确、是否已停用',
    en: 'The provider does not accept the key. Check that it is correct and active',
  },
  provider_forbidden: {
    zh: '该密钥没有所需权限',
    en: 'The key does not have the required permission',
  },
  provider_limited: {
    zh: '请求过于频繁，服务商已限流，请稍后重试',
    en: 'Too many requests: the provider is rate limiting. Try again later',
  },
  provider_down: { zh: '服务商暂时不可用，请稍后重试', en: 'The provider is unavailable. Try again later' },
  provider_refused: { zh: '服务商拒绝了请求', en: 'The provider rejected the request' },
  provider_unreachable: { zh: '无法连接到服务商', en: 'The provider cannot be reached' },
  provider_late: { zh: '服务商响应超时', en: 'The provider did not respond in time' },
  provider_answer: { zh: '服务商的响应无法解析', en: 'The response of the provider could not be parsed' },
  provider_private: {
    zh: '该地址指向内网或本机，不允许访问',
    en: 'Private and local addresses are not allowed',
  },
  provider_status: { zh: '服务商返回状态码 {line}', en: 'The provider returned status {line}' },
  dns_record_exists: {
    zh: '服务商处已有相同或冲突的记录',
    en: 'The provider already has this record or a conflicting one',
  },
  dns_record_gone: { zh: '服务商处没有此记录', en: 'The provider has no such record' },
  dns_ttl: {
    zh: 'TTL 低于该域名套餐允许的最小值',
    en: 'The TTL is below the minimum of the plan at the provider',
  },
  dns_line_unknown: { zh: '服务商不支持此线路', en: 'The provider does not support this line' },
  dns_type_unknown: { zh: '服务商不支持此记录类型', en: 'The provider does not support this record type' },
  dns_zone_unknown: { zh: '该账号下没有此域名', en: 'The account has no such zone' },
} as const;
