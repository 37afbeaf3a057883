export const certificateIssues = {
  certificate_count: {
    zh: '套餐最多允许 {line} 张证书，请先删除不用的证书',
    en: 'The product allows {line} certificates. Delete one that is not used',
  },
  certificate_invalid: {
    zh: '证书无法解析，请粘贴 PEM 格式',
    en: 'This certificate cannot be read. Paste it as PEM',
  },
  authority_invalid: {
    zh: '请粘贴 PEM 格式的 CA 证书；普通网站证书不能签发客户端证书',
    en: 'Paste certificates of authorities as PEM; the certificate of a site cannot issue others',
  },
  private_key_invalid: {
    zh: '私钥无法解析，请粘贴 PEM 格式',
    en: 'This private key cannot be read. Paste it as PEM',
  },
  private_key_mismatch: { zh: '私钥与证书不匹配', en: 'This key does not belong to the certificate' },
} as const;
