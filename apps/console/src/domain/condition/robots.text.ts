import { defineText } from '../../i18n/text.ts';

/** Search engines whose robots can be proven. */
export const robotsText = defineText({
  zh: {
    names: {
      google: 'Google',
      bing: '必应（Bing）',
      baidu: '百度',
      sogou: '搜狗',
      yisou: '神马（Yisou）',
      bytespider: '头条（Bytespider）',
      petal: '华为花瓣（PetalBot）',
      yandex: 'Yandex',
      apple: 'Apple（Applebot）',
      yahoo: 'Yahoo（Slurp）',
      naver: 'Naver（Yeti）',
      seznam: 'Seznam',
    },
  },
  en: {
    names: {
      google: 'Google',
      bing: 'Bing',
      baidu: 'Baidu',
      sogou: 'Sogou',
      yisou: 'Shenma (Yisou)',
      bytespider: 'Toutiao (Bytespider)',
      petal: 'Petal (Huawei)',
      yandex: 'Yandex',
      apple: 'Apple (Applebot)',
      yahoo: 'Yahoo (Slurp)',
      naver: 'Naver (Yeti)',
      seznam: 'Seznam',
    },
  },
});
