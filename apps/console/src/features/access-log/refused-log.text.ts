import { defineText } from '../../i18n/text.ts';

export const refusedLogText = defineText({
  zh: {
    title: '拦截日志',
    subtitle: '被站点规则拦截的请求，最新的在前。点击一行可查看全部字段，并分析它为何被拦截。',
    refusedBy: '拦截原因',
    empty: '还没有被拦截的请求',
    emptyHint: '站点设置了访问控制、防盗链、签名链接、密码或访问限制之后，被拦截的请求会出现在这里。',
    allSites: '站点列表',
    stats: '攻击统计',
  },
  en: {
    title: 'Interception log',
    subtitle:
      'Requests that rules of sites refused, newest first. A row opens to all it has, and to why it was refused.',
    refusedBy: 'Refused by',
    empty: 'Nothing was refused yet',
    emptyHint:
      'Once a site has access rules, hotlink protection, signed links, a password or limits, what they refuse stands here.',
    allSites: 'Sites',
    stats: 'Attack statistics',
  },
});
