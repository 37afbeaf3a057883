export const corsIssues = {
  cors_origin: {
    zh: '请输入 https://a.example 形式的来源，可带端口；https://*.a.example 表示全部子域名；* 表示任何来源',
    en: 'Give an origin such as https://a.example, https://*.a.example for all hosts below, or * for any',
  },
  cors_any_credentials: {
    zh: '允许携带凭据时不能使用 *',
    en: 'With credentials there can be no *',
  },
} as const;
