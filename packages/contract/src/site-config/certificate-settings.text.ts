export const certificateSettingsIssues = {
  hsts_preload: {
    zh: '预加载要求包含子域名，且有效期至少一年',
    en: 'Preloading asks for subdomains to be included and for a year at least',
  },
  tls_versions_reversed: { zh: '最高版本低于最低版本', en: 'The highest version is below the lowest' },
  tls_version_needs_old: {
    zh: 'TLS 1.2 以下的版本只能与“旧设备”加密套件一起使用',
    en: 'TLS before 1.2 works with the old ciphers only',
  },
} as const;
