/** Sentences for a field, by the key that a schema or a rule names. */
export const issues = {
  required: { zh: '不能为空', en: 'This field is required' },
  invalid: { zh: '格式不正确', en: 'This is not valid' },
  unknown_field: { zh: '未知字段', en: 'Unknown field' },
  wrong_type: { zh: '类型不正确', en: 'Wrong type' },
  too_small: { zh: '小于允许的最小值', en: 'Below the smallest value allowed' },
  too_big: { zh: '超过允许的最大值', en: 'Above the largest value allowed' },
  too_short: { zh: '内容过短', en: 'Too short' },
  too_long: { zh: '内容过长', en: 'Too long' },
  text_unfit: {
    zh: '包含无法保存的字符（空字符或不完整的 Unicode 字符）',
    en: 'Remove the characters that cannot be stored: NUL, or half of a Unicode character',
  },
  time_range: { zh: '时间须在 1970 年至 2199 年之间', en: 'Give a time between the years 1970 and 2199' },
  json_depth: { zh: '嵌套层数过多', en: 'This is nested too deeply' },
  not_an_option: { zh: '不在可选范围内', en: 'Not one of the options' },
  ip_format: { zh: 'IP 格式错误', en: 'IP Format Error' },
  port_range: { zh: '请输入有效的端口范围', en: 'Please Enter Valid Port Range' },
  host_address: { zh: '请输入有效的 IP 地址或主机名', en: 'Enter a valid IP address or host name' },
  domain_invalid: {
    zh: '请输入有效的域名，例如 www.example.com',
    en: 'Enter a valid domain, such as www.example.com',
  },
  domain_duplicate: { zh: '域名重复', en: 'This domain is listed twice' },
  domain_taken: { zh: '该域名已被其他站点使用', en: 'Another site already uses this domain' },
  origin_private: {
    zh: '不允许使用内网、本机或保留地址作为源站；运营者可用 PRIVATE_ORIGINS 放开',
    en: 'Origins may not have private, local or reserved addresses. The operator can allow them (PRIVATE_ORIGINS)',
  },
  origin_cyclic: {
    zh: '源站指向了本平台自身，会造成回环',
    en: 'This origin points back at the platform itself and would loop',
  },
  cache_rule_content: {
    zh: '请填写匹配内容；“全部”类型不需要内容',
    en: 'Say what to match; “all” takes no content',
  },
  address_entry: {
    zh: '请输入 IP、网段（10.0.0.0/8）或范围（192.0.2.1-192.0.2.9）',
    en: 'Enter an address, a network (10.0.0.0/8) or a range (192.0.2.1-192.0.2.9)',
  },
  address_list_line: {
    zh: '第 {line} 行：不是 IP、网段或范围',
    en: 'Line {line}: no address, network or range',
  },
  address_list_long: { zh: '最多 100000 条', en: 'A list holds 100,000 entries at most' },
  url: {
    zh: '请输入以 http:// 或 https:// 开头的网址',
    en: 'Enter an address that starts with http:// or https://',
  },
  condition_list: {
    zh: '请从地址列表中选择，或填写列表编号',
    en: 'Choose an address list, or give its number',
  },
  country_code: {
    zh: '请输入两个字母的国家或地区代码，例如 CN、US',
    en: 'Give the two letters of a country, such as CN or US',
  },
  signing_secret: {
    zh: '密钥为 6 至 128 个可见的 ASCII 字符',
    en: 'A key has 6 to 128 visible ASCII characters',
  },
  cors_origin: {
    zh: '请输入 https://a.example 形式的来源，可带端口；https://*.a.example 表示全部子域名；* 表示任何来源',
    en: 'Give an origin such as https://a.example, https://*.a.example for all hosts below, or * for any',
  },
  cors_any_credentials: {
    zh: '允许携带凭据时不能使用 *',
    en: 'With credentials there can be no *',
  },
  basic_auth_password: {
    zh: '密码为 8 至 128 个字符，不含控制字符',
    en: 'A password has 8 to 128 characters',
  },
  basic_auth_name: {
    zh: '用户名为 1 至 100 个字符，不含冒号和控制字符',
    en: 'A name has 1 to 100 characters and no colon',
  },
  basic_auth_twice: { zh: '用户名重复', en: 'This name is there already' },
  basic_auth_realm: {
    zh: '只能使用可见的英文字符，不含引号和反斜杠',
    en: 'Printable ASCII characters, no quotes and no backslash',
  },
  signing_argument: {
    zh: '参数名只能包含字母、数字、下划线和连字符',
    en: 'An argument has letters, digits, underscores and hyphens',
  },
  access_path: {
    zh: '路径以 / 或 * 开头，不含空格、? 和 #',
    en: 'A path starts with / or *, and has no spaces, ? or #',
  },
  access_rule_empty: {
    zh: '至少填写一个条件；要拒绝其他所有访问，请使用“其他访客”',
    en: 'Say at least one thing that the rule is about; to refuse all others, use the setting for them',
  },
  explain_url: {
    zh: '请填写完整网址，例如 https://www.example.com/a?b=1；中文与空格请用百分号编码',
    en: 'Give a full address, such as https://www.example.com/a?b=1; write other characters percent-encoded',
  },
  path_absolute: { zh: '路径必须以 / 开头', en: 'A path starts with /' },
  path_ascii: {
    zh: '路径不能包含空格、控制字符或 #，其他字符请用百分号编码',
    en: 'No spaces, control characters or #; write other characters percent-encoded',
  },
  status_range: {
    zh: '请输入状态码或范围，例如 200 或 200-399',
    en: 'Enter a status code or a range, such as 200 or 200-399',
  },
  ascii_printable: { zh: '只能使用可见的英文字符', en: 'Printable ASCII characters only' },
  timeout_over_interval: {
    zh: '超时不能大于检查间隔',
    en: 'The timeout cannot be longer than the interval',
  },
  head_no_body: {
    zh: 'HEAD 请求没有响应内容，请改用 GET',
    en: 'An answer to HEAD has no body; use GET',
  },
  error_status: {
    zh: '请填写 404 这样的状态码，或 4xx、5xx',
    en: 'Give a status such as 404, or 4xx or 5xx',
  },
  redirect_url: {
    zh: '请填写以 / 开头的路径或完整网址',
    en: 'Give a path that starts with /, or a full address',
  },
  field_name: {
    zh: '请输入有效的请求头名称，例如 accept-language',
    en: 'Enter a valid header name, such as accept-language',
  },
  field_name_reserved: {
    zh: '该请求头不能用来区分缓存',
    en: 'Answers cannot be kept apart by this header',
  },
  cookie_name: {
    zh: '请输入有效的 Cookie 名称，例如 session',
    en: 'Enter a valid cookie name, such as session',
  },
  status_not_cacheable: {
    zh: '该状态码的响应不会被缓存',
    en: 'Answers with this status are never stored',
  },
  slice_needs_lock: {
    zh: '分片缓存需要开启合并回源',
    en: 'Caching in parts needs collapsed requests to be on',
  },
  size_reversed: { zh: '上限不能小于下限', en: 'The upper limit is below the lower one' },
  content_type: { zh: '请输入内容类型，例如 text/html', en: 'Enter a content type, such as text/html' },
  preload_address: {
    zh: '请输入以 / 或 https:// 开头的地址，不含空格、引号、逗号',
    en: 'Enter an address that starts with / or https://, without spaces, quotes or commas',
  },
  draft_syntax: {
    zh: '第 {line} 行：不是有效的 nginx 配置，行:列 ',
    en: 'Line {line}: this is not how nginx is configured, at ',
  },
  draft_json: { zh: '不是有效的 JSON', en: 'This is not JSON' },
  draft_none: { zh: '没有找到站点', en: 'There are no sites in this' },
  snippet_syntax: { zh: '第 {line} 行：语法有误', en: 'Line {line}: this is not how a directive is written' },
  snippet_open: {
    zh: '第 {line} 行：缺少分号或引号',
    en: 'Line {line}: a semicolon or a quote is missing',
  },
  snippet_block: {
    zh: '第 {line} 行：不允许使用花括号',
    en: 'Line {line}: blocks in braces are not allowed',
  },
  snippet_escape: {
    zh: '第 {line} 行：反斜杠后只能是引号或反斜杠',
    en: 'Line {line}: after a backslash only a quote or another backslash may stand',
  },
  snippet_character: {
    zh: '第 {line} 行：引号内不能有换行或控制字符',
    en: 'Line {line}: no line breaks or control characters inside a word',
  },
  snippet_many: { zh: '第 {line} 行：最多 50 条指令', en: 'Line {line}: 50 directives at most' },
  snippet_directive: {
    zh: '第 {line} 行：该指令不在允许的列表中',
    en: 'Line {line}: this directive is not on the list of those allowed',
  },
  snippet_arguments: { zh: '第 {line} 行：参数有误', en: 'Line {line}: not the arguments it takes' },
  snippet_variable: {
    zh: '第 {line} 行：不允许使用此变量',
    en: 'Line {line}: this variable is not on the list of those allowed',
  },
  snippet_pattern: {
    zh: '第 {line} 行：不允许使用正则表达式',
    en: 'Line {line}: regular expressions are not allowed',
  },
  snippet_field: {
    zh: '第 {line} 行：不能设置此响应头',
    en: 'Line {line}: this header field cannot be set',
  },
  snippet_return: {
    zh: '第 {line} 行：不能返回此状态码，或网址无效',
    en: 'Line {line}: not a status that can be returned, or not an address',
  },
  snippet_refused: { zh: '节点的 nginx 拒绝：', en: "A node's nginx refuses this: " },
  suffix_plain: {
    zh: '后缀只能包含字母和数字，例如 jpg',
    en: 'A suffix has letters and digits only, such as jpg',
  },
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
  regex_invalid: { zh: '正则表达式无效', en: 'This regular expression is not valid' },
  pattern_syntax: {
    zh: '正则表达式第 {line} 个字符处有误；符号本身请在前面加反斜杠',
    en: 'The regular expression is wrong at character {line}; a sign that stands for itself takes a backslash',
  },
  pattern_unsupported: {
    zh: '第 {line} 个字符处的写法不受支持：不同引擎的理解不一致',
    en: 'What stands at character {line} is not supported: engines read it differently',
  },
  pattern_runaway: {
    zh: '第 {line} 个字符开始的重复可能耗时过长：重复内不能再有含糊的重复或选择',
    en: 'The repeat at character {line} can take very long: no ambiguous repeat or choice may stand inside it',
  },
  pattern_big: { zh: '正则表达式过长或过于复杂', en: 'This regular expression is too long or too large' },
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
  certificate_invalid: {
    zh: '证书无法解析，请粘贴 PEM 格式',
    en: 'This certificate cannot be read. Paste it as PEM',
  },
  authority_invalid: {
    zh: '请粘贴 PEM 格式的 CA 证书；普通网站证书不能签发客户端证书',
    en: 'Paste certificates of authorities as PEM; the certificate of a site cannot issue others',
  },
  hsts_preload: {
    zh: '预加载要求包含子域名，且有效期至少一年',
    en: 'Preloading asks for subdomains to be included and for a year at least',
  },
  tls_versions_reversed: { zh: '最高版本低于最低版本', en: 'The highest version is below the lowest' },
  tls_version_needs_old: {
    zh: 'TLS 1.2 以下的版本只能与“旧设备”加密套件一起使用',
    en: 'TLS before 1.2 works with the old ciphers only',
  },
  port_twice: { zh: '端口重复', en: 'This port is listed twice' },
  port_not_allowed: { zh: '不允许使用该端口', en: 'This port may not be used' },
  port_scheme_taken: {
    zh: '同一线路组中其他站点已将该端口用于另一种协议',
    en: 'Other sites of this line group use this port for the other protocol',
  },
  private_key_invalid: {
    zh: '私钥无法解析，请粘贴 PEM 格式',
    en: 'This private key cannot be read. Paste it as PEM',
  },
  private_key_mismatch: { zh: '私钥与证书不匹配', en: 'This key does not belong to the certificate' },
  does_not_exist: { zh: '所选对象不存在', en: 'What you chose does not exist' },
  name_taken: { zh: '名称已被使用', en: 'This name is taken' },
  email_taken: { zh: '该邮箱已被使用', en: 'This e-mail is taken' },
  ip_taken: { zh: '该 IP 已属于其他节点', en: 'This IP belongs to another node' },
  log_exclusion: {
    zh: '每行一个“字段=值”，最多 20 行',
    en: 'One “field=value” a line, at most 20 lines',
  },
  range_reversed: { zh: '开始时间必须早于结束时间', en: 'The start must be before the end' },
  range_future: { zh: '开始时间不能在未来', en: 'The start lies in the future' },
  range_not_kept: {
    zh: '只保留 {line} 天的数据，请选择更近的开始时间',
    en: 'Only {line} days are kept: choose a later start',
  },
  filter_too_many: { zh: '最多 {line} 个，以逗号分隔', en: 'At most {line}, by comma' },
  range_too_fine: {
    zh: '粒度过细：此时间范围请选择 {line} 秒或更大的粒度，或缩短时间',
    en: 'Too fine for this range: take steps of {line} seconds or more, or a shorter range',
  },
  tag_owner: {
    zh: '该标签属于某个客户，只能用于该客户的站点',
    en: 'This tag is a customer’s; it stands on the sites of that customer only',
  },
  dns_server: {
    zh: '请输入 IP 或 IP:端口，例如 192.0.2.53 或 [2001:db8::53]:53',
    en: 'Enter an IP or IP:port, such as 192.0.2.53 or [2001:db8::53]:53',
  },
  prompt_parts: {
    zh: '第 {line} 行：应为 标题|内容|颜色',
    en: 'Line {line}: write title|content|color',
  },
  prompt_color: {
    zh: '第 {line} 行：颜色只能是 green、gray、yellow 或 red',
    en: 'Line {line}: the color is green, gray, yellow or red',
  },
  prompt_long: {
    zh: '第 {line} 行：标题最多 100 字，内容最多 500 字',
    en: 'Line {line}: at most 100 characters in the title and 500 in the content',
  },
  header_name: {
    zh: '请求头名称只能包含字母、数字和连字符，例如 X-Real-IP',
    en: 'A header name has letters, digits and hyphens, such as X-Real-IP',
  },
  field_not_removed: {
    zh: '节点不会删除此请求头，无需在此填写',
    en: 'Nodes do not remove this header; it reaches the origin as it is',
  },
  fetch_status: { zh: '服务器返回状态 {line}', en: 'The server answered {line}' },
  fetch_redirects: { zh: '重定向次数过多', en: 'There are too many redirects' },
  fetch_private: {
    zh: '该地址指向内网或本机，不会访问',
    en: 'The address is private, so it is not asked',
  },
  fetch_late: { zh: '{line} 秒内没有响应', en: 'There was no answer within {line} seconds' },
  fetch_slow: { zh: '文件未能及时下载完成', en: 'The file did not arrive in time' },
  fetch_size: { zh: '文件大于 {line} MB', en: 'The file is larger than {line} MB' },
  fetch_failed: { zh: '无法连接到该网址', en: 'The address cannot be reached' },
  ip_file_format: {
    zh: '不是完整的 MaxMind DB（.mmdb）文件',
    en: 'This is no whole MaxMind DB (.mmdb) file',
  },
  ip_file_nothing: {
    zh: '文件中没有可识别的国家、省份、运营商或 ASN 字段',
    en: 'The file has no country, province, carrier or ASN that is known here',
  },
  ip_file_part: { zh: '该文件不含这类数据', en: 'The file does not have data of this kind' },
  ip_file_unusable: {
    zh: '无法用该文件生成数据：内容过多，或缺少 IPv4 地址',
    en: 'No table can be made of this file: it says too much, or nothing of IPv4 addresses',
  },
  price_absent: { zh: '该产品不提供此付款周期', en: 'The product is not sold for this cycle' },
  username_taken: { zh: '该用户名已被使用', en: 'This user name is taken' },
  username_email: {
    zh: '用户名不能是邮箱地址，邮箱用于客户登录',
    en: 'A user name is no e-mail address: those sign in customers',
  },
  permission_beyond: { zh: '包含您没有的权限', en: 'This includes permissions that you do not hold' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type IssueKey = keyof typeof issues;
/** A key, or one with the line it is about: `prompt_color:3`. */
export type IssueMessage = IssueKey | `${IssueKey}:${number}`;
export type Language = 'zh' | 'en';

/** The sentence of an issue, or nothing when the text is no issue. */
export function issueText(message: string, language: Language): string | undefined {
  const [key = '', line = ''] = message.split(':');
  return key in issues ? issues[key as IssueKey][language].replace('{line}', line) : undefined;
}
