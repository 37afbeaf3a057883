import { defineText } from '../../i18n/text.ts';

export const monitorLiveText = defineText({
  zh: {
    waiting: '正在等待节点上报第一秒……',
    silent: (silent: number, all: number) => `${all} 个节点中有 ${silent} 个没有上报，数值不含它们`,
    noNode: '目前没有节点上报。节点恢复后图表会自动继续。',
    oneSite: '您只能查看部分站点，请在筛选中选择其中一个，以查看每秒数据。',
    bandwidth: '带宽',
    requests: '每秒请求',
    hitRate: '请求命中率',
    errors: '每秒 5xx',
    refused: '每秒拦截',
    connections: '节点连接数',
    connectionsHint: '相关节点上所有站点的连接',
    originRequests: (count: string) => `回源 ${count}`,
    about: '节点在一秒结束后上报，图表约落后 2 到 5 秒，保留最近 3 分钟。空缺表示没有节点上报。',
    visitors: '访客',
    origin: '回源',
    statusClasses: '状态码',
  },
  en: {
    waiting: 'Waiting for the first second from the nodes…',
    silent: (silent: number, all: number) => `${silent} of ${all} nodes are silent; their traffic is missing`,
    noNode: 'No node is reporting. The charts go on by themselves when one is back.',
    oneSite:
      'You reach certain sites only: choose one of them in the filters to see its traffic by the second.',
    bandwidth: 'Bandwidth',
    requests: 'Requests a second',
    hitRate: 'Hit rate by requests',
    errors: '5xx a second',
    refused: 'Refused a second',
    connections: 'Connections of the nodes',
    connectionsHint: 'Of all sites on these nodes',
    originRequests: (count: string) => `${count} from origins`,
    about:
      'Nodes tell of a second when it is over: the charts are 2 to 5 seconds behind and show the last 3 minutes. A gap is a second that no node told of.',
    visitors: 'Visitors',
    origin: 'Origins',
    statusClasses: 'Status classes',
  },
});
