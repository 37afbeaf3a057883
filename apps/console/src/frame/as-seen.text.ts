import { defineText } from '../i18n/text.ts';

export const asSeenText = defineText({
  zh: {
    notDone: '您的操作尚未执行，填写的内容仍然保留。以下是当前内容，请核对后再次提交。',
  },
  en: {
    notDone:
      'Your action has not been carried out, and what you entered is kept. This is how it is now: review it, then submit again.',
  },
});
