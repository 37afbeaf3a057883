import type { NodeResource } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const nodeResourcesText = defineText({
  zh: {
    title: '资源统计',
    subtitle: '节点的 CPU、负载、内存、磁盘、网络与连接数的历史。没有选择节点时显示最忙的几个。',
    nodes: '对比的节点',
    add: '添加节点',
    leaveOut: (name: string) => `不再对比：${name}`,
    allNodes: '最忙的几个',
    most: (most: number) => `一次最多对比 ${most} 个节点`,
    shows: '显示',
    shown: { mean: '平均值', peak: '峰值' },
    resources: {
      cpu: 'CPU 使用率',
      load: '负载（1 分钟）',
      memory: '内存使用率',
      disk: '磁盘使用率',
      network_in: '网络流入',
      network_out: '网络流出',
      connections: '连接数',
    } satisfies Record<NodeResource, string>,
    shownOf: (shown: number, total: number) => `共 ${total} 个节点，显示最忙的 ${shown} 个`,
    none: '所选时间内没有节点上报',
    noneHint: '节点上线后每几秒上报一次，一分钟之内就会出现在这里。',
    toNodes: '节点列表',
  },
  en: {
    title: 'Resources',
    subtitle:
      'Processors, load, memory, disk, network and connections of nodes over time; of the busiest where none is chosen.',
    nodes: 'Nodes compared',
    add: 'Add a node',
    leaveOut: (name: string) => `No longer compare: ${name}`,
    allNodes: 'The busiest',
    most: (most: number) => `At most ${most} nodes are compared at once`,
    shows: 'Shows',
    shown: { mean: 'Mean', peak: 'Highest' },
    resources: {
      cpu: 'Processors in use',
      load: 'Load (1 minute)',
      memory: 'Memory in use',
      disk: 'Disk in use',
      network_in: 'Received',
      network_out: 'Sent',
      connections: 'Connections',
    },
    shownOf: (shown: number, total: number) => `The ${shown} busiest of ${total} nodes`,
    none: 'No node said anything in this time',
    noneHint: 'A node reports every few seconds, and is seen here within a minute.',
    toNodes: 'Nodes',
  },
});
