export const certificateIssues = {
  certificate_count: {
    zh: '该套餐最多 {line} 张证书，请先删除不再使用的证书',
    en: 'This plan allows {line certificate|certificates}. Delete one that is no longer used',
  },
  certificate_invalid: {
    zh: '证书无法解析，请粘贴 PEM 格式',
    en: 'This certificate could not be parsed. Paste it in PEM format',
  },
  certificate_request_invalid: {
    zh: '证书请求无法解析，或其签名不正确，请使用 PKCS #10（PEM）与 P-256 密钥',
    en: 'This certificate request cannot be read, or its signature is wrong. Use PKCS #10 in PEM with a P-256 key',
  },
  authority_invalid: {
    zh: '请粘贴 PEM 格式的 CA 证书；网站证书不能签发客户端证书',
    en: 'Paste CA certificates in PEM format; a website certificate cannot issue client certificates',
  },
  certificate_expired: { zh: '证书已过期', en: 'This certificate has expired' },
  certificate_purpose: {
    zh: '该证书不能用于网站：缺少“服务器身份验证”用途',
    en: 'This certificate is not for websites: it lacks the purpose “server authentication”',
  },
  certificate_key_kind: {
    zh: '不支持该密钥类型，请使用 RSA 或 ECDSA（P-256、P-384、P-521）',
    en: 'This type of key is not supported. Use RSA or ECDSA (P-256, P-384, P-521)',
  },
  certificate_key_weak: {
    zh: 'RSA 密钥少于 2048 位，浏览器不接受。请使用更长的密钥重新申请证书',
    en: 'Browsers reject RSA keys below 2048 bits. Request a certificate with a longer key',
  },
  certificate_signature_weak: {
    zh: '证书链使用 MD5 或 SHA-1 签名，浏览器不接受。请重新申请证书',
    en: 'The chain is signed with MD5 or SHA-1, which browsers reject. Request a new certificate',
  },
  certificate_no_names: { zh: '证书中没有域名', en: 'This certificate contains no domain' },
  certificate_self_signed: {
    zh: '自签名证书，浏览器会提示不安全',
    en: 'Self-signed: browsers show a security warning',
  },
  certificate_chain_incomplete: {
    zh: '证书链不完整，或颁发机构不受浏览器信任。请补充中间证书',
    en: 'The chain is incomplete, or browsers do not trust its authority. Add the intermediate certificates',
  },
  certificate_early: { zh: '证书尚未生效', en: 'This certificate is not valid yet' },
  certificate_long: {
    zh: '有效期超过 398 天，浏览器不信任公共机构颁发的此类证书',
    en: 'Valid for more than 398 days: browsers do not trust such certificates of public authorities',
  },
  certificate_common_name: {
    zh: '域名只写在通用名称（CN）中，没有 SAN 扩展，浏览器不接受',
    en: 'The domain is in the common name only, without the SAN extension: browsers reject it',
  },
  certificate_without_key: {
    zh: '所选文件中没有该证书的私钥',
    en: 'The chosen files do not contain the private key of this certificate',
  },
  key_without_certificate: {
    zh: '所选文件中没有与该私钥匹配的证书',
    en: 'The chosen files do not contain a certificate for this private key',
  },
  certificate_file_empty: {
    zh: '文件中没有证书或私钥',
    en: 'This file contains neither a certificate nor a private key',
  },
  certificate_parts: {
    zh: '一次最多上传 {line} 张证书，请分次上传',
    en: 'Up to {line} certificates can be uploaded at once. Upload the others separately',
  },
  certificate_twice: { zh: '证书重复', en: 'This certificate is listed twice' },
  certificates_per_site: {
    zh: '一个站点最多使用 {line} 张证书，请先移除不再需要的证书',
    en: 'A site can use up to {line} certificates. Remove one that is no longer needed',
  },
  pfx_count: {
    zh: '一次最多上传 {line} 个 PFX 文件',
    en: 'Up to {line} PFX files can be uploaded at once',
  },
  pfx_invalid: { zh: '无法解析该 PFX 文件', en: 'This PFX file could not be read' },
  pfx_password: { zh: 'PFX 密码错误', en: 'The password of this PFX file is incorrect' },
  private_key_encrypted: {
    zh: '私钥已加密。请先执行 openssl pkey -in key.pem -out plain.pem 去除密码，再粘贴 plain.pem 的内容',
    en: 'This private key is encrypted. Remove the passphrase with “openssl pkey -in key.pem -out plain.pem”, then paste plain.pem',
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
