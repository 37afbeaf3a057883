import type { Cycle } from '@breakwater/contract';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const orderText = defineText({
  zh: {
    ...wordsOf.zh('订单'),
    subtitle: '客户购买的套餐；站点归属于订单。',
    ownSubtitle: '您的套餐；每个站点归属于一个订单。',
    no: '订单号',
    anotherName: '别名',
    notes: '备注',
    client: '客户',
    username: '客户名称或邮箱',
    product: '套餐',
    lineGroup: '线路组',
    cycle: '付款周期',
    cycles: { month: '月付', quarter: '季付', half_year: '半年付', year: '年付' } satisfies Record<
      Cycle,
      string
    >,
    price: '价格',
    free: '免费',
    status: '状态',
    sites: '站点数',
    start: '开始时间',
    end: '到期时间',
    noEnd: '永不到期',
    sortBy: '排序依据',
    sortKeys: { created_at: '创建时间', end_at: '到期时间', price: '价格' },
    sortOrder: '排序方向',
    sortOrders: { asc: '升序', desc: '降序' },
    add: '创建订单',
    emptyHint: '为客户创建订单后，客户即可添加站点。',
    emptyHintCustomer: '请联系管理员为您开通套餐。',
    editNotes: '编辑别名与备注',
    move: '更换线路组',
    moveHint: (sites: number) =>
      sites === 0
        ? '新站点将使用新线路组。'
        : `${sites} 个站点将逐个迁移到新线路组；迁移完成前，站点继续由原线路组的节点提供服务。`,
    moved: (sites: number) => (sites === 0 ? '线路组已更换' : `线路组已更换，正在迁移 ${sites} 个站点`),
    openTask: '查看任务',
    sitesElsewhere: (sites: number) => `${sites} 个站点尚未迁移`,
    attack: '紧急防护',
    attackBody: (sites: number) =>
      `此订单的 ${sites} 个站点立即要求访客先通过浏览器验证，到期后各站点自动恢复原来的模式。程序和接口无法通过验证。`,
    attackEndBody: (sites: number) => `此订单的 ${sites} 个站点立即恢复原来的模式。`,
    attackTime: '时长',
    attackTimes: { '1800': '30 分钟', '3600': '1 小时', '21600': '6 小时', '86400': '24 小时' } as Record<
      string,
      string
    >,
    attackNone: '立即结束',
    attackStart: '开启',
    attackEnd: '结束紧急防护',
    attackSent: (sites: number) => `已提交，共 ${sites} 个站点`,
    removeBody: (no: string) => `将删除订单 ${no}。`,
    hasSites: '请先删除此订单的站点',
    noSites: '此订单没有站点',
    overview: '基本信息',
    viewSites: '查看站点',
    noPrice: '此套餐没有可用的付款周期',
  },
  en: {
    ...wordsOf.en('order'),
    subtitle: 'Plans bought by customers. Each site belongs to an order.',
    ownSubtitle: 'Your plans. Each site belongs to an order.',
    no: 'Order number',
    anotherName: 'Alias',
    notes: 'Notes',
    client: 'Customer',
    username: 'Name or email',
    product: 'Plan',
    lineGroup: 'Line group',
    cycle: 'Billing cycle',
    cycles: { month: 'Monthly', quarter: 'Quarterly', half_year: 'Every 6 months', year: 'Yearly' },
    price: 'Price',
    free: 'Free',
    status: 'Status',
    sites: 'Sites',
    start: 'Starts',
    end: 'Expires',
    noEnd: 'Never',
    sortBy: 'Sort by',
    sortKeys: { created_at: 'Created', end_at: 'Expiry', price: 'Price' },
    sortOrder: 'Sort direction',
    sortOrders: { asc: 'Ascending', desc: 'Descending' },
    add: 'Create order',
    emptyHint: 'Create an order for a customer so that they can add sites.',
    emptyHintCustomer: 'Ask your administrator to set up a plan for you.',
    editNotes: 'Edit alias and notes',
    move: 'Change line group',
    moveHint: (sites: number) =>
      sites === 0
        ? 'New sites will use the new line group.'
        : `${sites === 1 ? '1 site moves' : `${sites} sites move`} to the new line group, one at a time. Until a site has moved, its current nodes keep serving it.`,
    moved: (sites: number) =>
      sites === 0
        ? 'Line group changed'
        : `Line group changed; moving ${sites === 1 ? '1 site' : `${sites} sites`}`,
    openTask: 'View task',
    sitesElsewhere: (sites: number) =>
      sites === 1 ? '1 site has not moved yet' : `${sites} sites have not moved yet`,
    attack: 'Emergency protection',
    attackBody: (sites: number) =>
      `Visitors to ${sites} ${sites === 1 ? 'site' : 'sites'} of this order must pass browser verification from now on. Each site returns to its previous mode when the time is over. Programs and API clients cannot pass the verification.`,
    attackEndBody: (sites: number) =>
      `Emergency protection of ${sites} ${sites === 1 ? 'site' : 'sites'} of this order ends now; each site returns to its previous mode.`,
    attackTime: 'Duration',
    attackTimes: { '1800': '30 minutes', '3600': '1 hour', '21600': '6 hours', '86400': '24 hours' },
    attackNone: 'End now',
    attackStart: 'Start',
    attackEnd: 'End emergency protection',
    attackSent: (sites: number) => `Submitted for ${sites} ${sites === 1 ? 'site' : 'sites'}`,
    removeBody: (no: string) => `Order ${no} will be deleted.`,
    hasSites: 'Delete the sites of this order first',
    noSites: 'This order has no sites',
    overview: 'Details',
    viewSites: 'View sites',
    noPrice: 'This plan has no billing cycle available',
  },
});
