export const siteSettingIssues = {
  dns_server: {
    zh: '请输入 IP 或 IP:端口，例如 192.0.2.53 或 [2001:db8::53]:53',
    en: 'Enter an IP or IP:port, such as 192.0.2.53 or [2001:db8::53]:53',
  },
} as const;
