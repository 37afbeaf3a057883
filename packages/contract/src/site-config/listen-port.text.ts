export const listenPortIssues = {
  port_twice: { zh: '端口重复', en: 'This port is listed twice' },
  port_not_allowed: { zh: '不允许使用该端口', en: 'This port is not allowed' },
  port_scheme_taken: {
    zh: '同一线路组中其他站点已将该端口用于另一种协议',
    en: 'Another site of this line group already uses this port for a different protocol',
  },
} as const;
