import { defineText } from '../../i18n/text.ts';

export const attackStatsText = defineText({
  zh: {
    title: '攻击统计',
    subtitle: '被站点规则拦截的请求：访问控制、防盗链、签名、密码与访问限制。',
    refused: '被拦截的请求',
    ofAll: (share: string) => `占全部请求 ${share}`,
    sites: '被攻击的站点',
    kinds: '按规则类型',
    rules: '按具体规则',
    bySite: '按站点',
    addresses: '来源 IP',
    pages: '目标 URL',
    agents: 'User-Agent',
    provinces: '省份（中国）',
    log: '拦截日志',
    note: '只统计已记录的请求；关闭或抽样记录日志的站点，其排行不完整，总数和曲线不受影响。',
  },
  en: {
    title: 'Attack statistics',
    subtitle:
      'Requests that rules of sites refused: access rules, hotlinks, signed links, passwords and limits.',
    refused: 'Refused requests',
    ofAll: (share: string) => `${share} of all requests`,
    sites: 'Sites concerned',
    kinds: 'By kind',
    rules: 'By rule',
    bySite: 'By site',
    addresses: 'From addresses',
    pages: 'Pages asked for',
    agents: 'User agents',
    provinces: 'Provinces of China',
    log: 'Interception log',
    note: 'Rankings count what was recorded: those of a site that records few requests or none lack some. The total and the chart have all.',
  },
});
