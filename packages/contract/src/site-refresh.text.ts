export const siteRefreshIssues = {
  refresh_host: {
    zh: '没有可管理的站点使用此域名',
    en: 'No site that you can manage uses this domain',
  },
  refresh_folder: {
    zh: '目录不能包含 ? 或 #',
    en: 'A folder cannot contain ? or #',
  },
  cache_tag: {
    zh: '标签只能使用可见的 ASCII 字符，不能包含逗号和空格',
    en: 'A tag consists of visible ASCII characters, without commas and spaces',
  },
  refresh_quota: {
    zh: '超出套餐 24 小时内的配额，剩余 {line}',
    en: 'More than the plan allows in 24 hours; {line} left',
  },
  refresh_sites: {
    zh: '一次最多刷新 {line} 个站点',
    en: 'At most {line} sites can be refreshed at once',
  },
} as const;
