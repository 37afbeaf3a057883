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

/** Lines of an earlier release do not say what they are about. */
const about = (f: Facts, text: string): string => (f('name') === '' ? '' : text);

/** Of a DNS account. */
const isKeyRefused = (f: Facts): boolean => ['provider_key', 'provider_forbidden'].includes(f('issue'));

/** What is to stand in the DNS, for a name that does not lead here. */
const wantedRecord = {
  zh: (f: Facts) =>
    f('value') === ''
      ? `请为 ${f('name')} 添加指向本平台的解析记录。`
      : `请将 ${f('name')} 的解析改为 ${f('type')} ${f('value')}，并删除其他地址记录。`,
  en: (f: Facts) =>
    f('value') === ''
      ? `Add DNS records for ${f('name')} that point to this platform.`
      : `Set the DNS of ${f('name')} to ${f('type')} ${f('value')}, and delete its other address records.`,
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
    issueNow: '立即签发',
    issueStarted: '已开始签发',
    working: '正在签发',
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
    remedies: {
      no_account: () => '请平台管理员添加或启用证书账号。',
      account_disabled: () => '请平台管理员启用该账号，或改用其他账号。',
      name_not_served: () => '请在站点中添加并验证该域名，或从申请中移除。',
      certificate_limit: () => '请删除不再使用的证书，或升级套餐。',
      dns_missing: (f) => about(f, wantedRecord.zh(f)),
      dns_elsewhere: (f) => about(f, wantedRecord.zh(f)),
      dns_failed: (f) => about(f, `请检查 ${f('name')} 的 NS 记录，以及 DNS 服务商是否正常。`),
      caa_forbids: (f) =>
        about(
          f,
          `请在 ${f('name')} 添加 CAA 记录：0 ${f('tag')} "${f('identity')}"；或改用其他颁发机构的账号。`,
        ),
      no_nodes: () => '请确认线路组内有在线的节点。',
      node_refused: () => '请在该节点的页面查看原因，并升级节点。',
      nodes_late: () => '请查看节点的页面；不再使用的节点请停用。',
      dns_account: (f) => {
        if (isKeyRefused(f))
          return 'DNS 服务商拒绝了该账号的密钥：请在 DNS 账号中更新密钥，并确认其有权修改此区域。';
        if (f('record') === '') return '请测试该 DNS 账号，并确认 DNS 服务商工作正常；将自动重试。';
        if (f('record') === f('name')) return `请改用管理 ${f('record')} 所在区域的 DNS 账号。`;
        return `${f('name')} 的 CNAME 指向 ${f('record')}，该 DNS 账号没有其区域：请删除或更正此 CNAME，或改用管理该区域的账号。`;
      },
      record_unseen: (f) =>
        about(
          f,
          `请确认 ${f('zone')} 的 NS 记录指向此 DNS 账号的服务商，并能查询到 ${f('name')} 的 TXT 记录。`,
        ),
      no_challenge: () => '请改用另一种验证方式，或其他证书账号。',
      order_expired: () => '无需操作，将重新下单。',
      validation_failed: () =>
        '上面是颁发机构看到的内容。通过 HTTP 验证时，请检查域名的每个地址（包括 AAAA 记录）的 80 端口是否到达节点；通过 DNS 验证时，请检查 TXT 记录。',
      authority_refused: () => '上面是颁发机构给出的原因。',
      rate_limited: () => '无需操作，颁发机构允许后自动重试；改用其他证书账号可立即签发。',
      limit_reached: () => '无需操作，限额恢复后自动继续；改用其他证书账号可立即签发。',
      authority_unreachable: () => '将自动重试；若持续出现，请平台管理员检查主控的网络。',
      authority_answer: () => '将自动重试；若持续出现，请平台管理员检查证书账号的目录地址。',
      clock_off: () => '请平台管理员校准服务器时间（NTP）。',
      eab_required: () => '请平台管理员在证书账号中填写颁发机构提供的 EAB 密钥。',
      internal: () => '',
    } satisfies Record<CertificateOrderProblem, (f: Facts) => string>,
    steps: {
      asked: (f: Facts) => `${f('by')}请求签发`,
      asked_automatically: () => '站点开启了自动申请证书，等待签发',
      started: (f: Facts) => `开始签发，账号：${f('account')}；域名：${f('names')}`,
      resolvers_agree: (f: Facts) => `以下 DNS 服务器的解析结果与本平台一致：${f('servers')}`,
      resolver_differs: (f: Facts) =>
        `DNS 服务器 ${f('server')} 上 ${f('name')} 的 ${f('record')} 记录为 ${f('seen')}，本平台查询到的是 ${f('ours')}；修改可能尚未在该服务器生效`,
      resolver_silent: (f: Facts) => `DNS 服务器 ${f('server')} 未完整应答`,
      checked: () => '域名解析和 CAA 检查通过',
      ordered: (f: Facts) => `已在“${f('account')}”创建订单`,
      challenge_sent: (f: Facts) => `已向节点发送验证应答：${f('names')}`,
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
    issueNow: 'Issue now',
    issueStarted: 'Issuance started',
    working: 'Being issued',
    problems: {
      no_account: 'No certificate account is available',
      account_disabled: 'The certificate account is disabled',
      name_not_served: 'No verified site of this customer serves this domain',
      certificate_limit: 'The certificate limit of the plan has been reached',
      dns_missing: 'The domain has no DNS records',
      dns_elsewhere: 'The DNS records do not point to this platform',
      dns_failed: 'The DNS records could not be queried',
      caa_forbids: 'CAA records do not allow this certificate authority',
      no_nodes: 'No node confirmed the challenge response',
      node_refused: 'A node rejected the challenge response',
      nodes_late: 'Some nodes did not confirm the challenge response in time',
      dns_account: 'The record could not be written with the DNS account',
      record_unseen: 'The TXT record is not visible',
      no_challenge: 'The authority does not support this validation method',
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
      internal:
        'An error occurred on the platform. It will be retried automatically; see the server log for details',
    },
    remedies: {
      no_account: () => 'Ask a platform administrator to add or enable a certificate account.',
      account_disabled: () => 'Ask a platform administrator to enable the account, or choose another one.',
      name_not_served: () => 'Add the domain to a site and verify it, or remove it from the order.',
      certificate_limit: () => 'Delete certificates that are no longer used, or upgrade the plan.',
      dns_missing: (f: Facts) => about(f, wantedRecord.en(f)),
      dns_elsewhere: (f: Facts) => about(f, wantedRecord.en(f)),
      dns_failed: (f: Facts) =>
        about(f, `Check the NS records of ${f('name')}, and that its DNS provider is working.`),
      caa_forbids: (f: Facts) =>
        about(
          f,
          `Add the CAA record 0 ${f('tag')} "${f('identity')}" to ${f('name')}, or choose an account at another authority.`,
        ),
      no_nodes: () => 'Make sure that the line group has online nodes.',
      node_refused: () => 'See the page of the node for the reason, and upgrade the node.',
      nodes_late: () => 'Check the pages of these nodes. Disable nodes that are no longer used.',
      dns_account: (f: Facts) => {
        if (isKeyRefused(f))
          return 'The DNS provider rejected the key of this account. Enter a valid key in the DNS account, and make sure that it may change this zone.';
        if (f('record') === '')
          return 'Test the DNS account, and check that its provider is working. It will be retried automatically.';
        if (f('record') === f('name')) return `Choose a DNS account that manages the zone of ${f('record')}.`;
        return `${f('name')} has a CNAME to ${f('record')}, whose zone this DNS account does not manage. Delete or correct the CNAME, or choose an account that manages that zone.`;
      },
      record_unseen: (f: Facts) =>
        about(
          f,
          `Check that the NS records of ${f('zone')} point to the provider of this DNS account, and that the TXT record ${f('name')} can be queried.`,
        ),
      no_challenge: () => 'Choose the other validation method, or another certificate account.',
      order_expired: () => 'Nothing to do: a new order will be placed.',
      validation_failed: () =>
        'Above is what the authority saw. With HTTP validation, check that port 80 of every address of the domain, AAAA records included, reaches the nodes; with DNS validation, check the TXT record.',
      authority_refused: () => 'Above is the reason that the authority gave.',
      rate_limited: () =>
        'Nothing to do: it will be retried when the authority allows it. To issue now, use another certificate account.',
      limit_reached: () =>
        'Nothing to do: it continues when the limit allows it. To issue now, use another certificate account.',
      authority_unreachable: () =>
        'It will be retried automatically. If this persists, ask a platform administrator to check the network of the control plane.',
      authority_answer: () =>
        'It will be retried automatically. If this persists, ask a platform administrator to check the directory URL of the certificate account.',
      clock_off: () => 'Ask a platform administrator to correct the clock of the server (NTP).',
      eab_required: () =>
        'Ask a platform administrator to enter the EAB key from the authority in the certificate account.',
      internal: () => '',
    },
    steps: {
      asked: (f: Facts) => `Requested by ${f('by')}`,
      asked_automatically: () => 'The site obtains certificates automatically. Waiting to be issued',
      started: (f: Facts) => `Started with account ${f('account')} for ${f('names')}`,
      resolvers_agree: (f: Facts) => `These resolvers see what the platform sees: ${f('servers')}`,
      resolver_differs: (f: Facts) =>
        `Resolver ${f('server')} sees ${f('seen')} as ${f('record')} of ${f('name')}, while the platform sees ${f('ours')}. A change may not have reached it yet`,
      resolver_silent: (f: Facts) => `Resolver ${f('server')} did not answer all queries`,
      checked: () => 'DNS and CAA checks passed',
      ordered: (f: Facts) => `Order created with ${f('account')}`,
      challenge_sent: (f: Facts) => `Challenge response sent to nodes: ${f('names')}`,
      challenge_live: (f: Facts) => (f('nodes') === '1' ? 'Live on 1 node' : `Live on ${f('nodes')} nodes`),
      challenge_ready: (f: Facts) => `The control plane answers the challenge: ${f('names')}`,
      answer_seen: (f: Facts) => `The control plane sees the response over HTTP: ${f('seen')}`,
      answer_unseen: (f: Facts) =>
        `The control plane does not see the response over HTTP for ${f('name')} at ${f('address')}`,
      nodes_away: (f: Facts) =>
        f('nodes') === '1'
          ? 'No longer waiting for 1 node that is not connected'
          : `No longer waiting for ${f('nodes')} nodes that are not connected`,
      record_written: (f: Facts) => `TXT record ${f('record')} written (zone ${f('zone')})`,
      record_seen: (f: Facts) => `TXT record visible: ${f('record')}`,
      validating: (f: Facts) => `Asked ${f('account')} to validate the domains`,
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
        `A certificate can have at most ${f('most')} domains. Order another certificate for these: ${f('names')}`,
      clock_differs: (f: Facts) =>
        `The authority issued it for ${f('from')} to ${f('until')}, which does not match the server’s clock. Check the time of the server`,
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
    uploaded: '此证书为手动上传，不会自动续期',
    uploadedHint: '请在到期前替换。自动申请的证书会自动续期，进度显示在这里。',
  },
  en: {
    ...certificateProgress.en,
    runNow: 'Renew now',
    runDone: 'Started',
    uploaded: 'This certificate was uploaded and does not renew automatically',
    uploadedHint:
      'Replace it before it expires. Certificates that are obtained automatically also renew automatically; their progress is shown here.',
  },
});

/** A fact of a line, by its name; times as the reader's settings have them. */
type Facts = (name: string) => string;
