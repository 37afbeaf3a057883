import { defineText } from '../i18n/text.ts';

export const clientText = defineText({
  zh: {
    timeout: '请求超时：服务器 30 秒内没有响应。操作可能仍在进行，重试前请先刷新页面。',
    otherAccount: '已在其他标签页登录另一个账号，本页面不再读取或提交数据。',
    lost: '连接异常：无法连接服务器。请检查网络后重试。',
  },
  en: {
    timeout:
      'Timeout: no response from the server within 30 seconds. The operation may still be running: reload the page before you try again.',
    otherAccount:
      'You signed in with another account in another tab. This page no longer loads or saves data.',
    lost: 'Connection exception: cannot reach the server. Check your network and try again.',
  },
});
