export const siteRejectIssues = {
  ban_network: {
    zh: '网段长度可以是 /16、/24，IPv6 可以是 /32、/48、/56、/64',
    en: 'Networks can be /16 or /24, and for IPv6 /32, /48, /56 or /64',
  },
  ban_kernel: {
    zh: '仅平台范围的封禁可以在内核中丢弃',
    en: 'Only blocks of the whole platform can drop packets in the kernel',
  },
  ban_platform: {
    zh: '仅全局规则和站点默认配置中的规则可以在全部站点封禁',
    en: 'Only global rules and rules of site defaults can block on all sites of the platform',
  },
  ban_own_address: {
    zh: '其中包含您当前使用的 IP，不能封禁',
    en: 'This includes the IP that you are using, which cannot be blocked',
  },
  ban_never: { zh: '在永不封禁名单中', en: 'On the list of IPs that are never blocked' },
  ban_private: {
    zh: '不是公网地址：封禁会影响代理后的所有访客',
    en: 'Not a public address: blocking it would block everyone behind a proxy',
  },
  ban_count: {
    zh: '最多同时封禁 {line} 个 IP',
    en: 'At most {line} IPs can be blocked at the same time',
  },
  ban_objection: { zh: '请输入网址或邮箱', en: 'Enter a URL or an email address' },
} as const;
