export const basicAuthIssues = {
  basic_auth_password: {
    zh: '密码为 8 至 128 个字符，不含控制字符',
    en: 'The password must have 8 to 128 characters and no control characters',
  },
  basic_auth_name: {
    zh: '用户名为 1 至 100 个字符，不含冒号和控制字符',
    en: 'The username must have 1 to 100 characters, without colons and control characters',
  },
  basic_auth_twice: { zh: '用户名重复', en: 'This username is listed twice' },
  basic_auth_realm: {
    zh: '只能使用可见的 ASCII 字符，不含引号和反斜杠',
    en: 'Use printable ASCII characters only, without quotes and backslashes',
  },
} as const;
