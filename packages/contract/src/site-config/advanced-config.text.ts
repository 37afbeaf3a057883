export const advancedConfigIssues = {
  error_status: {
    zh: '请填写 404 这样的状态码，或 4xx、5xx',
    en: 'Give a status such as 404, or 4xx or 5xx',
  },
  redirect_url: {
    zh: '请填写以 / 开头的路径或完整网址',
    en: 'Give a path that starts with /, or a full address',
  },
  snippet_syntax: { zh: '第 {line} 行：语法有误', en: 'Line {line}: this is not how a directive is written' },
  snippet_open: {
    zh: '第 {line} 行：缺少分号或引号',
    en: 'Line {line}: a semicolon or a quote is missing',
  },
  snippet_block: {
    zh: '第 {line} 行：不允许使用花括号',
    en: 'Line {line}: blocks in braces are not allowed',
  },
  snippet_escape: {
    zh: '第 {line} 行：反斜杠后只能是引号或反斜杠',
    en: 'Line {line}: after a backslash only a quote or another backslash may stand',
  },
  snippet_character: {
    zh: '第 {line} 行：引号内不能有换行或控制字符',
    en: 'Line {line}: no line breaks or control characters inside a word',
  },
  snippet_many: { zh: '第 {line} 行：最多 50 条指令', en: 'Line {line}: 50 directives at most' },
  snippet_directive: {
    zh: '第 {line} 行：该指令不在允许的列表中',
    en: 'Line {line}: this directive is not on the list of those allowed',
  },
  snippet_arguments: { zh: '第 {line} 行：参数有误', en: 'Line {line}: not the arguments it takes' },
  snippet_variable: {
    zh: '第 {line} 行：不允许使用此变量',
    en: 'Line {line}: this variable is not on the list of those allowed',
  },
  snippet_pattern: {
    zh: '第 {line} 行：不允许使用正则表达式',
    en: 'Line {line}: regular expressions are not allowed',
  },
  snippet_field: {
    zh: '第 {line} 行：不能设置此响应头',
    en: 'Line {line}: this header field cannot be set',
  },
  snippet_return: {
    zh: '第 {line} 行：不能返回此状态码，或网址无效',
    en: 'Line {line}: not a status that can be returned, or not an address',
  },
  snippet_refused: { zh: '节点的 nginx 拒绝：', en: "A node's nginx refuses this: " },
} as const;
