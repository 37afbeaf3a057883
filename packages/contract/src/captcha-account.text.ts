export const captchaAccountIssues = {
  captcha_url: {
    zh: '请输入协议和主机名，可带端口，不含路径，例如 https://www.recaptcha.net',
    en: 'Enter scheme and hostname, optionally with a port and without a path, such as https://www.recaptcha.net',
  },
} as const;
