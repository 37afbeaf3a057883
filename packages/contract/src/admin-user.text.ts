export const adminUserIssues = {
  username_taken: { zh: '该用户名已被使用', en: 'This username is taken' },
  username_email: {
    zh: '用户名不能使用邮箱地址，邮箱用于客户登录',
    en: 'A username cannot be an email address: those are for customers to sign in',
  },
  permission_beyond: { zh: '包含您没有的权限', en: 'This includes permissions that you do not have' },
} as const;
