export const sitePrefetchIssues = {
  language_field: {
    zh: '请填写 Accept-Language 的值，例如 zh-CN',
    en: 'Enter a value of Accept-Language, such as en-US',
  },
  prefetch_requests: {
    zh: 'URL 数 × 变体数 × 节点数不能超过 {line}',
    en: 'URLs × variants × nodes cannot be more than {line}',
  },
  prefetch_no_nodes: {
    zh: '此站点没有节点',
    en: 'This site has no nodes',
  },
} as const;
