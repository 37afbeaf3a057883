export const accountIssues = {
  password_wrong: { zh: '密码错误', en: 'Incorrect password' },
  one_time_code_wrong: {
    zh: '验证码错误或已失效',
    en: 'This code is incorrect or has expired',
  },
  token_permission: {
    zh: '包含您没有的权限，或 API 令牌不能拥有的权限',
    en: 'This includes permissions that you do not have, or that API tokens cannot have',
  },
  passkey_known: { zh: '该通行密钥已添加', en: 'This passkey has already been added' },
  date_past: { zh: '请选择将来的时间', en: 'Choose a time in the future' },
} as const;
