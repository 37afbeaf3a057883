/** Where the address of a visitor is said to be, as rules can name it. */

/** Of China, by ISO 3166-2 without its `CN-`. Hong Kong, Macao and Taiwan have countries of their own in ISO 3166-1 besides. */
export const provinces = [
  'AH',
  'BJ',
  'CQ',
  'FJ',
  'GD',
  'GS',
  'GX',
  'GZ',
  'HA',
  'HB',
  'HE',
  'HI',
  'HK',
  'HL',
  'HN',
  'JL',
  'JS',
  'JX',
  'LN',
  'MO',
  'NM',
  'NX',
  'QH',
  'SC',
  'SD',
  'SH',
  'SN',
  'SX',
  'TJ',
  'TW',
  'XJ',
  'XZ',
  'YN',
  'ZJ',
] as const;
export type Province = (typeof provinces)[number];

/** Those of China whose networks are known apart. */
export const carriers = [
  'telecom',
  'unicom',
  'mobile',
  'tietong',
  'cernet',
  'drpeng',
  'broadcast',
  'aliyun',
  'tencent',
] as const;
export type Carrier = (typeof carriers)[number];
