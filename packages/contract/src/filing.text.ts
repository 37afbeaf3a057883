export const filingIssues = {
  filing_number: {
    zh: '请输入完整的备案号，例如“京ICP备12345678号-1”',
    en: 'Enter the full filing number, such as “京ICP备12345678号-1”',
  },
  filing_name: {
    zh: '备案按主域名登记，请输入主域名，例如 example.com',
    en: 'Filing numbers are registered per registrable domain. Enter that domain, such as example.com',
  },
  filing_manual: {
    zh: '备案号由管理员核验，请等待处理',
    en: 'Filing numbers are confirmed by an administrator. Wait for the decision',
  },
} as const;

/** The short name of a province, the kind, the number of its holder, and after a hyphen that of the site. */
export const filingNumberPattern =
  /^[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]ICP备\d{6,12}号(?:-\d{1,4})?$/;
