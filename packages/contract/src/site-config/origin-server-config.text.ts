export const originServerConfigIssues = {
  origin_private: {
    zh: '不允许使用内网、本机或保留地址作为源站；运营者可用 PRIVATE_ORIGINS 放开',
    en: 'Origins may not have private, local or reserved addresses. The operator can allow them (PRIVATE_ORIGINS)',
  },
  origin_cyclic: {
    zh: '源站指向了本平台自身，会造成回环',
    en: 'This origin points back at the platform itself and would loop',
  },
} as const;
