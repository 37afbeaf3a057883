export const clientIssues = {
  email_taken: { zh: '该邮箱已被使用', en: 'This e-mail is taken' },
} as const;
