export const siteDomainIssues = {
  domain_taken: { zh: '该域名已被其他站点使用', en: 'Another site already uses this domain' },
  prompt_parts: {
    zh: '第 {line} 行：格式应为“标题|内容|颜色”',
    en: 'Line {line}: must be title|content|color',
  },
  prompt_color: {
    zh: '第 {line} 行：颜色只能是 green、gray、yellow 或 red',
    en: 'Line {line}: the color must be green, gray, yellow or red',
  },
  prompt_long: {
    zh: '第 {line} 行：标题最多 100 字，内容最多 500 字',
    en: 'Line {line}: the title can have at most 100 characters, the content 500',
  },
} as const;
