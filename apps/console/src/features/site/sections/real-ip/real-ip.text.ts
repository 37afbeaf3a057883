import type { RealIp } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

type Labels<Key extends string> = Record<Key, string>;

export const siteRealIpText = defineText({
  zh: {
    title: '访客真实 IP',
    hint: '节点前面有负载均衡或其他 CDN 时，从哪里获取访客 IP。访问限制、访问日志和回源的 X-Real-IP 都使用此 IP。',
    mode: '获取方式',
    modes: {
      socket: '连接 IP',
      header: '请求头',
      xff: 'X-Forwarded-For 中的位置',
      cdn: '已知的 CDN',
      proxy_protocol: 'PROXY 协议',
    } satisfies Labels<RealIp['mode']>,
    modeHints: {
      socket: '访客直接连接节点',
      header: '按顺序读取，第一个包含 IP 的请求头生效',
      xff: '适用于代理层数固定的情况',
      cdn: '已内置其公布的网段和请求头',
      proxy_protocol: '节点需要开放支持 PROXY 协议的端口，参见文档',
    } satisfies Labels<RealIp['mode']>,
    preset: 'CDN',
    presetHint: '来自其公布网段的连接视为可信',
    presetListHint: '未内置其网段，须在下方选择其地址列表',
    presets: {
      cloudflare: 'Cloudflare',
      fastly: 'Fastly',
      cloudfront: 'Amazon CloudFront',
      gcore: 'Gcore',
      bunny: 'bunny.net',
      keycdn: 'KeyCDN',
    } satisfies Labels<RealIp['preset']>,
    depth: '位置',
    depthHint: '从末尾起计数，1 为最后一个',
    headers: '请求头',
    headersHint: '例如 X-Real-IP、True-Client-IP；按回车添加',
    trusted: '可信代理',
    trustedHint: '仅信任来自这些地址的请求头，每行一个 IP 或网段',
    trustedCdnHint: '除其公布的网段外额外信任的地址，每行一个，可留空',
    addressLists: '可信地址列表',
    addressListsHint: '同样信任这些列表中的地址，可留空',
    addressListsCdnHint: (urls: readonly string[]) =>
      `选择后替代内置网段。以 ${urls.join('、')} 为来源新建地址列表，即可自动更新`,
    nobodyTrusted: '未填写可信代理时使用连接 IP，访客无法伪造。',
    passTitle: '透传请求头',
    passIntro:
      'True-Client-IP、X-HTTP-Method-Override 等请求头会让源站改用其中的访客身份、路径、主机或方法，而任何访客都能伪造，因此节点默认将其删除。此处列出的请求头会原样转发给源站。',
    passHeaders: '透传的请求头',
    passHeadersHint:
      '最多 20 个，按回车添加。带有这些请求头的请求不使用缓存，除非缓存规则将该请求头计入缓存键。访问规则仍按实际的路径和方法判断，源站须自行校验其内容。',
    test: '测试访客 IP',
    testHint:
      '打开链接后，请求会像访客一样经过节点前面的负载均衡或 CDN。页面显示连接 IP、收到的相关请求头，以及访客 IP 的判断过程。',
    testOpen: (domain: string) => `在 ${domain} 上打开`,
    testUntil: '链接仅对本站点有效，有效期至',
    testSaved: '页面使用节点上已生效的配置，不含未保存的修改。',
  },
  en: {
    title: 'Real client IP',
    hint: 'Where to read the client IP when a load balancer or another CDN is in front of the nodes. Limits, access logs and the X-Real-IP header sent to the origin use it.',
    mode: 'Source',
    modes: {
      socket: 'Connection IP',
      header: 'Request headers',
      xff: 'Position in X-Forwarded-For',
      cdn: 'Known CDN',
      proxy_protocol: 'PROXY protocol',
    },
    modeHints: {
      socket: 'Visitors connect to the nodes directly',
      header: 'Checked in order; the first header that contains an IP address is used',
      xff: 'For a fixed number of proxies',
      cdn: 'Its published IP ranges and header are built in',
      proxy_protocol: 'Nodes need a port that accepts it; see the documentation',
    },
    preset: 'CDN',
    presetHint: 'Connections from its published IP ranges are trusted',
    presetListHint: 'Its ranges are not built in; select its address list below',
    presets: {
      cloudflare: 'Cloudflare',
      fastly: 'Fastly',
      cloudfront: 'Amazon CloudFront',
      gcore: 'Gcore',
      bunny: 'bunny.net',
      keycdn: 'KeyCDN',
    },
    depth: 'Position',
    depthHint: 'Counted from the end; 1 is the last',
    headers: 'Headers',
    headersHint: 'Such as X-Real-IP, True-Client-IP; press Enter to add',
    trusted: 'Trusted proxies',
    trustedHint: 'Headers are only trusted from these; one IP address or CIDR per line',
    trustedCdnHint: 'Additional trusted addresses besides its published ranges, one per line. Optional.',
    addressLists: 'Trusted address lists',
    addressListsHint: 'Addresses in these lists are trusted as well. Optional.',
    addressListsCdnHint: (urls: readonly string[]) =>
      `Replaces the built-in ranges. Create an address list from ${urls.join(', ')} to keep it up to date.`,
    nobodyTrusted: 'Without trusted proxies the connection IP is used, which visitors cannot forge.',
    passTitle: 'Header pass-through',
    passIntro:
      'Headers such as True-Client-IP or X-HTTP-Method-Override can make an origin use a different client identity, path, host or method. Any visitor can forge them, so nodes remove them by default. Headers listed here are forwarded to the origin unchanged.',
    passHeaders: 'Headers to pass through',
    passHeadersHint:
      'Up to 20; press Enter to add. Requests with one of these headers bypass the cache unless the cache rule includes the header in the cache key. Access rules still use the actual path and method; your origin must validate the header.',
    test: 'Test client IP',
    testHint:
      'Open a link: your request takes the same path as a visitor’s, through the load balancer or CDN in front of the nodes. The page shows the connection IP, the relevant headers received and how the client IP was determined.',
    testOpen: (domain: string) => `Open on ${domain}`,
    testUntil: 'Links are valid for this site only, until',
    testSaved: 'The page uses the configuration live on the nodes, not unsaved changes.',
  },
});
