export const falseAlarmIssues = {
  false_alarm_line: {
    zh: '没有该请求的日志，或防护未对其做出判断',
    en: 'There is no log entry of this request, or protection did nothing with it',
  },
} as const;
