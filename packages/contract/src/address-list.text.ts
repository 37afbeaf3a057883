export const addressListIssues = {
  address_entry: {
    zh: '请输入 IP、网段（10.0.0.0/8）或范围（192.0.2.1-192.0.2.9）',
    en: 'Enter an address, a network (10.0.0.0/8) or a range (192.0.2.1-192.0.2.9)',
  },
  address_list_line: {
    zh: '第 {line} 行：不是 IP、网段或范围',
    en: 'Line {line}: no address, network or range',
  },
  address_list_count: {
    zh: '套餐最多允许 {line} 个地址列表，请先删除不用的列表',
    en: 'The product allows {line} address lists. Delete one that is not used',
  },
  address_list_entries: {
    zh: '套餐允许所有地址列表合计最多 {line} 条',
    en: 'The product allows {line} entries in all address lists together',
  },
  address_list_long: { zh: '最多 100000 条', en: 'A list holds 100,000 entries at most' },
} as const;
