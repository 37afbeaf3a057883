export const protectionIssues = {
  color: {
    zh: '请输入 # 加 6 位十六进制颜色，如 #1d6fd8',
    en: 'Enter a color as # and six hexadecimal digits, such as #1d6fd8',
  },
  guard_status: {
    zh: '请输入状态码（如 404）或状态码类别（如 5xx）',
    en: 'Enter a status code, such as 404, or a class, such as 5xx',
  },
  guard_key_name: {
    zh: "名称只能包含字母、数字和 !#$%&'*+.^_`|~-",
    en: "A name contains only letters, digits and !#$%&'*+.^_`|~-",
  },
  guard_ban_seconds: {
    zh: '封禁时长至少 10 秒',
    en: 'Block for at least 10 seconds',
  },
  protection_tag: {
    zh: '标签以字母或数字开头，只能包含字母、数字、_、.、: 和 -，最多 40 个字符',
    en: 'A tag starts with a letter or digit and contains only letters, digits, _, ., : and -, up to 40 characters',
  },
  matcher_import: {
    zh: '请提供规则或规则模板，二者选一',
    en: 'Send either rules or a template',
  },
  matcher_order: {
    zh: '请按新的顺序列出全部规则的编号，每个编号一次',
    en: 'List the number of every rule once, in the new order',
  },
  matcher_many: { zh: '最多 200 条规则', en: 'At most 200 rules' },
  waf_template_list: {
    zh: '模板中的规则不能引用地址列表',
    en: 'Rules of a template cannot refer to address lists',
  },
} as const;
