export const basicAuthIssues = {
  basic_auth_password: {
    zh: '密码为 8 至 128 个字符，不含控制字符',
    en: 'A password has 8 to 128 characters',
  },
  basic_auth_name: {
    zh: '用户名为 1 至 100 个字符，不含冒号和控制字符',
    en: 'A name has 1 to 100 characters and no colon',
  },
  basic_auth_twice: { zh: '用户名重复', en: 'This name is there already' },
  basic_auth_realm: {
    zh: '只能使用可见的英文字符，不含引号和反斜杠',
    en: 'Printable ASCII characters, no quotes and no backslash',
  },
} as const;
