/** Sentences for fields of any entity. */
export const commonIssues = {
  required: { zh: '不能为空', en: 'This field is required' },
  invalid: { zh: '格式不正确', en: 'Invalid format' },
  unknown_field: { zh: '未知字段', en: 'Unknown field' },
  wrong_type: { zh: '类型不正确', en: 'Wrong type' },
  too_small: { zh: '小于允许的最小值', en: 'Below the minimum' },
  too_big: { zh: '超过允许的最大值', en: 'Above the maximum' },
  too_short: { zh: '内容过短', en: 'Too short' },
  too_long: { zh: '内容过长', en: 'Too long' },
  text_unfit: {
    zh: '请删除无法保存的字符（空字符或不完整的 Unicode 字符）',
    en: 'Remove the characters that cannot be stored: NUL or incomplete Unicode characters',
  },
  time_range: { zh: '时间须在 1970 年至 2199 年之间', en: 'Enter a time between the years 1970 and 2199' },
  json_depth: { zh: '嵌套层数过多', en: 'Nested too deeply' },
  not_an_option: { zh: '不在可选范围内', en: 'Not one of the options' },
  ip_format: { zh: 'IP 格式错误', en: 'IP Format Error' },
  port_range: { zh: '请输入有效的端口范围', en: 'Please Enter Valid Port Range' },
  host_address: { zh: '请输入有效的 IP 地址或主机名', en: 'Enter a valid IP address or hostname' },
  domain_invalid: {
    zh: '请输入有效的域名，例如 www.example.com',
    en: 'Enter a valid domain, such as www.example.com',
  },
  domain_duplicate: { zh: '域名重复', en: 'This domain is listed twice' },
  url: {
    zh: '请输入以 http:// 或 https:// 开头的网址',
    en: 'Enter a URL that starts with http:// or https://',
  },
  path_absolute: { zh: '路径必须以 / 开头', en: 'The path must start with /' },
  does_not_exist: { zh: '所选对象不存在', en: 'The selected object does not exist' },
  name_taken: { zh: '名称已被使用', en: 'This name is taken' },
  total_differs: {
    zh: '选择时为 {line} 个，现在为 {other} 个',
    en: '{line} when selected, {other} now',
  },
  certificate_names: {
    zh: '一张证书最多 {line} 个域名',
    en: 'A certificate can have at most {line} domains',
  },
  filter_too_many: { zh: '最多 {line} 个，以逗号分隔', en: 'At most {line}, separated by commas' },
} as const;
