export const falseAlarmIssues = {
  false_alarm_line: {
    zh: '没有该请求的日志，或防护未对其做出判断',
    en: 'There is no log entry for this request, or protection did not act on it',
  },
} as const;
