import type { SiteRejectState } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const siteRejectText = defineText({
  zh: {
    title: '黑名单日志',
    subtitle: '被站点临时拉黑的 IP：到期或解封之前，其全部请求都会被拒绝。',
    address: 'IP',
    site: '站点',
    reason: '原因',
    state: '状态',
    states: { standing: '生效中', ended: '已到期', released: '已解封' } satisfies Record<
      SiteRejectState,
      string
    >,
    since: '开始时间',
    until: '到期时间',
    releasedBy: (name: string) => `由 ${name} 解封`,
    release: '解封',
    releaseAll: '全部解封',
    releaseAllTitle: '解封全部 IP？',
    releaseAllBody: (n: number) => `${n} 个生效中的 IP 将立即恢复访问。`,
    releaseAllOfSite: (n: number) => `此站点 ${n} 个生效中的 IP 将立即恢复访问。`,
    releaseTitle: '解封所选 IP？',
    releaseBody: (count: number) => `${count} 个 IP 将立即恢复访问。`,
    released: (count: number) => `已解封 ${count} 个 IP`,
    empty: '没有被拉黑的 IP',
    emptyHint: '目前没有规则会拉黑 IP，此功能将随 WAF 的 CC 防护提供。被站点规则拦截的请求请查看拦截日志。',
    refusedLog: '拦截日志',
  },
  en: {
    title: 'Blocked IPs',
    subtitle:
      'IPs temporarily blocked by sites. All their requests are rejected until the block expires or is lifted.',
    address: 'IP',
    site: 'Site',
    reason: 'Reason',
    state: 'Status',
    states: { standing: 'Active', ended: 'Expired', released: 'Unblocked' },
    since: 'Since',
    until: 'Expires',
    releasedBy: (name: string) => `Unblocked by ${name}`,
    release: 'Unblock',
    releaseAll: 'Unblock all',
    releaseAllTitle: 'Unblock all IPs?',
    releaseAllBody: (n: number) => `All ${n} actively blocked IPs regain access immediately.`,
    releaseAllOfSite: (n: number) => `All ${n} IPs actively blocked by this site regain access immediately.`,
    releaseTitle: 'Unblock selected IPs?',
    releaseBody: (count: number) =>
      `${count} ${count === 1 ? 'IP regains' : 'IPs regain'} access immediately.`,
    released: (count: number) => `${count} ${count === 1 ? 'IP' : 'IPs'} unblocked`,
    empty: 'No blocked IPs',
    emptyHint:
      'No rule blocks IPs yet; this comes with the rate limiting of the WAF. Requests blocked by site rules are listed in the block log.',
    refusedLog: 'Block log',
  },
});
