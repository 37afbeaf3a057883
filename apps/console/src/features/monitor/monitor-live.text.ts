import { counted } from '../../i18n/counted.ts';
import { defineText } from '../../i18n/text.ts';

export const monitorLiveText = defineText({
  zh: {
    waiting: '正在等待节点上报第一秒的数据…',
    silent: (silent: number, all: number) => `${all} 个节点中有 ${silent} 个未上报，数据不含这些节点`,
    noNode: '目前没有节点上报。节点恢复后图表自动继续。',
    oneSite: '您只能查看部分站点。请在筛选中选择一个站点以查看每秒数据。',
    bandwidth: '带宽',
    requests: '每秒请求数',
    hitRate: '请求命中率',
    errors: '每秒 5xx 错误',
    refused: '每秒拦截数',
    connections: '节点连接数',
    connectionsHint: '相关节点上所有站点的连接',
    originRequests: (count: string) => `回源 ${count}`,
    about: '节点按秒上报，图表约延迟 2 到 5 秒，显示最近 3 分钟。空缺表示没有节点上报。',
    visitors: '访客',
    origin: '回源',
    statusClasses: '状态码',
  },
  en: {
    waiting: 'Waiting for the first data from the nodes…',
    silent: (silent: number, all: number) =>
      `${silent} of ${counted(all, 'node')} ${silent === 1 ? 'is not reporting; its' : 'are not reporting; their'} traffic is not included`,
    noNode: 'No node is reporting. The charts continue automatically when one is back.',
    oneSite:
      'You have access to certain sites only. Select one of them in the filters to see its data by the second.',
    bandwidth: 'Bandwidth',
    requests: 'Requests per second',
    hitRate: 'Request hit ratio',
    errors: '5xx errors per second',
    refused: 'Blocked per second',
    connections: 'Node connections',
    connectionsHint: 'Connections of all sites on these nodes',
    originRequests: (count: string) => `Origin ${count}`,
    about:
      'Nodes report every second; charts lag 2 to 5 seconds and show the last 3 minutes. Gaps mean that no node reported.',
    visitors: 'Visitors',
    origin: 'Origin',
    statusClasses: 'Status codes by class',
  },
});
