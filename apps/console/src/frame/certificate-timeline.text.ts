import type { AcmeLimit, CertificateOrderProblem, CertificateOrderState } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

const limits = {
  zh: {
    domain_certificates: '每个注册域名 7 天内的证书数',
    orders: '每个账号 3 小时内的订单数',
    failures: '每个域名 1 小时内的验证失败次数',
    duplicates: '相同域名组合 7 天内的证书数',
  } satisfies Record<AcmeLimit, string>,
  en: {
    domain_certificates: 'certificates per registered domain in 7 days',
    orders: 'orders per account in 3 hours',
    failures: 'failed validations per domain in 1 hour',
    duplicates: 'certificates for the same domains in 7 days',
  } satisfies Record<AcmeLimit, string>,
};

/** How far a certificate is, and what happened on the way: beside the list of orders, and on the page of a certificate. */
export const certificateProgress = {
  zh: {
    state: '状态',
    states: {
      waiting: '等待中',
      working: '签发中',
      valid: '有效',
      failed: '失败',
      revoked: '已吊销',
    } satisfies Record<CertificateOrderState, string>,
    expires: '到期时间',
    renewal: '续期时间',
    next: '下次操作',
    timeline: '进度',
    noSteps: '还没有进度',
    problems: {
      no_account: '没有可用的证书账号',
      account_disabled: '证书账号已停用',
      name_not_served: '该域名未由此客户的已验证站点提供',
      certificate_limit: '已达到套餐的证书数量上限',
      dns_missing: '域名没有解析记录',
      dns_elsewhere: '域名解析未指向本平台',
      dns_failed: '无法查询域名解析',
      caa_forbids: 'CAA 记录不允许该证书颁发机构签发',
      no_nodes: '没有节点确认验证应答',
      node_refused: '节点拒绝了验证应答',
      nodes_late: '部分节点未及时确认验证应答',
      dns_account: '无法通过 DNS 账号写入记录',
      record_unseen: 'TXT 记录未生效',
      no_challenge: '颁发机构不支持此验证方式',
      order_expired: '订单已过期',
      validation_failed: '颁发机构验证失败',
      authority_refused: '颁发机构拒绝了请求',
      rate_limited: '已达到颁发机构的频率限制',
      limit_reached: '等待颁发机构的签发限额',
      authority_unreachable: '无法连接到颁发机构',
      authority_answer: '颁发机构的响应无法解析',
      clock_off: '按服务器时钟，新证书已过期；请检查服务器时间',
      eab_required: '颁发机构要求 EAB 密钥',
      internal: '平台处理时出错，将自动重试；详情见服务器日志',
    } satisfies Record<CertificateOrderProblem, string>,
    steps: {
      asked: (f: Facts) => `${f('by')}请求签发`,
      asked_automatically: () => '站点开启了自动申请证书，等待签发',
      started: (f: Facts) => `开始签发，账号：${f('account')}；域名：${f('names')}`,
      resolvers_agree: (f: Facts) => `以下 DNS 看到的解析与本平台一致：${f('servers')}`,
      resolver_differs: (f: Facts) =>
        `DNS ${f('server')} 看到 ${f('name')} 的 ${f('record')} 记录为 ${f('seen')}，本平台看到的是 ${f('ours')}；修改可能尚未在该处生效`,
      resolver_silent: (f: Facts) => `DNS ${f('server')} 未完整应答`,
      checked: () => '域名解析和 CAA 检查通过',
      ordered: (f: Facts) => `已在“${f('account')}”创建订单`,
      challenge_sent: (f: Facts) => `验证应答已下发到节点：${f('names')}`,
      challenge_live: (f: Facts) => `${f('nodes')} 个节点已生效`,
      challenge_ready: (f: Facts) => `主控已准备好验证应答：${f('names')}`,
      answer_seen: (f: Facts) => `主控通过 HTTP 看到了正确的验证应答：${f('seen')}`,
      answer_unseen: (f: Facts) => `主控通过 HTTP 访问 ${f('name')}（${f('address')}），未看到验证应答`,
      nodes_away: (f: Facts) => `${f('nodes')} 个节点未连接，不再等待`,
      record_written: (f: Facts) => `已写入 TXT 记录 ${f('record')}（区域 ${f('zone')}）`,
      record_seen: (f: Facts) => `TXT 记录已生效：${f('record')}`,
      validating: (f: Facts) => `已通知“${f('account')}”开始验证`,
      validated: () => '所有域名验证通过',
      requested: () => '已提交证书请求',
      issued: (f: Facts) => `证书已签发，颁发者：${f('issuer')}，有效期至 ${f('until')}`,
      failed: () => '签发失败',
      limited: (f: Facts) =>
        `将超出颁发机构的限额：${limits.zh[f('limit') as AcmeLimit]}（${f('subject')}，${f('most')} 次），等待至 ${f('at')}`,
      next_try: (f: Facts) => `将于 ${f('at')} 重试`,
      renewal_planned: (f: Facts) => `计划于 ${f('at')} 续期`,
      renewal_asked_early: (f: Facts) => `颁发机构要求提前续期，计划于 ${f('at')}`,
      names_changed: (f: Facts) => `站点域名已变更：${f('names')}`,
      names_beyond: (f: Facts) => `一张证书最多 ${f('most')} 个域名，以下域名需另行申请：${f('names')}`,
      clock_differs: (f: Facts) =>
        `颁发机构签发的有效期为 ${f('from')} 至 ${f('until')}，与服务器时钟不符；请检查服务器时间`,
      names_absent: (f: Facts) => `以下域名的解析未指向本平台，暂不包含：${f('names')}`,
      wildcards_left: (f: Facts) => `未包含泛域名：${f('names')}，没有可写入其 TXT 记录的 DNS 账号`,
      bound: (f: Facts) => `已用于站点 ${f('site')}`,
      not_bound: (f: Facts) => `站点已有 ${f('most')} 张证书，未自动添加`,
      revoked: (f: Facts) => `${f('by')}吊销了证书`,
    },
  },
  en: {
    state: 'Status',
    states: {
      waiting: 'Waiting',
      working: 'Issuing',
      valid: 'Valid',
      failed: 'Failed',
      revoked: 'Revoked',
    },
    expires: 'Expires',
    renewal: 'Renewal',
    next: 'Next action',
    timeline: 'Timeline',
    noSteps: 'Nothing has happened yet',
    problems: {
      no_account: 'There is no certificate account to use',
      account_disabled: 'The certificate account is disabled',
      name_not_served: 'No verified site of this customer serves this domain',
      certificate_limit: 'The plan allows no more certificates',
      dns_missing: 'The domain has no DNS records',
      dns_elsewhere: 'The DNS records do not point to this platform',
      dns_failed: 'The DNS could not be queried',
      caa_forbids: 'CAA records do not allow this certificate authority',
      no_nodes: 'No node confirmed the challenge response',
      node_refused: 'A node rejected the challenge response',
      nodes_late: 'Some nodes did not confirm the challenge response in time',
      dns_account: 'The record could not be written with the DNS account',
      record_unseen: 'The TXT record is not visible',
      no_challenge: 'The authority does not offer this kind of validation',
      order_expired: 'The order has expired',
      validation_failed: 'The authority could not validate the domains',
      authority_refused: 'The authority rejected the request',
      rate_limited: 'The rate limit of the authority has been reached',
      limit_reached: 'Waiting for the issuance limit of the authority',
      authority_unreachable: 'The authority cannot be reached',
      authority_answer: 'The response of the authority could not be parsed',
      clock_off:
        'The new certificate has already expired by the server’s clock. Check the time of the server',
      eab_required: 'The authority requires an EAB key',
      internal: 'Something failed on the platform and will be tried again; the server log has the details',
    },
    steps: {
      asked: (f: Facts) => `Requested by ${f('by')}`,
      asked_automatically: () => 'The site obtains certificates automatically. Waiting for its turn',
      started: (f: Facts) => `Started with account ${f('account')} for ${f('names')}`,
      resolvers_agree: (f: Facts) => `These resolvers see what the platform sees: ${f('servers')}`,
      resolver_differs: (f: Facts) =>
        `Resolver ${f('server')} sees ${f('seen')} as ${f('record')} of ${f('name')}, while the platform sees ${f('ours')}. A change may not have reached it yet`,
      resolver_silent: (f: Facts) => `Resolver ${f('server')} did not answer everything`,
      checked: () => 'DNS and CAA checks passed',
      ordered: (f: Facts) => `Order created at ${f('account')}`,
      challenge_sent: (f: Facts) => `Challenge response sent to nodes: ${f('names')}`,
      challenge_live: (f: Facts) => (f('nodes') === '1' ? 'Live on 1 node' : `Live on ${f('nodes')} nodes`),
      challenge_ready: (f: Facts) => `The control plane answers the challenge: ${f('names')}`,
      answer_seen: (f: Facts) => `The control plane sees the response over HTTP: ${f('seen')}`,
      answer_unseen: (f: Facts) =>
        `The control plane does not see the response over HTTP for ${f('name')} at ${f('address')}`,
      nodes_away: (f: Facts) =>
        f('nodes') === '1'
          ? '1 node is not connected and is not waited for'
          : `${f('nodes')} nodes are not connected and are not waited for`,
      record_written: (f: Facts) => `TXT record ${f('record')} written (zone ${f('zone')})`,
      record_seen: (f: Facts) => `TXT record visible: ${f('record')}`,
      validating: (f: Facts) => `${f('account')} was told to validate`,
      validated: () => 'All domains are validated',
      requested: () => 'Certificate requested',
      issued: (f: Facts) => `Certificate issued by ${f('issuer')}, valid until ${f('until')}`,
      failed: () => 'Issuance failed',
      limited: (f: Facts) =>
        `This would exceed a limit of the authority: ${limits.en[f('limit') as AcmeLimit]} (${f('subject')}, ${f('most')}). Waiting until ${f('at')}`,
      next_try: (f: Facts) => `Next attempt at ${f('at')}`,
      renewal_planned: (f: Facts) => `Renewal planned for ${f('at')}`,
      renewal_asked_early: (f: Facts) => `The authority asks for an early renewal, planned for ${f('at')}`,
      names_changed: (f: Facts) => `The domains of the site changed: ${f('names')}`,
      names_beyond: (f: Facts) =>
        `A certificate has ${f('most')} names at most. These need an order of their own: ${f('names')}`,
      clock_differs: (f: Facts) =>
        `The authority issued it for ${f('from')} to ${f('until')}, which does not fit the server’s clock. Check the time of the server`,
      names_absent: (f: Facts) => `Not included until their DNS points here: ${f('names')}`,
      wildcards_left: (f: Facts) =>
        `Wildcards are not included: ${f('names')}. No DNS account can write their TXT records`,
      bound: (f: Facts) => `In use by site ${f('site')}`,
      not_bound: (f: Facts) => `The site has ${f('most')} certificates already, so it was not added`,
      revoked: (f: Facts) => `Revoked by ${f('by')}`,
    },
  },
};

export const certificateTimelineText = defineText({
  zh: {
    ...certificateProgress.zh,
    runNow: '立即续期',
    runDone: '已开始',
    uploaded: '该证书是上传的，到期前请替换',
    uploadedHint: '由证书颁发机构签发的证书会自动续期，在此显示进度。',
  },
  en: {
    ...certificateProgress.en,
    runNow: 'Renew now',
    runDone: 'Started',
    uploaded: 'This certificate was uploaded. Replace it before it expires',
    uploadedHint:
      'Certificates obtained from a certificate authority renew themselves, and show their progress here.',
  },
});

/** A fact of a line, by its name; times as the reader's settings have them. */
type Facts = (name: string) => string;
