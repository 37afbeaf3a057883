import { defineText } from '../../i18n/text.ts';

export const refusedLogText = defineText({
  zh: {
    title: '拦截日志',
    subtitle: '被站点规则拦截的请求，最新在前。点击一行可查看全部字段和拦截原因。',
    refusedBy: '拦截原因',
    empty: '还没有被拦截的请求',
    emptyHint: '站点启用访问控制、防盗链、URL 鉴权、密码访问或访问限制后，被拦截的请求会显示在这里。',
    allSites: '站点列表',
    stats: '攻击统计',
  },
  en: {
    title: 'Block log',
    subtitle:
      'Requests blocked by site rules, newest first. Select a row to see all fields and why it was blocked.',
    refusedBy: 'Blocked by',
    empty: 'No blocked requests yet',
    emptyHint:
      'Requests blocked by access control, hotlink protection, signed URLs, basic auth or limits appear here.',
    allSites: 'View sites',
    stats: 'Attack statistics',
  },
});
