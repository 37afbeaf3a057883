export const listenPortIssues = {
  port_twice: { zh: '端口重复', en: 'This port is listed twice' },
  port_not_allowed: { zh: '不允许使用该端口', en: 'This port may not be used' },
  port_scheme_taken: {
    zh: '同一线路组中其他站点已将该端口用于另一种协议',
    en: 'Other sites of this line group use this port for the other protocol',
  },
} as const;
