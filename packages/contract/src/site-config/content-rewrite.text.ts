export const contentRewriteIssues = {
  rewrite_target: {
    zh: '请填写以 / 开头的路径或完整网址；网址中的域名须为固定域名或 ${host}',
    en: 'Enter a path that starts with /, or a full URL whose host is fixed or ${host}',
  },
  rewrite_from: {
    zh: '请填写以 / 开头的路径或完整网址，例如 /old/ 或 https://old.example.com/',
    en: 'Enter a path that starts with /, or a full URL, such as /old/ or https://old.example.com/',
  },
  rewrite_variable: {
    zh: '$ 后只能是 {host}、{scheme}、{method}、{path}、{query}、{uri}、{client_ip}、{request_id}；正则规则还可用 $1 至 $9；$$ 表示 $',
    en: 'Only {host}, {scheme}, {method}, {path}, {query}, {uri}, {client_ip} and {request_id} can follow $; regex rules can also use $1 to $9. Write $$ for a dollar sign',
  },
  rewrite_keep_path: {
    zh: '保留路径时，目标地址不能含 ? 或 #',
    en: 'When the path is kept, the target cannot contain ? or #',
  },
  redirect_loop: { zh: '该规则会重定向到自身', en: 'This rule redirects to itself' },
  media_type: {
    zh: '请输入媒体类型，例如 text/html 或 text/*',
    en: 'Enter a media type, such as text/html or text/*',
  },
  rewrite_field_name: {
    zh: '请输入有效的请求头或响应头名称，例如 X-Frame-Options',
    en: 'Enter a valid header name, such as X-Frame-Options',
  },
  field_framing: {
    zh: '此头部用于控制报文传输，不能修改',
    en: 'This header controls how the message is transferred and cannot be changed',
  },
  field_of_edge: {
    zh: '此头部由节点设置，或有专门的设置项',
    en: 'This header is set by the edge, or has its own setting',
  },
  field_followed: {
    zh: '此头部只能替换或删除，如需跳转请使用重定向规则',
    en: 'This header can only be replaced or removed. To redirect, use a redirect rule',
  },
  field_value: {
    zh: '只能包含可见的 ASCII 字符和空格，不能换行',
    en: 'Use printable ASCII characters and spaces only, without line breaks',
  },
} as const;
