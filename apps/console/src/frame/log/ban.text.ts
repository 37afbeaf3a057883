import type { RejectScope } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const banText = defineText({
  zh: {
    site: '站点',
    scope: '范围',
    scopes: { site: '站点', client: '客户的全部站点', platform: '整个平台' } satisfies Record<
      RejectScope,
      string
    >,
    ownScope: '全部站点',
    kernel: '内核丢弃',
    kernelHint: '在节点内核中直接丢弃数据包，访客看不到任何页面。适合大流量攻击；不影响 SSH。',
    add: '封禁 IP',
    addresses: 'IP 或网段',
    addressesHint: '每行一个。网段可以是 /16、/24，IPv6 可以是 /32、/48、/56、/64。',
    wholeNetwork: (network: string) => `改为封禁网段 ${network}`,
    seconds: '时长',
    client: '客户',
    note: '原因',
    added: (n: number) => `已封禁 ${n} 个 IP`,
  },
  en: {
    site: 'Site',
    scope: 'Scope',
    scopes: { site: 'Site', client: 'All sites of a customer', platform: 'Whole platform' },
    ownScope: 'All sites',
    kernel: 'Dropped in the kernel',
    kernelHint:
      'Nodes drop the packets in the kernel, and visitors see no page at all. For heavy attacks; SSH is not affected.',
    add: 'Block IPs',
    addresses: 'IPs or networks',
    addressesHint: 'One per line. Networks can be /16 or /24, and for IPv6 /32, /48, /56 or /64.',
    wholeNetwork: (network: string) => `Block the network ${network} instead`,
    seconds: 'Duration',
    client: 'Customer',
    note: 'Reason',
    added: (n: number) => `${n} ${n === 1 ? 'IP' : 'IPs'} blocked`,
  },
});
