export const clientIssues = {
  email_taken: { zh: '该邮箱已被使用', en: 'This email is taken' },
} as const;
