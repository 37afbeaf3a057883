import type { SiteStatusReason, UnfiledState } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

type Reasons = Record<Exclude<SiteStatusReason, 'none'>, string>;

/** What a site's status means, and what can be done about it. */
export const siteStatusText = defineText({
  zh: {
    offline: '站点已下线，节点向访客返回 503 页面。可随时重新上线。',
    checking: '正在验证域名归属。请在“解析检查”中查看并添加任一解析记录，验证通过后自动上线。',
    checkFailed: '域名未在期限内通过验证。请添加解析记录，然后点击“重新检查”。',
    contested: (n: number) =>
      `有 ${n} 个域名与其他客户的域名重叠，验证通过之前仍由该客户的站点提供服务。请按下方“接入”添加 TXT 记录，或联系平台管理员确认归属。`,
    someWaiting: (n: number) => `有 ${n} 个域名待验证，访客看到的是验证提示页；其余域名正常服务。`,
    reasons: {
      operator: '站点已被平台暂停，请联系平台恢复。',
      order_expired: '所属订单已到期，站点已自动暂停；续期后一分钟内自动恢复。',
      order_suspended: '所属订单已被暂停或取消，站点已自动暂停；订单恢复后自动上线。',
      client_disabled: '客户账号已被停用，站点已自动暂停；账号启用后自动恢复。',
    } satisfies Reasons,
    note: '说明',
    blacklisted: (n: number, some: string) =>
      `${n} 个域名已被平台列入黑名单：${some}。平台处理之前仍可访问。`,
    unfiled: (n: number, some: string) =>
      `${n} 个域名没有已核验的 ICP 备案号，节点不提供服务：${some}。请录入主域名的备案号，核验通过后自动恢复服务。`,
    unfiledDomain: (domain: string, state: string) => `${domain}（${state}）`,
    unfiledStates: { missing: '未录入', pending: '待核验', rejected: '未通过' } satisfies Record<
      UnfiledState,
      string
    >,
    listed: '、',
    filings: '备案号',
    removing: '站点正在删除，等待下列节点移除。全部移除后，站点从列表中消失。',
    noteLabel: '暂停原因',
    noteHint: '客户可见，可留空。',
    suspendTitle: '暂停站点',
    forceRemove: '强制删除',
    forceTitle: '强制删除站点？',
    forceBody: '不等待节点移除，立即删除配置与版本历史，无法恢复。离线节点在重新连接之前仍会继续提供服务。',
    removingReason: '站点正在删除',
    causeStands: '暂停原因尚未消除，消除后自动恢复',
    awaitingProof: '域名待验证',
    removeSent: '已通知节点移除，全部移除后站点消失',
    override: '免验证上线',
  },
  en: {
    offline:
      'This site is offline. Nodes return a 503 page to visitors. You can bring it back online at any time.',
    checking:
      'Verifying domain ownership. Add one of the records listed under “DNS check”; the site goes online automatically once verified.',
    checkFailed: 'Domain verification timed out. Add the DNS record, then select “Check again”.',
    contested: (n: number) =>
      n === 1
        ? 'One domain overlaps with a domain of another customer. Until you verify it, it is served by that customer’s site. Add the TXT record shown under “Setup”, or ask the platform administrator to assign the domain.'
        : `${n} domains overlap with domains of other customers. Until you verify them, they are served by those customers’ sites. Add the TXT records shown under “Setup”, or ask the platform administrator to assign the domains.`,
    someWaiting: (n: number) =>
      n === 1
        ? 'One domain is pending verification; its visitors see a notice page. The other domains are being served.'
        : `${n} domains are pending verification; their visitors see a notice page. The other domains are being served.`,
    reasons: {
      operator: 'This site has been suspended by the platform. Contact the platform to resume it.',
      order_expired:
        'The order has expired, so this site is suspended. It resumes automatically within a minute of renewal.',
      order_suspended:
        'The order is suspended or cancelled, so this site is suspended. It resumes automatically with the order.',
      client_disabled:
        'The customer account is disabled, so this site is suspended. It resumes automatically when the account is enabled.',
    },
    note: 'Note',
    blacklisted: (n: number, some: string) =>
      n === 1
        ? `The platform has blacklisted one domain: ${some}. It stays online until the platform decides.`
        : `The platform has blacklisted ${n} domains: ${some}. They stay online until the platform decides.`,
    unfiled: (n: number, some: string) =>
      n === 1
        ? `One domain has no confirmed ICP filing number and is not served: ${some}. Enter the filing number of its registrable domain; service resumes once it is confirmed.`
        : `${n} domains have no confirmed ICP filing number and are not served: ${some}. Enter the filing numbers of their registrable domains; service resumes once they are confirmed.`,
    unfiledDomain: (domain: string, state: string) => `${domain} (${state})`,
    unfiledStates: { missing: 'missing', pending: 'pending', rejected: 'rejected' },
    listed: ', ',
    filings: 'Filing numbers',
    removing: 'This site is being deleted. It disappears once the nodes below have removed it.',
    noteLabel: 'Reason',
    noteHint: 'Visible to the customer. Optional.',
    suspendTitle: 'Suspend site',
    forceRemove: 'Force delete',
    forceTitle: 'Force delete site?',
    forceBody:
      'Permanently deletes the configuration and version history without waiting for the nodes. Offline nodes keep serving the site until they reconnect.',
    removingReason: 'The site is being deleted',
    causeStands:
      'The reason for the suspension still applies; the site resumes automatically once it is resolved',
    awaitingProof: 'Domain verification is pending',
    removeSent: 'Nodes notified. The site disappears once all of them have removed it.',
    override: 'Bring online without verification',
  },
});
