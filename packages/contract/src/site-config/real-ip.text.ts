export const realIpIssues = {
  header_name: {
    zh: '请求头名称只能包含字母、数字和连字符，例如 X-Real-IP',
    en: 'A header name can contain only letters, digits and hyphens, such as X-Real-IP',
  },
  field_not_removed: {
    zh: '节点不会删除此请求头，无需在此填写',
    en: 'Nodes do not remove this header, so there is no need to list it',
  },
} as const;
