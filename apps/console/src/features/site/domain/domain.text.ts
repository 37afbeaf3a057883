import type { DnsVerdict, domainProofs } from '@breakwater/contract';
import { defineText } from '../../../i18n/text.ts';

type Verdicts = Record<DnsVerdict, string>;
type Proofs = Record<(typeof domainProofs)[number], string>;

/** Domains, what the DNS is to say of them, and what it says. */
export const siteDomainText = defineText({
  zh: {
    listTitle: '域名列表',
    listSubtitle: '全部站点的域名、CNAME 与最近一次解析检查。',
    listEmpty: '还没有域名',
    listEmptyHint: '添加站点后，它的域名会出现在这里，并自动检查解析。',
    domain: '域名',
    site: '站点',
    client: '客户',
    username: '客户名称',
    verdict: '解析检查',
    proof: '验证',
    checkedAt: '检查时间',
    never: '尚未检查',
    notAsked: '尚未查询 DNS，稍后会自动检查；也可点击“重新检查”。',
    unchecked: '未检查',
    check: '重新检查',
    checked: (n: number) => `已检查 ${n} 个域名`,
    left: (n: number) => `还有 ${n} 个将在后台检查`,
    siteStatus: '站点状态',
    setup: '接入',
    setupHint: '两步：节点已有配置，域名解析到节点。',
    delivery: '1. 节点',
    pointing: '2. 解析',
    pointingCount: (done: number, all: number) =>
      all === 1
        ? done === 1
          ? '域名已解析到节点'
          : '域名尚未解析到节点'
        : `${done}/${all} 个域名已解析到节点`,
    noCname: '平台未设置 CNAME 域名，请使用下列节点地址',
    addresses: '节点地址',
    noAddresses: '线路组内没有节点，暂无地址',
    record: '要添加的解析记录',
    recordHint: (zone: string) => `在 ${zone} 的 DNS 服务商处添加。新记录可能需要几分钟才能查到。`,
    apexHint:
      '根域名（@）通常不能使用 CNAME：请使用 DNS 服务商的 ALIAS、ANAME 或 CNAME 拉平功能，或改用 www 等子域名。',
    tryLabel: '在切换解析之前测试',
    tryLater: '节点上线后，这里会显示切换解析前的测试命令。',
    orTxt: '或者先用 TXT 记录证明归属，稍后再切换解析：',
    andTxt: '节点地址不能证明归属，还需添加这条 TXT 记录：',
    contestedNotice:
      '此域名与其他客户正在使用的域名重叠。验证通过之前，访客仍访问该客户的站点。请添加下面的 TXT 记录，或将此域名直接 CNAME 到本站点，然后点击“重新检查”；也可请平台管理员确认归属。',
    contestedTxt: 'TXT 记录只对此站点的此域名有效：',
    overlaps: '与其他客户重叠',
    overlapping: '重叠的域名',
    overlapOf: (domain: string, client: string, site: number) => `${domain}（${client}，站点 ${site}）`,
    grant: '确认归属',
    grantGiven: '该域名已归属此站点',
    grantTitle: '将域名归属到此站点？',
    grantBody: (domain: string) =>
      `无需 DNS 验证，节点随即由本站点响应 ${domain}。如果其他客户的站点正在使用完全相同的域名，该站点将失去它。`,
    granted: (domain: string) => `${domain} 已归属此站点`,
    unverified: '已指向本平台，但这不能证明归属：请添加站点“接入”中显示的 TXT 记录。',
    unpublished: (cname: string) =>
      `CNAME 正确，但 ${cname} 本身还没有地址：平台管理员需在该 CNAME 域名的 DNS 中添加指向节点的记录。`,
    type: '类型',
    name: '主机记录',
    value: '记录值',
    seen: '实际查到',
    expected: '期望',
    chain: 'CNAME 链',
    nothing: '无',
    asked: '查询的名称',
    nextCheck: '下次自动检查',
    verdicts: {
      cname: '已指向 CNAME',
      address: '已指向节点',
      txt: '已验证，未指向',
      partly: '部分指向',
      elsewhere: '指向别处',
      no_records: '无解析记录',
      nxdomain: '域名不存在',
      refused: '被拒绝',
      server_failed: '服务器错误',
      timeout: '超时',
    } satisfies Verdicts,
    advice: {
      cname: '通过 CNAME 指向本平台，无需操作。',
      address: '全部地址都是节点的地址，无需操作。',
      txt: 'TXT 记录已证明归属，但域名还没有指向节点：添加上面的解析记录后访客才会到达节点。',
      partly: '有的地址是节点的，有的不是：删除不属于节点的记录。',
      elsewhere: '域名指向其他地方：将现有记录替换为上面的解析记录。',
      no_records: '域名存在，但没有地址记录：添加上面的解析记录。',
      nxdomain: 'DNS 中没有此名称：添加上面的解析记录，并确认域名已注册且未过期。',
      refused: 'DNS 服务器拒绝回答：请平台管理员检查“设置”中的 DNS 服务器。',
      server_failed: '域名的 DNS 服务器出错：检查域名的 NS 记录与 DNSSEC 设置。',
      timeout: 'DNS 服务器没有按时回答：稍后重新检查；若一直如此，检查域名的 NS 记录。',
    } satisfies Verdicts,
    proofs: { given: '已验证', waiting: '待验证', failed: '验证失败' } satisfies Proofs,
  },
  en: {
    listTitle: 'Domains',
    listSubtitle: 'The domains of all sites, their CNAME, and what the DNS last said of them.',
    listEmpty: 'No domains yet',
    listEmptyHint: 'Add a site: its domains show here, and their DNS is checked by itself.',
    domain: 'Domain',
    site: 'Site',
    client: 'Customer',
    username: 'Customer name',
    verdict: 'DNS check',
    proof: 'Verification',
    checkedAt: 'Checked',
    never: 'Not checked yet',
    notAsked: 'The DNS has not been asked yet. It is asked by itself soon, or press “Check again”.',
    unchecked: 'Not checked',
    check: 'Check again',
    checked: (n: number) => (n === 1 ? 'One domain checked' : `${n} domains checked`),
    left: (n: number) => `${n} more are checked in the background`,
    siteStatus: 'Site status',
    setup: 'Going live',
    setupHint: 'Two steps: the nodes have the site, and the domains point at the nodes.',
    delivery: '1. Nodes',
    pointing: '2. DNS',
    pointingCount: (done: number, all: number) =>
      all === 1
        ? done === 1
          ? 'The domain points here'
          : 'The domain does not point here yet'
        : `${done} of ${all} domains point here`,
    noCname: 'The platform has no CNAME domain; use the addresses of the nodes',
    addresses: 'Addresses of the nodes',
    noAddresses: 'The line group has no nodes, so there are no addresses yet',
    record: 'Create this record',
    recordHint: (zone: string) =>
      `Add it at the DNS provider of ${zone}. A new record may take a few minutes to be visible.`,
    apexHint:
      'The apex (@) usually cannot have a CNAME: use ALIAS, ANAME or CNAME flattening if your DNS provider offers it, or a subdomain such as www.',
    tryLabel: 'Test before you switch the DNS',
    tryLater: 'Once a node is online, a command to test with before the DNS is switched shows here.',
    orTxt: 'Or verify the domain with a TXT record, and point it here later:',
    andTxt: 'Addresses do not verify a domain. Create this TXT record too:',
    contestedNotice:
      'This domain overlaps with one that another customer uses. Until it is verified, visitors reach the site of that customer. Create the TXT record below, or a CNAME from this domain straight to this site, then press “Check again”. You can also ask the platform to assign it to you.',
    contestedTxt: 'The TXT record is for this domain on this site only:',
    overlaps: 'overlaps with another customer',
    overlapping: 'Overlapping domains',
    overlapOf: (domain: string, client: string, site: number) => `${domain} (${client}, site ${site})`,
    grant: 'Assign to this site',
    grantGiven: 'The domain is assigned to this site already',
    grantTitle: 'Assign the domain to this site?',
    grantBody: (domain: string) =>
      `No DNS record is needed: nodes answer for ${domain} with this site from now on. A site of another customer that has the very same domain loses it.`,
    granted: (domain: string) => `${domain} is assigned to this site`,
    unverified:
      'It points here, but that does not verify it: create the TXT record shown on the site, under “Going live”.',
    unpublished: (cname: string) =>
      `The CNAME is right, but ${cname} itself has no address yet: an operator of the platform has to create its record in the DNS.`,
    type: 'Type',
    name: 'Name',
    value: 'Value',
    seen: 'Seen',
    expected: 'Expected',
    chain: 'CNAME chain',
    nothing: 'None',
    asked: 'Name asked for',
    nextCheck: 'Next check by itself',
    verdicts: {
      cname: 'CNAME is right',
      address: 'Points at the nodes',
      txt: 'Verified, points elsewhere',
      partly: 'Points here in part',
      elsewhere: 'Points elsewhere',
      no_records: 'No record',
      nxdomain: 'No such name',
      refused: 'Refused',
      server_failed: 'DNS server failed',
      timeout: 'Timed out',
    },
    advice: {
      cname: 'It leads here by its CNAME. Nothing to do.',
      address: 'All its addresses are those of nodes. Nothing to do.',
      txt: 'The TXT record verifies it, but it does not lead to the nodes yet: visitors come once the record above is there.',
      partly: 'Some addresses are those of nodes, some are not: delete the records that are not.',
      elsewhere: 'It leads to another place: put the record above in place of what is there.',
      no_records: 'The name is there but has no address: create the record above.',
      nxdomain:
        'The DNS has no such name: create the record above, and see that the domain is registered and has not expired.',
      refused:
        'The DNS server refused to answer: an operator should look at the DNS servers in the settings.',
      server_failed: 'The DNS servers of the domain fail: look at its NS records and its DNSSEC.',
      timeout:
        'The DNS server did not answer in time. Check again later; if it stays so, look at the NS records of the domain.',
    },
    proofs: { given: 'Verified', waiting: 'Pending', failed: 'Failed' },
  },
});
