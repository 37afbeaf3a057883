export const falseAlarmIssues = {
  false_alarm_line: {
    zh: '没有该请求的日志，或防护未对其做出判断',
    en: 'There is no log entry for this request, or protection did not act on it',
  },
  false_alarm_handled: {
    zh: '此误报已处理，不能再补充说明。处理结果显示在“误报”中',
    en: 'This false alarm was already handled, so no note can be added. Its outcome appears under False alarms',
  },
} as const;
