import type { DnsVerdict, domainProofs } from '@breakwater/contract';
import { defineText } from '../../../i18n/text.ts';

type Verdicts = Record<DnsVerdict, string>;
type Proofs = Record<(typeof domainProofs)[number], string>;

/** Domains, what the DNS is to say of them, and what it says. */
export const siteDomainText = defineText({
  zh: {
    listTitle: '域名列表',
    listSubtitle: '全部站点的域名与最近一次解析检查结果。',
    listEmpty: '还没有域名',
    listEmptyHint: '添加站点后，其域名会显示在这里，并自动检查解析。',
    domain: '域名',
    site: '站点',
    client: '客户',
    username: '客户名称',
    verdict: '解析检查',
    proof: '验证',
    checkedAt: '检查时间',
    never: '尚未检查',
    notAsked: '尚未检查解析，稍后自动检查；也可点击“重新检查”。',
    unchecked: '未检查',
    check: '重新检查',
    checked: (n: number) => `已检查 ${n} 个域名`,
    left: (n: number) => `另有 ${n} 个在后台检查`,
    siteStatus: '站点状态',
    setup: '接入',
    setupHint: '分两步：配置在节点生效，域名解析到节点。',
    delivery: '1. 节点',
    pointing: '2. 解析',
    pointingCount: (done: number, all: number) =>
      all === 1
        ? done === 1
          ? '域名已解析到节点'
          : '域名尚未解析到节点'
        : `${done}/${all} 个域名已解析到节点`,
    noCname: '无，请按下列节点地址添加解析记录',
    addresses: '节点地址',
    noAddresses: '线路组内没有节点，暂无地址',
    record: '要添加的解析记录',
    recordHint: (zone: string) => `请在 ${zone} 的 DNS 服务商处添加；新记录可能需要几分钟才能生效。`,
    apexHint:
      '根域名（@）通常不能使用 CNAME。请使用 DNS 服务商的 ALIAS、ANAME 或 CNAME 拉平功能，或改用 www 等子域名。',
    tryLabel: '切换解析前测试',
    tryLater: '配置在节点上生效后，这里会显示测试命令。',
    orTxt: '也可以先用 TXT 记录验证归属，之后再切换解析：',
    andTxt: '节点地址不能验证归属，还需添加此 TXT 记录：',
    contestedNotice:
      '此域名与其他客户的域名重叠，验证通过之前仍由该客户的站点提供服务。请添加下面的 TXT 记录，或将此域名直接 CNAME 到本站点，然后点击“重新检查”；也可联系平台管理员确认归属。',
    contestedTxt: '此 TXT 记录仅对本站点的此域名有效：',
    overlaps: '与其他客户的域名重叠',
    overlapping: '重叠的域名',
    overlapOf: (domain: string, client: string, site: number) => `${domain}（${client}，站点 ${site}）`,
    grant: '确认归属',
    grantGiven: '该域名已归属此站点',
    grantTitle: '将域名归属到此站点？',
    grantBody: (domain: string) =>
      `无需 DNS 验证，${domain} 将立即由本站点提供服务。如果其他客户的站点正在使用同一域名，将从该站点移除。`,
    granted: (domain: string) => `${domain} 已归属此站点`,
    unverified: '已指向本平台，但不能验证归属：请添加站点“接入”中的 TXT 记录。',
    unpublished: (cname: string) =>
      `CNAME 正确，但 ${cname} 还没有地址：请平台管理员在该 CNAME 域名的 DNS 中添加指向节点的记录。`,
    type: '类型',
    name: '主机记录',
    value: '记录值',
    seen: '实际结果',
    expected: '期望结果',
    chain: 'CNAME 链',
    nothing: '无',
    asked: '查询域名',
    nextCheck: '下次自动检查',
    verdicts: {
      cname: '已指向 CNAME',
      address: '已指向节点',
      txt: '已验证，未指向节点',
      partly: '部分指向节点',
      elsewhere: '未指向节点',
      no_records: '无解析记录',
      nxdomain: '域名不存在',
      refused: '查询被拒绝',
      server_failed: 'DNS 服务器错误',
      timeout: '查询超时',
    } satisfies Verdicts,
    advice: {
      cname: '已通过 CNAME 指向本平台，无需操作。',
      address: '全部地址均为节点地址，无需操作。',
      txt: 'TXT 记录已验证归属，但域名还没有指向节点。请添加上面的解析记录。',
      partly: '部分地址不是节点地址。请删除不属于节点的记录。',
      elsewhere: '域名指向其他地址。请将现有记录替换为上面的解析记录。',
      no_records: '域名没有地址记录。请添加上面的解析记录。',
      nxdomain: '域名不存在。请添加上面的解析记录，并确认域名已注册且未过期。',
      refused: 'DNS 服务器拒绝查询。请平台管理员检查“设置”中的 DNS 服务器。',
      server_failed: '域名的 DNS 服务器出错。请检查域名的 NS 记录与 DNSSEC 设置。',
      timeout: 'DNS 查询超时。请稍后重新检查；若持续出现，请检查域名的 NS 记录。',
    } satisfies Verdicts,
    proofs: { given: '已验证', waiting: '待验证', failed: '验证失败' } satisfies Proofs,
  },
  en: {
    listTitle: 'Domains',
    listSubtitle: 'Domains of all sites, with their latest DNS check.',
    listEmpty: 'No domains yet',
    listEmptyHint: 'When you add a site, its domains appear here and their DNS is checked automatically.',
    domain: 'Domain',
    site: 'Site',
    client: 'Customer',
    username: 'Customer name',
    verdict: 'DNS check',
    proof: 'Verification',
    checkedAt: 'Checked',
    never: 'Not checked yet',
    notAsked: 'DNS has not been checked yet. It is checked automatically soon, or select “Check again”.',
    unchecked: 'Not checked',
    check: 'Check again',
    checked: (n: number) => (n === 1 ? '1 domain checked' : `${n} domains checked`),
    left: (n: number) => `${n} more being checked in the background`,
    siteStatus: 'Site status',
    setup: 'Setup',
    setupHint: 'Two steps: the site goes live on the nodes, then its domains point to them.',
    delivery: '1. Nodes',
    pointing: '2. DNS',
    pointingCount: (done: number, all: number) =>
      all === 1
        ? done === 1
          ? 'Domain points to the nodes'
          : 'Domain does not point to the nodes yet'
        : `${done} of ${all} domains point to the nodes`,
    noCname: 'None: add records with the node addresses below',
    addresses: 'Node addresses',
    noAddresses: 'The line group has no nodes, so there are no addresses yet',
    record: 'Add this DNS record',
    recordHint: (zone: string) =>
      `Add it at the DNS provider of ${zone}. New records can take a few minutes to take effect.`,
    apexHint:
      'The apex (@) usually cannot have a CNAME record. Use ALIAS, ANAME or CNAME flattening if your DNS provider offers it, or a subdomain such as www.',
    tryLabel: 'Test before switching DNS',
    tryLater: 'A test command appears here once a node is online with this configuration.',
    orTxt: 'Or verify ownership with a TXT record first and switch DNS later:',
    andTxt: 'Node addresses do not verify ownership. Add this TXT record as well:',
    contestedNotice:
      'This domain overlaps with a domain of another customer. Until you verify it, it is served by that customer’s site. Add the TXT record below, or a CNAME from this domain directly to this site, then select “Check again”. You can also ask the platform administrator to assign the domain.',
    contestedTxt: 'This TXT record is valid for this domain on this site only:',
    overlaps: 'Overlaps with another customer',
    overlapping: 'Overlapping domains',
    overlapOf: (domain: string, client: string, site: number) => `${domain} (${client}, site ${site})`,
    grant: 'Assign to this site',
    grantGiven: 'This domain is already assigned to this site',
    grantTitle: 'Assign domain to this site?',
    grantBody: (domain: string) =>
      `No DNS verification is needed: this site serves ${domain} immediately. If a site of another customer uses the same domain, it is removed from that site.`,
    granted: (domain: string) => `${domain} assigned to this site`,
    unverified:
      'Points to this platform, but ownership is not verified: add the TXT record shown under “Setup” on the site.',
    unpublished: (cname: string) =>
      `The CNAME is correct, but ${cname} has no address yet: ask the platform administrator to add DNS records for it that point to the nodes.`,
    type: 'Type',
    name: 'Name',
    value: 'Value',
    seen: 'Found',
    expected: 'Expected',
    chain: 'CNAME chain',
    nothing: 'None',
    asked: 'Queried name',
    nextCheck: 'Next automatic check',
    verdicts: {
      cname: 'CNAME correct',
      address: 'Points to nodes',
      txt: 'Verified, not pointing to nodes',
      partly: 'Partly points to nodes',
      elsewhere: 'Points elsewhere',
      no_records: 'No records',
      nxdomain: 'Domain does not exist',
      refused: 'Query refused',
      server_failed: 'DNS server error',
      timeout: 'Timed out',
    },
    advice: {
      cname: 'The CNAME points to this platform. No action needed.',
      address: 'All addresses belong to nodes. No action needed.',
      txt: 'The TXT record verifies ownership, but the domain does not point to the nodes yet. Add the record above.',
      partly: 'Some addresses do not belong to nodes. Delete those records.',
      elsewhere: 'The domain points elsewhere. Replace its records with the one above.',
      no_records: 'The domain has no address records. Add the record above.',
      nxdomain:
        'The domain does not exist in DNS. Add the record above, and make sure the domain is registered and has not expired.',
      refused:
        'The DNS server refused the query. Ask the platform administrator to check the DNS servers in Settings.',
      server_failed:
        'The DNS servers of the domain returned an error. Check its NS records and DNSSEC configuration.',
      timeout:
        'The DNS query timed out. Try again later; if it keeps failing, check the NS records of the domain.',
    },
    proofs: { given: 'Verified', waiting: 'Pending', failed: 'Failed' },
  },
});
