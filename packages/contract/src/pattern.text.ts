export const patternIssues = {
  regex_invalid: { zh: '正则表达式无效', en: 'This regular expression is not valid' },
  pattern_syntax: {
    zh: '正则表达式第 {line} 个字符处有误；符号本身请在前面加反斜杠',
    en: 'The regular expression is wrong at character {line}; a sign that stands for itself takes a backslash',
  },
  pattern_unsupported: {
    zh: '第 {line} 个字符处的写法不受支持：不同引擎的理解不一致',
    en: 'What stands at character {line} is not supported: engines read it differently',
  },
  pattern_runaway: {
    zh: '第 {line} 个字符开始的重复可能耗时过长：重复内不能再有含糊的重复或选择',
    en: 'The repeat at character {line} can take very long: no ambiguous repeat or choice may stand inside it',
  },
  pattern_big: { zh: '正则表达式过长或过于复杂', en: 'This regular expression is too long or too large' },
} as const;
