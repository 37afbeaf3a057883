export const patternIssues = {
  regex_invalid: { zh: '正则表达式无效', en: 'Invalid regular expression' },
  pattern_syntax: {
    zh: '正则表达式第 {line} 个字符处有误；匹配符号本身时，请在前面加反斜杠',
    en: 'The regular expression is invalid at character {line}; escape literal symbols with a backslash',
  },
  pattern_unsupported: {
    zh: '不支持第 {line} 个字符处的写法：不同正则引擎的行为不一致',
    en: 'The syntax at character {line} is not supported: regex engines treat it differently',
  },
  pattern_runaway: {
    zh: '第 {line} 个字符处的重复可能耗时过长：重复内不能再有不确定的重复或分支',
    en: 'The repetition at character {line} can take very long: it must not contain ambiguous repetitions or alternatives',
  },
  pattern_big: { zh: '正则表达式过长或过于复杂', en: 'The regular expression is too long or too complex' },
} as const;
