/** Why a path is judged as it is, in a trace. */
export const pathReasons = {
  zh: {
    path_no_path: '路径有歧义：不以 / 开头',
    path_fragment: '路径有歧义：包含 #',
    path_bad_escape: '路径有歧义：百分号编码不完整',
    path_control_character: '路径有歧义：包含控制字符',
    path_backslash: '路径有歧义：包含反斜杠',
    path_double_encoding: '路径有歧义：重复编码',
    path_overlong: '路径有歧义：超长 UTF-8 编码',
    path_dot_segment: '路径有歧义：包含 . 或 ..',
    path_mixed_marks: '路径有歧义：混用多种有歧义的字符',
    path_of_nobody: '节点保留的路径，不会回源',
    path_unsure: '路径有多种解析方式，缓存规则不适用，遵循源站',
  },
  en: {
    path_no_path: 'Ambiguous path: does not start with /',
    path_fragment: 'Ambiguous path: contains #',
    path_bad_escape: 'Ambiguous path: incomplete percent-encoding',
    path_control_character: 'Ambiguous path: contains a control character',
    path_backslash: 'Ambiguous path: contains a backslash',
    path_double_encoding: 'Ambiguous path: double encoding',
    path_overlong: 'Ambiguous path: overlong UTF-8 encoding',
    path_dot_segment: 'Ambiguous path: contains . or ..',
    path_mixed_marks: 'Ambiguous path: several kinds of ambiguous characters',
    path_of_nobody: 'Path reserved by the node; never sent to the origin',
    path_unsure:
      'The path can be parsed in several ways, so cache rules do not apply and the origin is followed',
  },
};
