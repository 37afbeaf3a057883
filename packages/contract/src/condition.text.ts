export const conditionIssues = {
  condition_decode: {
    zh: '只有文本字段可以解码，且“长度”只能放在最后',
    en: 'Only text fields can be decoded, and the length comes last',
  },
  condition_list: {
    zh: '请选择地址列表，或填写列表编号',
    en: 'Choose an address list, or enter its ID',
  },
  condition_content: {
    zh: '请求内容只能用于自定义规则的条件',
    en: 'Request content can only be tested in conditions of custom rules',
  },
  condition_answer: {
    zh: '响应字段只能用于自定义规则的条件',
    en: 'Response fields can only be tested in conditions of custom rules',
  },
  condition_answer_content: {
    zh: '同一条件不能既判断请求内容又判断响应',
    en: 'One condition cannot test both request content and the response',
  },
  matcher_answer_action: {
    zh: '条件判断响应时，只能拦截、封禁 IP、标记、加入地址列表或通知',
    en: 'A rule that tests the response can only block, block the IP, tag, add to an address list or notify',
  },
  country_code: {
    zh: '请输入两个字母的国家或地区代码，例如 CN、US',
    en: 'Enter a two-letter country or region code, such as CN or US',
  },
  condition_large: { zh: '最多 50 个条件', en: 'At most 50 conditions' },
  condition_field: { zh: '没有此字段', en: 'Unknown field' },
  condition_operator: { zh: '该字段不支持此运算符', en: 'This field does not support this operator' },
  condition_no_name: { zh: '该字段不需要名称', en: 'This field takes no name' },
  condition_no_values: { zh: '此运算符不需要值', en: 'This operator takes no value' },
  condition_one_value: { zh: '此运算符只能有一个值', en: 'This operator takes only one value' },
  condition_zone: { zh: '请输入时区，例如 +08:00', en: 'Enter a time zone such as +08:00' },
  condition_number: { zh: '请输入非负整数', en: 'Enter a whole number, 0 or greater' },
  condition_time: { zh: '请输入时间，例如 08:30', en: 'Enter a time such as 08:30' },
  condition_date: { zh: '请输入日期，例如 2026-01-31', en: 'Enter a date such as 2026-01-31' },
  condition_range: {
    zh: '请输入范围，例如 100..200，起始值不能大于结束值',
    en: 'Enter a range such as 100..200, with the smaller value first',
  },
} as const;
