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
    objection: '申诉方式',
    objectionHint: '网址或邮箱，显示在被封禁访客看到的页面上，旁边有请求 ID。留空则不显示。',
  },
  en: {
    title: 'Blocking settings',
    subtitle: 'How IPs are blocked, on all sites.',
    durations: 'Durations',
    durationsHint:
      'Each time an IP that a security rule blocks offends again within the window, the duration is multiplied, up to the maximum. Manual blocks keep their own duration.',
    repeatFactor: 'Factor for repeat offenders',
    repeatWindow: 'Window',
    banSecondsMax: 'Maximum',
    clientBansMax: 'Maximum blocked IPs per customer',
    ips: 'IPs',
    never: 'Never blocked',
    neverHint: 'The IPs of nodes, of the control plane and of the person who blocks are never blocked.',
    neverAddresses: 'IPs and networks that are never blocked',
    neverAddressesHint: 'For example monitoring, offices, and shared gateways (carrier-grade NAT).',
    neverLists: 'Exempt address lists',
    neverRobots: 'Verified search engine bots',
    neverPrivate: 'Private addresses',
    neverPrivateHint:
      'If a proxy stands in front of the nodes and Real client IP is not set up, blocking a private address blocks everyone behind the proxy.',
    objection: 'Appeal contact',
    objectionHint:
      'A URL or an email address, shown to blocked visitors with the request ID. Leave empty to show none.',
  },
});
