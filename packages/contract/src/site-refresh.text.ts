export const siteRefreshIssues = {
  refresh_host: {
    zh: '没有可管理的站点使用此域名',
    en: 'No site that you can manage uses this domain',
  },
  refresh_folder: {
    zh: '目录不能包含 ? 或 #',
    en: 'A folder cannot contain ? or #',
  },
  refresh_sites: {
    zh: '一次最多刷新 {line} 个站点',
    en: 'At most {line} sites can be refreshed at once',
  },
} as const;
