import type { SiteStatusReason } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

type Reasons = Record<Exclude<SiteStatusReason, 'none'>, string>;

/** What a site's status means, and what can be done about it. */
export const siteStatusText = defineText({
  zh: {
    offline: '站点已下线：节点对访客返回 503 页面。可随时重新上线。',
    checking: '正在验证域名归属：按下方“解析检查”设置任一解析记录，通过后自动上线。',
    checkFailed: '域名在期限内未通过验证。设置解析记录后，点击“重新检查”。',
    contested: (n: number) =>
      `有 ${n} 个域名与其他客户正在使用的域名重叠，验证通过之前访客仍访问该客户的站点：按下方“接入”添加 TXT 记录，或请平台管理员确认归属。`,
    someWaiting: (n: number) => `有 ${n} 个域名尚未通过验证，访客看到的是验证页面；其余域名正常服务。`,
    reasons: {
      operator: '站点已被平台暂停，请联系平台恢复。',
      order_expired: '所属订单已到期，站点被自动暂停；续期后一分钟内自动恢复。',
      order_suspended: '所属订单已被暂停或取消，站点被自动暂停；订单恢复后自动上线。',
      client_disabled: '客户账号已被停用，站点被自动暂停；账号启用后自动恢复。',
    } satisfies Reasons,
    note: '说明',
    removing: '站点正在删除：等待下列节点确认已移除，全部确认后自动消失。',
    noteLabel: '暂停原因',
    noteHint: '客户也能看到，可留空。',
    suspendTitle: '暂停站点',
    forceRemove: '强制删除',
    forceTitle: '强制删除站点？',
    forceBody:
      '不等待节点确认，立即删除配置与版本历史，无法恢复。离线的节点在重新连接之前仍会继续提供服务，连接后移除。',
    removingReason: '站点正在删除',
    causeStands: '暂停原因仍然存在，消除后自动恢复',
    awaitingProof: '域名尚未通过验证',
    removeSent: '已通知节点移除；全部确认后站点消失',
    override: '直接上线（免验证）',
  },
  en: {
    offline:
      'This site is offline: nodes answer visitors with a page and status 503. It can be put online at any time.',
    checking:
      'The domains are being verified: set one of the records under “DNS check” below. The site then goes online by itself.',
    checkFailed: 'No domain was proven in time. Set a record, then press “Check again”.',
    contested: (n: number) =>
      n === 1
        ? 'One domain overlaps with one that another customer uses. Until it is verified, its visitors reach the site of that customer: create the TXT record shown under “Going live”, or ask the platform to assign it.'
        : `${n} domains overlap with some that other customers use. Until they are verified, their visitors reach the sites of those customers: create the TXT records shown under “Going live”, or ask the platform to assign them.`,
    someWaiting: (n: number) =>
      n === 1
        ? 'One domain is not proven yet: its visitors see a page that says so. The others are served.'
        : `${n} domains are not proven yet: their visitors see a page that says so. The others are served.`,
    reasons: {
      operator: 'The platform has suspended this site. Only the platform can end that.',
      order_expired:
        'The order has expired, so this site is suspended. It comes back by itself within a minute of a renewal.',
      order_suspended:
        'The order was suspended or cancelled, and this site with it. It comes back by itself with the order.',
      client_disabled:
        'The account of the customer is disabled, and this site with it. It comes back by itself with the account.',
    },
    note: 'Note',
    removing: 'This site is being deleted. It is gone once these nodes have said that they dropped it.',
    noteLabel: 'Reason',
    noteHint: 'The customer reads it too. May be empty.',
    suspendTitle: 'Suspend this site',
    forceRemove: 'Force delete',
    forceTitle: 'Delete this site without waiting?',
    forceBody:
      'Its configuration and history are deleted at once and cannot be brought back. Nodes that are away go on serving it until they come back, and drop it then.',
    removingReason: 'The site is being deleted',
    causeStands: 'The cause still stands; the site comes back by itself when it ends',
    awaitingProof: 'Its domains are not proven yet',
    removeSent: 'The nodes are told. The site is gone once all of them have dropped it',
    override: 'Put online without proof',
  },
});
