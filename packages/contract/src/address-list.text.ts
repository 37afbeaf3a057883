export const addressListIssues = {
  address_entry: {
    zh: '请输入 IP、网段（10.0.0.0/8）或范围（192.0.2.1-192.0.2.9）',
    en: 'Enter an IP, a network (10.0.0.0/8) or a range (192.0.2.1-192.0.2.9)',
  },
  address_list_not_filled: {
    zh: '请选择来源为“规则添加”的地址列表',
    en: 'Choose an address list whose source is “Added by rules”',
  },
  address_list_line: {
    zh: '第 {line} 行：不是 IP、网段或范围',
    en: 'Line {line}: not an IP, network or range',
  },
  address_list_count: {
    zh: '该套餐最多 {line} 个地址列表，请先删除不再使用的列表',
    en: 'This plan allows {line address list|address lists}. Delete one that is no longer used',
  },
  address_list_entries: {
    zh: '该套餐所有地址列表合计最多 {line} 条',
    en: 'This plan allows {line entry|entries} across all address lists',
  },
  address_list_long: { zh: '每个列表最多 100000 条', en: 'A list can have up to 100,000 entries' },
} as const;
