export const corsIssues = {
  cors_origin: {
    zh: '请输入来源，例如 https://a.example，可带端口；https://*.a.example 表示全部子域名；* 表示任意来源',
    en: 'Enter an origin such as https://a.example, optionally with a port; https://*.a.example for all subdomains; or * for any origin',
  },
  cors_any_credentials: {
    zh: '允许携带凭据时不能使用 *',
    en: 'The origin * cannot be used when credentials are allowed',
  },
} as const;
