import type { NodeResource } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const nodeResourcesText = defineText({
  zh: {
    title: '资源统计',
    subtitle: '节点的 CPU、负载、内存、磁盘、网络与连接数历史。未选择节点时显示负载最高的节点。',
    nodes: '对比的节点',
    add: '选择节点',
    leaveOut: (name: string) => `取消对比：${name}`,
    allNodes: '负载最高的节点',
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
    shownOf: (shown: number, total: number) => `共 ${total} 个节点，显示负载最高的 ${shown} 个`,
    none: '所选时间内没有节点上报',
    noneHint: '节点上线后每几秒上报一次，一分钟内显示在这里。',
    toNodes: '节点列表',
  },
  en: {
    title: 'Resources',
    subtitle:
      'CPU, load, memory, disk, network and connections of nodes over time. If no node is selected, the busiest ones are shown.',
    nodes: 'Nodes to compare',
    add: 'Choose node',
    leaveOut: (name: string) => `Remove from comparison: ${name}`,
    allNodes: 'Busiest nodes',
    most: (most: number) => `Compare at most ${most} nodes at once`,
    shows: 'Show',
    shown: { mean: 'Average', peak: 'Peak' },
    resources: {
      cpu: 'CPU usage',
      load: 'Load (1 minute)',
      memory: 'Memory usage',
      disk: 'Disk usage',
      network_in: 'Network in',
      network_out: 'Network out',
      connections: 'Connections',
    },
    shownOf: (shown: number, total: number) => `Showing the ${shown} busiest of ${total} nodes`,
    none: 'No reports in this time range',
    noneHint: 'Nodes report every few seconds and appear here within a minute.',
    toNodes: 'Node list',
  },
});
