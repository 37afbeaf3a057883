export const statisticsIssues = {
  log_exclusion: {
    zh: '每行一个“字段=值”，最多 20 行',
    en: 'Enter one “field=value” per line, at most 20 lines',
  },
  range_reversed: { zh: '开始时间必须早于结束时间', en: 'The start must be before the end' },
  range_future: { zh: '开始时间不能在未来', en: 'The start cannot be in the future' },
  range_not_kept: {
    zh: '数据仅保留 {line} 天，请选择更近的开始时间',
    en: 'Data is kept for {line day|days}. Choose a later start',
  },
  range_too_long: { zh: '时间范围最长 {line} 天', en: 'The range can cover up to {line day|days}' },
  range_too_fine: {
    zh: '粒度过细：请选择 {line} 秒或更大的粒度，或缩短时间范围',
    en: 'The interval is too fine for this range. Choose {line} seconds or more, or a shorter range',
  },
} as const;
