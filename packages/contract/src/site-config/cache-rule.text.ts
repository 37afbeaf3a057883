export const cacheRuleIssues = {
  cache_rule_content: {
    zh: '请填写匹配内容；“全部”类型不需要内容',
    en: 'Say what to match; “all” takes no content',
  },
  field_name: {
    zh: '请输入有效的请求头名称，例如 accept-language',
    en: 'Enter a valid header name, such as accept-language',
  },
  field_name_reserved: {
    zh: '该请求头不能用来区分缓存',
    en: 'Answers cannot be kept apart by this header',
  },
  cookie_name: {
    zh: '请输入有效的 Cookie 名称，例如 session',
    en: 'Enter a valid cookie name, such as session',
  },
  status_not_cacheable: {
    zh: '该状态码的响应不会被缓存',
    en: 'Answers with this status are never stored',
  },
  slice_needs_lock: {
    zh: '分片缓存需要开启合并回源',
    en: 'Caching in parts needs collapsed requests to be on',
  },
  size_reversed: { zh: '上限不能小于下限', en: 'The upper limit is below the lower one' },
  suffix_plain: {
    zh: '后缀只能包含字母和数字，例如 jpg',
    en: 'A suffix has letters and digits only, such as jpg',
  },
} as const;
