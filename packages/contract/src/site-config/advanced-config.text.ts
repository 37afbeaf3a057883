export const advancedConfigIssues = {
  error_status: {
    zh: '请填写 404 这样的状态码，或 4xx、5xx',
    en: 'Enter a status code such as 404, or 4xx or 5xx',
  },
  redirect_url: {
    zh: '请填写以 / 开头的路径或完整网址',
    en: 'Enter a path that starts with /, or a full URL',
  },
  snippet_syntax: { zh: '第 {line} 行：语法有误', en: 'Line {line}: syntax error' },
  snippet_open: {
    zh: '第 {line} 行：缺少分号或引号',
    en: 'Line {line}: missing semicolon or quote',
  },
  snippet_block: {
    zh: '第 {line} 行：不允许使用花括号',
    en: 'Line {line}: braces are not allowed',
  },
  snippet_escape: {
    zh: '第 {line} 行：反斜杠后只能是引号或反斜杠',
    en: 'Line {line}: a backslash can only be followed by a quote or another backslash',
  },
  snippet_character: {
    zh: '第 {line} 行：引号内不能有换行或控制字符',
    en: 'Line {line}: line breaks and control characters are not allowed inside quotes',
  },
  snippet_many: { zh: '第 {line} 行：最多 50 条指令', en: 'Line {line}: at most 50 directives' },
  snippet_directive: {
    zh: '第 {line} 行：不允许使用此指令',
    en: 'Line {line}: this directive is not allowed',
  },
  snippet_arguments: { zh: '第 {line} 行：参数有误', en: 'Line {line}: invalid arguments' },
  snippet_variable: {
    zh: '第 {line} 行：不允许使用此变量',
    en: 'Line {line}: this variable is not allowed',
  },
  snippet_pattern: {
    zh: '第 {line} 行：不允许使用正则表达式',
    en: 'Line {line}: regular expressions are not allowed',
  },
  snippet_field: {
    zh: '第 {line} 行：不能设置此响应头',
    en: 'Line {line}: this response header cannot be set',
  },
  snippet_return: {
    zh: '第 {line} 行：不能返回此状态码，或网址无效',
    en: 'Line {line}: this status code cannot be returned, or the URL is invalid',
  },
  snippet_refused: { zh: '节点的 nginx 拒绝：', en: 'Rejected by the nginx of a node: ' },
} as const;
