import { defineText } from '../i18n/text.ts';

/** What MUI's parts say by themselves, to screen readers and in titles: theirs would be English in any language. */
export const partText = defineText({
  zh: {
    autocomplete: {
      openText: '打开',
      closeText: '收起',
      clearText: '清除',
      loadingText: '加载中…',
      noOptionsText: '没有可选项',
    },
    alert: { closeText: '关闭' },
  },
  en: {
    autocomplete: {
      openText: 'Open',
      closeText: 'Close',
      clearText: 'Clear',
      loadingText: 'Loading…',
      noOptionsText: 'No options',
    },
    alert: { closeText: 'Close' },
  },
});
