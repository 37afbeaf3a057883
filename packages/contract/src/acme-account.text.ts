export const acmeAccountIssues = {
  https_url: {
    zh: '请输入以 https:// 开头的地址',
    en: 'Enter an address that starts with https://',
  },
  base64url: { zh: '请输入 Base64URL 格式的密钥', en: 'Enter a Base64URL-encoded key' },
  terms_needed: {
    zh: '需要同意证书颁发机构的服务条款',
    en: 'Agree to the terms of service of the certificate authority',
  },
  acme_refused: {
    zh: '证书颁发机构拒绝了请求',
    en: 'The certificate authority rejected the request',
  },
  acme_rate_limited: {
    zh: '已达到证书颁发机构的频率限制',
    en: 'The rate limit of the certificate authority has been reached',
  },
  acme_directory: { zh: '该地址不是 ACME 目录', en: 'There is no ACME directory at this address' },
  acme_eab_required: {
    zh: '该证书颁发机构要求填写 EAB 密钥 ID 和 HMAC 密钥',
    en: 'This certificate authority requires an EAB key ID and HMAC key',
  },
  acme_no_revocation: {
    zh: '该证书颁发机构不支持吊销',
    en: 'This certificate authority does not support revocation',
  },
} as const;
