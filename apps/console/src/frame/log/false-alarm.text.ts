import { defineText } from '../../i18n/text.ts';

export const reportText = defineText({
  zh: {
    report: '报告误报',
    hint: '说明该请求为何不是攻击。所需的日志内容会一并保存，供平台核实；处理结果显示在“误报”中。',
    note: '说明',
    reported: '已报告误报',
    ban: '封禁此 IP',
    allow: '放行此类请求',
    openRule: '查看规则',
  },
  en: {
    report: 'Report false alarm',
    hint: 'Explain why this request is not an attack. The relevant log data is kept with the report, and the outcome appears under False alarms.',
    note: 'Note',
    reported: 'False alarm reported',
    ban: 'Block this IP',
    allow: 'Allow such requests',
    openRule: 'Open rule',
  },
});
