import type { DeliveryStatus, RejectScope, SiteRejectState } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const siteRejectText = defineText({
  zh: {
    title: '黑名单日志',
    subtitle: '被临时封禁的 IP：到期或解封之前，其全部请求都会被拒绝。',
    address: 'IP',
    site: '站点',
    scope: '范围',
    scopes: { site: '站点', client: '客户的全部站点', platform: '整个平台' } satisfies Record<
      RejectScope,
      string
    >,
    kernel: '内核丢弃',
    reason: '原因',
    /** @param name empty: an administrator did, and who reads it is a customer */
    byHand: (name: string) => (name === '' ? '由平台封禁' : `由 ${name} 封禁`),
    repeats: (n: number) => `第 ${n + 1} 次`,
    state: '状态',
    states: { standing: '封禁中', ended: '已到期', released: '已解封' } satisfies Record<
      SiteRejectState,
      string
    >,
    delivery: '节点',
    deliveries: { none: '—', pending: '待生效…', applied: '已生效', refused: '节点拒绝' } satisfies Record<
      DeliveryStatus,
      string
    >,
    since: '开始时间',
    until: '到期时间',
    releasedBy: (name: string) => (name === '' ? '由平台解封' : `由 ${name} 解封`),
    add: '封禁 IP',
    settings: '封禁设置',
    release: '解封',
    releaseAll: '全部解封',
    releaseAllTitle: '解封全部 IP？',
    releaseAllBody: (n: number) => `${n} 个被封禁的 IP 将立即恢复访问。`,
    releaseAllOfSite: (n: number) => `此站点 ${n} 个被封禁的 IP 将立即恢复访问。`,
    releaseTitle: '解封所选 IP？',
    releaseBody: (count: number) => `${count} 个 IP 将立即恢复访问。`,
    released: (count: number) => `已解封 ${count} 个 IP`,
    empty: '没有被封禁的 IP',
    emptyHint: '可以手动封禁 IP；站点的安全规则也会封禁攻击者。被规则拦截的请求请查看拦截日志。',
    refusedLog: '拦截日志',
  },
  en: {
    title: 'Blocked IPs',
    subtitle:
      'IPs that are temporarily blocked. All their requests are blocked until the block expires or is lifted.',
    address: 'IP',
    site: 'Site',
    scope: 'Scope',
    scopes: { site: 'Site', client: 'All sites of a customer', platform: 'Whole platform' },
    kernel: 'Dropped in the kernel',
    reason: 'Reason',
    byHand: (name: string) => `Blocked by ${name || 'the platform'}`,
    repeats: (n: number) => `${n + 1} times`,
    state: 'Status',
    states: { standing: 'Active', ended: 'Expired', released: 'Unblocked' },
    delivery: 'Nodes',
    deliveries: { none: '—', pending: 'Deploying…', applied: 'Live', refused: 'Rejected by a node' },
    since: 'Since',
    until: 'Expires',
    releasedBy: (name: string) => `Unblocked by ${name || 'the platform'}`,
    add: 'Block IPs',
    settings: 'Blocking settings',
    release: 'Unblock',
    releaseAll: 'Unblock all',
    releaseAllTitle: 'Unblock all IPs?',
    releaseAllBody: (n: number) =>
      n === 1
        ? 'The blocked IP regains access immediately.'
        : `All ${n} blocked IPs regain access immediately.`,
    releaseAllOfSite: (n: number) =>
      n === 1
        ? 'The IP blocked on this site regains access immediately.'
        : `All ${n} IPs blocked on this site regain access immediately.`,
    releaseTitle: 'Unblock selected IPs?',
    releaseBody: (count: number) =>
      `${count} ${count === 1 ? 'IP regains' : 'IPs regain'} access immediately.`,
    released: (count: number) => `${count} ${count === 1 ? 'IP' : 'IPs'} unblocked`,
    empty: 'No blocked IPs',
    emptyHint:
      'IPs can be blocked manually, and security rules of sites block attackers. Requests blocked by rules are listed in the block log.',
    refusedLog: 'Block log',
  },
});
