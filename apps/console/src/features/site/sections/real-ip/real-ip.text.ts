import type { RealIp } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

type Labels<Key extends string> = Record<Key, string>;

export const siteRealIpText = defineText({
  zh: {
    title: '访客真实地址',
    hint: '节点前面有负载均衡或其他 CDN 时，从哪里取得访客的地址。访问限制、访问日志和回源的 X-Real-IP 都使用它。',
    mode: '取自',
    modes: {
      socket: '连接本身',
      header: '请求头',
      xff: 'X-Forwarded-For 的位置',
      cdn: '已知的 CDN',
      proxy_protocol: 'PROXY 协议',
    } satisfies Labels<RealIp['mode']>,
    modeHints: {
      socket: '访客直接连接节点',
      header: '按顺序查看，第一个含有地址的请求头生效',
      xff: '代理层数固定时使用',
      cdn: '内置其公布的网段和请求头',
      proxy_protocol: '需要节点为此开放端口，参见文档',
    } satisfies Labels<RealIp['mode']>,
    preset: 'CDN',
    presetHint: '来自其公布网段的连接视为可信',
    presets: { cloudflare: 'Cloudflare', fastly: 'Fastly' } satisfies Labels<RealIp['preset']>,
    depth: '位置',
    depthHint: '从末尾数起，1 是最后一个',
    headers: '请求头',
    headersHint: '例如 X-Real-IP、True-Client-IP；按回车添加',
    trusted: '可信代理',
    trustedHint: '只相信来自这些地址的请求头，每行一个 IP 或网段',
    trustedCdnHint: '除其公布的网段外还信任的地址，每行一个，可留空',
    nobodyTrusted: '没有可信代理时，仍以连接的地址为准，任何人都无法伪造。',
    passTitle: '透传请求头',
    passIntro:
      '部分请求头会让源站改认访客的身份、路径、主机或方法，例如 True-Client-IP、X-HTTP-Method-Override。任何访客都能伪造它们，因此节点默认删除；此处列出的会按访客所发的内容转发给源站。',
    passHeaders: '透传的请求头',
    passHeadersHint:
      '最多 20 个，按回车添加。带有这些请求头的请求不使用缓存，除非缓存规则将该请求头计入缓存键；访问规则仍按实际的路径和方法判断，源站须自行核实其内容。',
    test: '节点看到的我是谁？',
    testHint:
      '打开链接，您的请求会像访客一样经过节点前面的负载均衡或 CDN。节点会显示连接的地址、收到的相关请求头，以及逐步判断出的访客地址。',
    testOpen: (domain: string) => `在 ${domain} 上打开`,
    testUntil: '链接仅对本网站有效，有效期至',
    testSaved: '页面按节点上已生效的设置判断；未保存的修改不算。',
  },
  en: {
    title: 'Visitor address',
    hint: 'Where the visitor’s address is taken from when a load balancer or another CDN stands before the nodes. Limits, the access log and the X-Real-IP sent to the origin use it.',
    mode: 'Taken from',
    modes: {
      socket: 'The connection',
      header: 'Request headers',
      xff: 'A place in X-Forwarded-For',
      cdn: 'A known CDN',
      proxy_protocol: 'The PROXY protocol',
    },
    modeHints: {
      socket: 'Visitors connect to the nodes directly',
      header: 'Looked at in order; the first that holds an address counts',
      xff: 'Where the number of proxies is fixed',
      cdn: 'Its published networks and its header are built in',
      proxy_protocol: 'Nodes need a port for it; see the documentation',
    },
    preset: 'CDN',
    presetHint: 'Connections from its published networks are trusted',
    presets: { cloudflare: 'Cloudflare', fastly: 'Fastly' },
    depth: 'Place',
    depthHint: 'Counted from the end; 1 is the last',
    headers: 'Headers',
    headersHint: 'Such as X-Real-IP, True-Client-IP; Enter adds one',
    trusted: 'Trusted proxies',
    trustedHint: 'Headers count only from these; one address or network a line',
    trustedCdnHint: 'Trusted besides its published networks; one a line, may stay empty',
    nobodyTrusted: 'With no trusted proxy the connection’s address counts, so nobody can forge one.',
    passTitle: 'Header pass-through',
    passIntro:
      'Some request headers make an origin take another identity, path, host or method for the visitor’s, such as True-Client-IP or X-HTTP-Method-Override. Any visitor can forge them, so nodes remove them; those listed here are sent to the origin as they came.',
    passHeaders: 'Headers passed through',
    passHeadersHint:
      'At most 20; Enter adds one. A request with one of them goes around the cache, unless its cache rule has the header in its key. Access rules still judge the real path and method; your origin has to check what the header says.',
    test: 'What does a node see of me?',
    testHint:
      'Open a link: your request goes the way of a visitor’s, through whatever stands before the nodes. The node shows the connection, the headers of concern as they came, and each step to the visitor’s address.',
    testOpen: (domain: string) => `Open on ${domain}`,
    testUntil: 'Links are good for this site only, until',
    testSaved: 'The page goes by the setting that nodes have; what is not saved does not count.',
  },
});
