import { defineText } from '../../../../i18n/text.ts';

export const sitePlacesText = defineText({
  zh: {
    countries: '国家或地区',
    countriesHint: '按 ISO 3166-1；香港、澳门、台湾有各自的代码',
    provinces: '省份（中国）',
    provincesHint: '仅 IPv4 有省份和运营商数据',
    carriers: '运营商（中国）',
  },
  en: {
    countries: 'Countries and regions',
    countriesHint: 'By ISO 3166-1; Hong Kong, Macao and Taiwan have codes of their own',
    provinces: 'Provinces of China',
    provincesHint: 'Provinces and carriers are known of IPv4 only',
    carriers: 'Carriers of China',
  },
});
