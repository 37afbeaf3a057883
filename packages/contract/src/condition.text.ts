export const conditionIssues = {
  condition_list: {
    zh: '请从地址列表中选择，或填写列表编号',
    en: 'Choose an address list, or give its number',
  },
  country_code: {
    zh: '请输入两个字母的国家或地区代码，例如 CN、US',
    en: 'Give the two letters of a country, such as CN or US',
  },
  condition_large: { zh: '最多 50 个条件', en: 'A condition has 50 tests at most' },
  condition_field: { zh: '没有这个字段', en: 'There is no such field' },
  condition_operator: { zh: '该字段不支持此运算符', en: 'This field does not take this operator' },
  condition_no_name: { zh: '该字段不带名称', en: 'This field takes no name' },
  condition_no_values: { zh: '此运算符不需要值', en: 'This operator takes no value' },
  condition_one_value: { zh: '此运算符只能有一个值', en: 'This operator takes one value only' },
  condition_zone: { zh: '时区应写作 +08:00', en: 'Write the time zone as +08:00' },
  condition_number: { zh: '请输入非负整数', en: 'Enter a whole number, 0 or above' },
  condition_time: { zh: '时间应写作 08:30', en: 'Write a time as 08:30' },
  condition_date: { zh: '日期应写作 2026-01-31', en: 'Write a date as 2026-01-31' },
  condition_range: {
    zh: '范围应写作 起..止，例如 100..200，且起不大于止',
    en: 'Write a range as first..last, such as 100..200, the smaller first',
  },
} as const;
