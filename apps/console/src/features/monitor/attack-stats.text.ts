import { defineText } from '../../i18n/text.ts';

export const attackStatsText = defineText({
  zh: {
    title: '攻击统计',
    subtitle: '被站点规则拦截的请求：访问控制、防盗链、URL 鉴权、密码访问与访问限制。',
    refused: '已拦截请求',
    ofAll: (share: string) => `占全部请求的 ${share}`,
    sites: '被攻击的站点',
    kinds: '按规则类型',
    rules: '按规则',
    bySite: '按站点',
    addresses: '来源 IP',
    pages: '目标 URL',
    agents: 'User-Agent',
    provinces: '省份（中国）',
    log: '拦截日志',
    note: '排行仅统计有日志的请求；关闭日志或抽样记录的站点排行不完整，总数和曲线不受影响。',
  },
  en: {
    title: 'Attack statistics',
    subtitle:
      'Requests blocked by site rules: access control, hotlink protection, signed URLs, basic auth and limits.',
    refused: 'Blocked requests',
    ofAll: (share: string) => `${share} of all requests`,
    sites: 'Sites attacked',
    kinds: 'By rule type',
    rules: 'By rule',
    bySite: 'By site',
    addresses: 'Source IPs',
    pages: 'Target URLs',
    agents: 'User agents',
    provinces: 'Provinces (China)',
    log: 'Block log',
    note: 'Rankings only include logged requests. They are incomplete for sites with logging off or sampled; totals and charts are not affected.',
  },
});
