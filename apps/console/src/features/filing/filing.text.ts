import type { FilingReason, FilingState, UnfiledState } from '@breakwater/contract';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const filingText = defineText({
  zh: {
    ...wordsOf.zh('备案号'),
    subtitle: '主域名的 ICP 备案号。要求备案的线路组只为备案号已核验的域名提供服务。',
    emptyHint: '录入主域名的备案号，核验通过后，要求备案的线路组即可为其提供服务。',
    add: '录入备案号',
    edit: '编辑备案号',
    domain: '主域名',
    domainHint: '例如 example.com，对其所有子域名有效。',
    number: '备案号',
    numberHint: '例如“京ICP备12345678号-1”。',
    editHint: '修改后需重新核验，核验通过前，要求备案的线路组将停止服务此域名。',
    client: '客户',
    state: '状态',
    states: { pending: '待核验', confirmed: '已核验', rejected: '未通过' } satisfies Record<
      FilingState,
      string
    >,
    reasons: {
      none: '',
      operator: '已由平台驳回',
      not_found: '未查到此域名的备案',
      number_differs: '备案号不符',
    } satisfies Record<FilingReason, string>,
    found: (number: string) => `查到的备案号：${number}`,
    holder: '主办单位',
    domains: '使用中的域名',
    checked: '上次查询',
    never: '未查询',
    removeBody: (name: string) => `将删除“${name}”的备案号。要求备案的线路组将停止服务其所有域名。`,
    unfiled: '未备案的域名',
    check: '立即核验',
    checkedAs: (state: string) => `核验结果：${state}`,
    confirm: '确认备案号',
    confirmTitle: '确认此备案号？',
    confirmBody: (name: string, number: string) =>
      `确认“${name}”的备案号为“${number}”。要求备案的线路组将开始服务其所有域名。`,
    reject: '驳回备案号',
    rejectTitle: '驳回此备案号？',
    rejectBody: (name: string) => `“${name}”的备案号将标记为未通过，要求备案的线路组不再服务其域名。`,
    note: '说明',
    noteHint: '客户可以看到。',
    decided: '已保存，等待节点生效',
  },
  en: {
    ...wordsOf.en('filing number'),
    subtitle:
      'ICP filing numbers of registrable domains. Line groups that require one serve only domains whose number is confirmed.',
    emptyHint:
      'Enter the filing number of a domain. Once it is confirmed, line groups that require one serve the domain.',
    add: 'Enter filing number',
    edit: 'Edit filing number',
    domain: 'Registrable domain',
    domainHint: 'Such as example.com; it covers all its subdomains.',
    number: 'Filing number',
    numberHint: 'Such as “京ICP备12345678号-1”.',
    editHint:
      'A changed number has to be confirmed again. Until then, line groups that require one do not serve the domain.',
    client: 'Customer',
    state: 'Status',
    states: { pending: 'Pending', confirmed: 'Confirmed', rejected: 'Rejected' },
    reasons: {
      none: '',
      operator: 'Rejected by the platform',
      not_found: 'No filing was found for this domain',
      number_differs: 'The filing number differs',
    },
    found: (number: string) => `Number on file: ${number}`,
    holder: 'Holder',
    domains: 'Domains in use',
    checked: 'Last checked',
    never: 'Never',
    removeBody: (name: string) =>
      `The filing number of “${name}” will be deleted. Line groups that require one stop serving all its domains.`,
    unfiled: 'Domains without a filing number',
    check: 'Check now',
    checkedAs: (state: string) => `Result: ${state}`,
    confirm: 'Confirm number',
    confirmTitle: 'Confirm this filing number?',
    confirmBody: (name: string, number: string) =>
      `“${number}” will be confirmed as the filing number of “${name}”. Line groups that require one start serving its domains.`,
    reject: 'Reject number',
    rejectTitle: 'Reject this filing number?',
    rejectBody: (name: string) =>
      `The filing number of “${name}” will be rejected. Line groups that require one stop serving its domains.`,
    note: 'Note',
    noteHint: 'Visible to the customer.',
    decided: 'Saved; deploying to the nodes',
  },
});

export const unfiledText = defineText({
  zh: {
    title: '未备案的域名',
    subtitle: '没有已核验备案号的站点域名。线路组要求备案时，节点向访客返回提示页面。',
    domain: '域名',
    site: '站点',
    client: '客户',
    zone: '主域名',
    number: '备案号',
    states: { missing: '未录入', pending: '待核验', rejected: '未通过' } satisfies Record<
      UnfiledState,
      string
    >,
    service: '备案影响',
    served: '不受影响',
    stopped: '停止服务（提示页面）',
    lineGroup: '线路组',
    only: '仅停止服务的',
    all: '全部',
    filings: '备案号',
    empty: '没有未备案的域名',
    emptyHint: '所有站点域名的备案号均已核验。',
  },
  en: {
    title: 'Domains without a filing number',
    subtitle:
      'Domains of sites without a confirmed filing number. Where the line group requires one, nodes show visitors a notice page.',
    domain: 'Domain',
    site: 'Site',
    client: 'Customer',
    zone: 'Registrable domain',
    number: 'Filing number',
    states: { missing: 'Missing', pending: 'Pending', rejected: 'Rejected' },
    service: 'Effect',
    served: 'None',
    stopped: 'Not served (notice page)',
    lineGroup: 'Line group',
    only: 'Only domains not served',
    all: 'All',
    filings: 'Filing numbers',
    empty: 'No domains without a filing number',
    emptyHint: 'The filing numbers of all domains are confirmed.',
  },
});
