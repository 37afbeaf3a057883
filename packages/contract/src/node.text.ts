export const nodeIssues = {
  ip_taken: { zh: '该 IP 已属于其他节点', en: 'This IP belongs to another node' },
} as const;
