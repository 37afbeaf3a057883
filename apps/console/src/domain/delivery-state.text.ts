import { defineText } from '../i18n/text.ts';

export const deliveryText = defineText({
  zh: {
    states: { none: '无需下发', pending: '下发中', applied: '已生效', refused: '被拒绝' },
    progress: (done: number, total: number) => `${total} 个节点中 ${done} 个已确认`,
    desired: '目标版本',
    node: '节点',
    active: '生效版本',
    state: '状态',
    at: '时间',
    reason: '原因',
    noNodes: '没有相关节点',
  },
  en: {
    states: { none: 'Nowhere to deliver', pending: 'Delivering', applied: 'Delivered', refused: 'Refused' },
    progress: (done: number, total: number) => `${done} of ${total} nodes have acknowledged it`,
    desired: 'Desired revision',
    node: 'Node',
    active: 'Active revision',
    state: 'State',
    at: 'Time',
    reason: 'Reason',
    noNodes: 'No node is concerned',
  },
});
