export const statisticsIssues = {
  log_exclusion: {
    zh: '每行一个“字段=值”，最多 20 行',
    en: 'One “field=value” a line, at most 20 lines',
  },
  range_reversed: { zh: '开始时间必须早于结束时间', en: 'The start must be before the end' },
  range_future: { zh: '开始时间不能在未来', en: 'The start lies in the future' },
  range_not_kept: {
    zh: '只保留 {line} 天的数据，请选择更近的开始时间',
    en: 'Only {line} days are kept: choose a later start',
  },
  range_too_fine: {
    zh: '粒度过细：此时间范围请选择 {line} 秒或更大的粒度，或缩短时间',
    en: 'Too fine for this range: take steps of {line} seconds or more, or a shorter range',
  },
} as const;
