import { defineText } from '../../../../i18n/text.ts';

/** Texts of the ports of a site. */
export const sitePortsText = defineText({
  zh: {
    title: '额外端口',
    hint: '除节点自身的端口外，本站还在这些端口上响应；其他站点在这些端口上得到 421。',
    http: 'HTTP 端口',
    httpHint: '每行一个，例如 8080。',
    https: 'HTTPS 端口',
    httpsHint: '每行一个，例如 8443；使用本站的证书。',
    reload: (nodes: number) =>
      `保存后 ${nodes} 个节点将重新加载 nginx 以打开或关闭端口：进行中的请求会完成，缓存与统计不受影响。节点监听成功后才显示为已下发。`,
    may: '可用范围',
    mayHint: '由平台设置与所购产品决定。',
    range: '允许的端口',
    denied: '禁用的端口',
    max: '端口数上限',
    unlimited: '不限',
    nodeHttp: '节点 HTTP 端口',
    nodeHttps: '节点 HTTPS 端口',
    ipv6: 'IPv6',
    http3: 'HTTP/3',
    ofNodes: (some: number, all: number) => `${some} / ${all} 个节点`,
    ipv6Hint: 'IPv6 与 HTTP/3 取决于节点：有则对全部站点启用，不能按站点开关。',
    none: '无',
  },
  en: {
    title: 'Extra ports',
    hint: 'This site answers at these ports beside those of the nodes; other sites get 421 there.',
    http: 'HTTP ports',
    httpHint: 'One a line, such as 8080.',
    https: 'HTTPS ports',
    httpsHint: 'One a line, such as 8443. With the certificates of this site.',
    reload: (nodes: number) =>
      `Saving reloads nginx on ${nodes} ${nodes === 1 ? 'node' : 'nodes'} to open or close ports. Requests under way are finished; cache and counters stay. It counts as delivered when nginx listens.`,
    may: 'What may be used',
    mayHint: 'Set by the platform and the product.',
    range: 'Ports allowed',
    denied: 'Ports denied',
    max: 'Most ports',
    unlimited: 'Unlimited',
    nodeHttp: 'HTTP ports of the nodes',
    nodeHttps: 'HTTPS ports of the nodes',
    ipv6: 'IPv6',
    http3: 'HTTP/3',
    ofNodes: (some: number, all: number) => `${some} of ${all} ${all === 1 ? 'node' : 'nodes'}`,
    ipv6Hint:
      'IPv6 and HTTP/3 lie with the node: where it has them, every site has. They are no choice of a site.',
    none: 'None',
  },
});
