/** Why a path is judged as it is, in a trace. */
export const pathReasons = {
  zh: {
    path_no_path: '路径写法有歧义：没有以 / 开头的路径',
    path_fragment: '路径写法有歧义：路径中有 #',
    path_bad_escape: '路径写法有歧义：百分号编码不完整',
    path_control_character: '路径写法有歧义：路径中有控制字符',
    path_backslash: '路径写法有歧义：路径中有反斜杠',
    path_double_encoding: '路径写法有歧义：重复编码',
    path_overlong: '路径写法有歧义：超长 UTF-8 编码',
    path_dot_segment: '路径写法有歧义：路径中有 . 或 ..',
    path_mixed_marks: '路径写法有歧义：多种有歧义的符号混用',
    path_of_nobody: '节点保留的路径，不会到达源站',
    path_unsure: '路径有多种读法，缓存规则不适用，遵循源站',
  },
  en: {
    path_no_path: 'Refused: no path that begins with a slash',
    path_fragment: 'Refused: a # in the path',
    path_bad_escape: 'Refused: a broken percent-encoding',
    path_control_character: 'Refused: a control character in the path',
    path_backslash: 'Refused: a backslash in the path',
    path_double_encoding: 'Refused: encoded twice',
    path_overlong: 'Refused: overlong UTF-8',
    path_dot_segment: 'Refused: a dot segment in the path',
    path_mixed_marks: 'Refused: ambiguous marks of several kinds',
    path_of_nobody: 'Reserved for the node; it reaches no origin',
    path_unsure:
      'The path can be read in more than one way, so cache rules do not apply and the origin decides',
  },
};
