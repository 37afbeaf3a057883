export const certificateSettingsIssues = {
  hsts_preload: {
    zh: '预加载要求包含子域名，且有效期至少一年',
    en: 'Preload requires subdomains to be included and a max-age of at least one year',
  },
  tls_versions_reversed: {
    zh: '最高版本不能低于最低版本',
    en: 'The maximum version cannot be below the minimum version',
  },
  tls_version_needs_old: {
    zh: 'TLS 1.2 以下的版本只能与“兼容（旧客户端）”加密套件一起使用',
    en: 'Versions below TLS 1.2 require the cipher suites “Compatible (older clients)”',
  },
} as const;
