export const adminUserIssues = {
  username_taken: { zh: '该用户名已被使用', en: 'This user name is taken' },
  username_email: {
    zh: '用户名不能是邮箱地址，邮箱用于客户登录',
    en: 'A user name is no e-mail address: those sign in customers',
  },
  permission_beyond: { zh: '包含您没有的权限', en: 'This includes permissions that you do not hold' },
} as const;
