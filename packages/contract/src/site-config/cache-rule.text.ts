export const cacheRuleIssues = {
  cache_rule_content: {
    zh: '请填写匹配内容；“全部请求”类型不需要内容',
    en: 'Enter what to match; the type “All requests” needs none',
  },
  field_name: {
    zh: '请输入有效的请求头名称，例如 accept-language',
    en: 'Enter a valid header name, such as accept-language',
  },
  field_name_reserved: {
    zh: '该请求头不能用于区分缓存',
    en: 'This request header cannot be part of the cache key',
  },
  cookie_name: {
    zh: '请输入有效的 Cookie 名称，例如 session',
    en: 'Enter a valid cookie name, such as session',
  },
  language_tag: {
    zh: '请输入有效的语言标签，例如 zh-CN',
    en: 'Enter a valid language tag, such as zh-CN',
  },
  status_not_cacheable: {
    zh: '该状态码的响应不会被缓存',
    en: 'Responses with this status code are never cached',
  },
  slice_needs_lock: {
    zh: '分片缓存需要合并回源，请先开启',
    en: 'Slice caching requires request collapsing. Turn it on first',
  },
  size_reversed: { zh: '上限不能小于下限', en: 'The upper limit cannot be below the lower limit' },
  suffix_plain: {
    zh: '后缀只能包含字母和数字，例如 jpg',
    en: 'An extension can contain only letters and digits, such as jpg',
  },
} as const;
