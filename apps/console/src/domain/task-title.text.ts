import type { IpDataPart } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** What tasks are about that have no name of their own. */
export const taskTitleText = defineText({
  zh: {
    global: '全部站点',
    parts: { country: '国家或地区', region: '省份与运营商（中国）', asn: 'ASN' } satisfies Record<
      IpDataPart,
      string
    >,
  },
  en: {
    global: 'All sites',
    parts: { country: 'Countries and regions', region: 'Provinces and carriers (China)', asn: 'ASN' },
  },
});
