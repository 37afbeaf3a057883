export const originServerConfigIssues = {
  origin_private: {
    zh: '不允许使用内网、本机或保留地址作为源站；运营方可通过 PRIVATE_ORIGINS 放开',
    en: 'Private, local and reserved addresses are not allowed as origins. The operator can allow them with PRIVATE_ORIGINS',
  },
  origin_cyclic: {
    zh: '源站指向本平台自身，会造成回环',
    en: 'This origin points back to the platform itself and would cause a loop',
  },
} as const;
