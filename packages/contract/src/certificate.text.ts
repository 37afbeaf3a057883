export const certificateIssues = {
  certificate_count: {
    zh: '该套餐最多 {line} 张证书，请先删除不再使用的证书',
    en: 'This plan allows {line} certificates. Delete one that is no longer used',
  },
  certificate_invalid: {
    zh: '证书无法解析，请粘贴 PEM 格式',
    en: 'This certificate could not be parsed. Paste it in PEM format',
  },
  authority_invalid: {
    zh: '请粘贴 PEM 格式的 CA 证书；网站证书不能签发客户端证书',
    en: 'Paste CA certificates in PEM format; a website certificate cannot issue client certificates',
  },
  private_key_invalid: {
    zh: '私钥无法解析，请粘贴 PEM 格式',
    en: 'This private key could not be parsed. Paste it in PEM format',
  },
  certificate_uncovers: {
    zh: '新证书不再覆盖站点正在使用的以下域名：',
    en: 'The new certificate no longer covers these domains that sites serve: ',
  },
  private_key_mismatch: { zh: '私钥与证书不匹配', en: 'The private key does not match the certificate' },
} as const;
