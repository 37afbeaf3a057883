import type { SiteRejectState } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const siteRejectText = defineText({
  zh: {
    title: '黑名单日志',
    subtitle: '被站点临时拒绝的 IP：在到期或被释放之前，它们的任何请求都会被拒绝。',
    address: 'IP',
    site: '站点',
    reason: '原因',
    state: '状态',
    states: { standing: '生效中', ended: '已到期', released: '已释放' } satisfies Record<
      SiteRejectState,
      string
    >,
    since: '开始时间',
    until: '到期时间',
    releasedBy: (name: string) => `由 ${name} 释放`,
    release: '释放',
    releaseAll: '全部释放',
    releaseAllTitle: '释放全部 IP？',
    releaseAllBody: (n: number) => `所有生效中的 IP（共 ${n} 个）将立即可以再次访问。`,
    releaseAllOfSite: (n: number) => `此站点所有生效中的 IP（共 ${n} 个）将立即可以再次访问。`,
    releaseTitle: '释放选中的 IP？',
    releaseBody: (count: number) => `${count} 个 IP 将立即可以再次访问。`,
    released: (count: number) => `已释放 ${count} 个 IP`,
    empty: '没有被拉黑的 IP',
    emptyHint:
      '目前还没有任何规则会拉黑 IP：自动拉黑将随 WAF 的 CC 防护一同提供。今天站点的规则逐个拦截请求，见拦截日志。',
    refusedLog: '拦截日志',
  },
  en: {
    title: 'Rejected addresses',
    subtitle:
      'Addresses that sites turn away for a time, whatever they ask, until that ends or they are released.',
    address: 'Address',
    site: 'Site',
    reason: 'Reason',
    state: 'State',
    states: { standing: 'Rejected', ended: 'Ended', released: 'Released' },
    since: 'Since',
    until: 'Until',
    releasedBy: (name: string) => `Released by ${name}`,
    release: 'Release',
    releaseAll: 'Release all',
    releaseAllTitle: 'Release all addresses?',
    releaseAllBody: (n: number) => `All addresses that are rejected now (${n}) may come in again at once.`,
    releaseAllOfSite: (n: number) =>
      `All addresses that this site rejects now (${n}) may come in again at once.`,
    releaseTitle: 'Release what is selected?',
    releaseBody: (count: number) =>
      `${count} ${count === 1 ? 'address' : 'addresses'} may come in again at once.`,
    released: (count: number) => `${count} ${count === 1 ? 'address' : 'addresses'} released`,
    empty: 'No address is rejected',
    emptyHint:
      'Nothing rejects addresses yet: that comes with the rate guard of the firewall. Today rules of sites refuse single requests, which stand in the interception log.',
    refusedLog: 'Blocked requests',
  },
});
