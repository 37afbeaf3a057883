import { defineText } from '../../i18n/text.ts';

export const settingText = defineText({
  zh: {
    title: '设置',
    subtitle: '整个平台的设置。',
    retention: '日志保留',
    retentionHint: '超出保留期的数据由后台任务删除，无法恢复。',
    records: '访问日志保留天数',
    recordsHint: '单条访问日志，用于查询与排障。',
    rollups: '统计数据保留天数',
    rollupsHint: '按分钟汇总的数据，图表与账单使用。',
    days: '天',
    saved: '设置已保存',
  },
  en: {
    title: 'Settings',
    subtitle: 'Settings of the whole platform.',
    retention: 'Log retention',
    retentionHint: 'What is older is deleted by a job and cannot be brought back.',
    records: 'Access-log records',
    recordsHint: 'Single requests, for searches.',
    rollups: 'Minute figures',
    rollupsHint: 'Sums by minute, which charts and bills read.',
    days: 'days',
    saved: 'Settings saved',
  },
});
