export const siteDraftIssues = {
  draft_syntax: {
    zh: '第 {line} 行：不是有效的 nginx 配置，行:列 ',
    en: 'Line {line}: this is not how nginx is configured, at ',
  },
  draft_json: { zh: '不是有效的 JSON', en: 'This is not JSON' },
  draft_none: { zh: '没有找到站点', en: 'There are no sites in this' },
} as const;
