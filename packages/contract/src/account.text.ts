export const accountIssues = {
  password_wrong: { zh: '密码错误', en: 'This password is wrong' },
  one_time_code_wrong: {
    zh: '验证码错误或已失效',
    en: 'This code is wrong or no longer valid',
  },
  token_permission: {
    zh: '包含您没有的权限，或 API 令牌不能拥有的权限',
    en: 'This includes permissions that you do not hold, or that no API token can hold',
  },
  passkey_known: { zh: '该通行密钥已添加', en: 'This passkey was added before' },
  date_past: { zh: '请选择将来的时间', en: 'Choose a time in the future' },
} as const;
