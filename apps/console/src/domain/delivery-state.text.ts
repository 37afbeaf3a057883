import { counted } from '../i18n/counted.ts';
import { defineText } from '../i18n/text.ts';

export const deliveryText = defineText({
  zh: {
    states: { none: '无节点', pending: '待生效', applied: '已生效', refused: '节点拒绝' },
    progress: (done: number, total: number) => `${done}/${total} 个节点已生效`,
    desired: '目标修订号',
    node: '节点',
    active: '生效修订号',
    state: '状态',
    at: '时间',
    reason: '原因',
    noNodes: '没有节点使用此配置',
  },
  en: {
    states: { none: 'No nodes', pending: 'Deploying', applied: 'Live', refused: 'Rejected by a node' },
    progress: (done: number, total: number) => `Live on ${done} of ${counted(total, 'node')}`,
    desired: 'Target revision',
    node: 'Node',
    active: 'Active revision',
    state: 'Status',
    at: 'Time',
    reason: 'Reason',
    noNodes: 'No nodes use this configuration',
  },
});
