import { defineText } from '../../i18n/text.ts';

export const refusedLogText = defineText({
  zh: {
    title: '拦截日志',
    subtitle: '被站点规则拦截的请求，最新在前。点击一行可查看全部字段和拦截原因。',
    refusedBy: '拦截原因',
    empty: '还没有被拦截的请求',
    emptyDay: '近 24 小时没有被拦截的请求',
    emptyHint: '被访问控制、自定义规则、攻击检测、CC 防护、浏览器验证或访问限制等拦截的请求会显示在这里。',
    allSites: '站点列表',
    stats: '攻击统计',
  },
  en: {
    title: 'Block log',
    subtitle:
      'Requests blocked by site rules, newest first. Select a row to see all fields and why it was blocked.',
    refusedBy: 'Blocked by',
    empty: 'No blocked requests yet',
    emptyDay: 'No blocked requests in the last 24 hours',
    emptyHint:
      'Requests blocked by access control, custom rules, attack detection, CC protection, browser verification or limits appear here.',
    allSites: 'View sites',
    stats: 'Attack statistics',
  },
});
