import { defineText } from '../../../../i18n/text.ts';

/** Texts of the ports of a site. */
export const sitePortsText = defineText({
  zh: {
    title: '额外端口',
    hint: '除节点自身的端口外，本站点还监听这些端口；其他站点在这些端口上返回 421。',
    http: 'HTTP 端口',
    httpHint: '每行一个，例如 8080。',
    https: 'HTTPS 端口',
    httpsHint: '每行一个，例如 8443；使用本站点的证书。',
    reload: (nodes: number) =>
      `保存后 ${nodes} 个节点将重新加载 nginx 以打开或关闭端口。进行中的请求不受影响，缓存与统计保留。节点开始监听后才显示为已生效。`,
    may: '可用端口',
    mayHint: '由平台设置与套餐决定。',
    range: '允许的端口（禁用的除外）',
    denied: (ports: string) => `禁用的端口：${ports}`,
    max: '端口数上限',
    unlimited: '不限',
    nodeHttp: '节点 HTTP 端口',
    nodeHttps: '节点 HTTPS 端口',
    ipv6: 'IPv6',
    http3: 'HTTP/3',
    ofNodes: (some: number, all: number) => `${some} / ${all} 个节点`,
    ipv6Hint: 'IPv6 与 HTTP/3 由节点决定，节点支持时对全部站点启用，不能按站点开关。',
    none: '无',
  },
  en: {
    title: 'Extra ports',
    hint: 'This site listens on these ports in addition to those of the nodes. Other sites return 421 on them.',
    http: 'HTTP ports',
    httpHint: 'One per line, such as 8080.',
    https: 'HTTPS ports',
    httpsHint: 'One per line, such as 8443. Uses the certificates of this site.',
    reload: (nodes: number) =>
      `Saving reloads nginx on ${nodes} ${nodes === 1 ? 'node' : 'nodes'} to open or close ports. Requests in progress are not interrupted; cache and statistics are kept. The change is live once the nodes listen on the ports.`,
    may: 'Available ports',
    mayHint: 'Determined by the platform settings and the plan.',
    range: 'Allowed ports, except those blocked',
    denied: (ports: string) => `Blocked ports: ${ports}`,
    max: 'Maximum number of ports',
    unlimited: 'Unlimited',
    nodeHttp: 'Node HTTP ports',
    nodeHttps: 'Node HTTPS ports',
    ipv6: 'IPv6',
    http3: 'HTTP/3',
    ofNodes: (some: number, all: number) => `${some} of ${all} ${all === 1 ? 'node' : 'nodes'}`,
    ipv6Hint:
      'IPv6 and HTTP/3 depend on the node: where supported, they are enabled for all sites and cannot be switched per site.',
    none: 'None',
  },
});
