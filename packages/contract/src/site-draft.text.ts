export const siteDraftIssues = {
  draft_syntax: {
    zh: '第 {line} 行：不是有效的 nginx 配置，位置（行:列）：',
    en: 'Line {line}: not a valid nginx configuration, at ',
  },
  draft_json: { zh: '不是有效的 JSON', en: 'Not valid JSON' },
  draft_none: { zh: '没有找到站点', en: 'No sites found' },
} as const;
