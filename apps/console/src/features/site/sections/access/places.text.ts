import { defineText } from '../../../../i18n/text.ts';

export const sitePlacesText = defineText({
  zh: {
    countries: '国家或地区',
    countriesHint: '按 ISO 3166-1；香港、澳门、台湾有单独的代码',
    provinces: '省份（中国）',
    provincesHint: '省份和运营商数据仅支持 IPv4',
    carriers: '运营商（中国）',
  },
  en: {
    countries: 'Countries and regions',
    countriesHint: 'ISO 3166-1; Hong Kong, Macao and Taiwan have separate codes',
    provinces: 'Provinces (China)',
    provincesHint: 'Province and carrier data is available for IPv4 only',
    carriers: 'Carriers (China)',
  },
});
