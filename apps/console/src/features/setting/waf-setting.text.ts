import { defineText } from '../../i18n/text.ts';

export const wafSettingText = defineText({
  zh: {
    title: '封禁设置',
    subtitle: '封禁 IP 的方式，对所有站点生效。',
    durations: '时长',
    durationsHint: '安全规则封禁的 IP 在统计时段内每再犯一次，时长乘以倍数，直到上限。手动封禁的时长不变。',
    repeatFactor: '再犯倍数',
    repeatWindow: '统计时段',
    banSecondsMax: '最长时长',
    clientBansMax: '每个客户同时封禁的 IP 上限',
    ips: '个',
    never: '永不封禁',
    neverHint: '节点和主控的 IP 始终不会被封禁，封禁者自己的 IP 也不会。',
    neverAddresses: '永不封禁的 IP 和网段',
    neverAddressesHint: '例如监控、办公网络，以及很多人共用的出口（运营商 NAT）。',
    neverLists: '永不封禁的地址列表',
    neverRobots: '已验证的搜索引擎爬虫',
    neverPrivate: '内网地址',
    neverPrivateHint: '节点前有代理而未设置“访客真实 IP”时，封禁内网地址会影响代理后的所有访客。',
    visitors: '访客',
    objection: '申诉方式',
    objectionHint: '网址或邮箱，显示在被封禁访客看到的页面上，旁边有请求 ID。留空则不显示。',
  },
  en: {
    title: 'Blocking settings',
    subtitle: 'How IPs are blocked, on all sites.',
    durations: 'Durations',
    durationsHint:
      'Each time an IP that a security rule blocks offends again within the window, the duration is multiplied, up to the maximum. Blocks by hand last as long as you say.',
    repeatFactor: 'Factor for repeat offenders',
    repeatWindow: 'Window',
    banSecondsMax: 'Maximum',
    clientBansMax: 'Blocked IPs per customer at most',
    ips: 'IPs',
    never: 'Never blocked',
    neverHint:
      'IPs of nodes and of the control plane are never blocked, and neither is the IP of whoever blocks.',
    neverAddresses: 'IPs and networks that are never blocked',
    neverAddressesHint:
      'Such as monitoring, offices, and gateways that many people share (carrier-grade NAT).',
    neverLists: 'Exempt address lists',
    neverRobots: 'Verified search engine bots',
    neverPrivate: 'Private addresses',
    neverPrivateHint:
      'Where a proxy stands before the node and the real client IP is not set, blocking a private address would block everyone behind it.',
    visitors: 'Visitors',
    objection: 'How to object',
    objectionHint:
      'A URL or an e-mail address, shown to blocked visitors beside the request ID. Leave empty to show none.',
  },
});
