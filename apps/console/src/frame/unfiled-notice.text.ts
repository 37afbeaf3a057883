import { defineText } from '../i18n/text.ts';

export const unfiledNoticeText = defineText({
  zh: {
    lacking: (n: number, some: string) =>
      `${n} 个域名没有已核验的备案号，将停止服务：${some}${n > namedMax ? ' 等' : ''}。`,
    none: '所有域名的备案号均已核验。',
  },
  en: {
    lacking: (n: number, some: string) =>
      n === 1
        ? `One domain has no confirmed filing number and will not be served: ${some}.`
        : `${n} domains have no confirmed filing number and will not be served: ${some}${n > namedMax ? ' and others' : ''}.`,
    none: 'The filing numbers of all domains are confirmed.',
  },
});

/** So many are named. */
export const namedMax = 5;
