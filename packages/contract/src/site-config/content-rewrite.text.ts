export const contentRewriteIssues = {
  rewrite_target: {
    zh: '请填写以 / 开头的路径或完整网址；域名须写明，或为 ${host}',
    en: 'Give a path that starts with /, or a full address whose host is written out or ${host}',
  },
  rewrite_from: {
    zh: '请填写以 / 开头的路径或完整网址，例如 /old/ 或 https://old.example.com/',
    en: 'Give a path that starts with /, or a full address, such as /old/ or https://old.example.com/',
  },
  rewrite_variable: {
    zh: '$ 后只能是 {host}、{scheme}、{method}、{path}、{query}、{uri}、{client_ip}、{request_id}；正则规则还可用 $1 至 $9；$$ 表示 $',
    en: 'After $ comes {host}, {scheme}, {method}, {path}, {query}, {uri}, {client_ip} or {request_id}, with a regular expression also 1 to 9; $$ is a dollar sign',
  },
  rewrite_keep_path: {
    zh: '保留路径时，目标地址不能含 ? 或 #',
    en: 'Where the path is kept, the target has no ? and no #',
  },
  redirect_loop: { zh: '该规则会重定向到自身', en: 'This leads back to itself' },
  media_type: {
    zh: '请输入媒体类型，例如 text/html 或 text/*',
    en: 'Enter a media type, such as text/html or text/*',
  },
  rewrite_field_name: {
    zh: '请输入有效的头字段名，例如 X-Frame-Options',
    en: 'Enter a header field name, such as X-Frame-Options',
  },
  field_framing: {
    zh: '此字段决定消息如何传输，不能修改',
    en: 'This field says how the message is carried and cannot be changed',
  },
  field_of_edge: {
    zh: '此字段由节点自行设置，或有专门的设置项',
    en: 'The edge sets this field itself, or has a setting of its own for it',
  },
  field_followed: {
    zh: '请用重定向规则代替；此字段只能替换或删除',
    en: 'Use a redirect for this; the field can only be replaced or removed',
  },
  field_value: {
    zh: '只能包含可见的 ASCII 字符和空格，不能换行',
    en: 'Visible ASCII characters and spaces only, no line breaks',
  },
} as const;
