/** What a site may tell nginx: directives that change its own answers, read no file and start no program. */

export interface Directive {
  name: string;
  /** The name and what follows it, without quotes. */
  words: string[];
  line: number;
}

/** How many words may follow a name: the fewest and the most. */
const allowed: Record<string, [number, number]> = {
  add_header: [2, 3],
  allow: [1, 1],
  charset: [1, 1],
  default_type: [1, 1],
  deny: [1, 1],
  expires: [1, 2],
  max_ranges: [1, 1],
  override_charset: [1, 1],
  proxy_cookie_domain: [2, 2],
  proxy_cookie_flags: [1, 5],
  proxy_cookie_path: [2, 2],
  proxy_hide_header: [1, 1],
  proxy_redirect: [1, 2],
  return: [1, 2],
  sub_filter: [2, 2],
  sub_filter_last_modified: [1, 1],
  sub_filter_once: [1, 1],
  sub_filter_types: [1, 20],
};

export function allowedDirectives(): string[] {
  const names: string[] = [];
  for (const name in allowed) names.push(name);
  return names;
}

/** What they may be told of a request; `$arg_name`, `$cookie_name`, `$http_name` and `$sent_http_name` besides. */
const variables: Record<string, boolean> = {
  args: true,
  content_type: true,
  host: true,
  is_args: true,
  msec: true,
  query_string: true,
  remote_addr: true,
  request_id: true,
  request_method: true,
  request_uri: true,
  scheme: true,
  server_protocol: true,
  status: true,
  time_iso8601: true,
  uri: true,
};
const variableFamilies = ['arg_', 'cookie_', 'http_', 'sent_http_'];

/** They frame the message, or are the edge's own. */
const fieldsOfEdge: Record<string, boolean> = {
  connection: true,
  'content-length': true,
  'keep-alive': true,
  te: true,
  trailer: true,
  'transfer-encoding': true,
  upgrade: true,
  'x-accel-expires': true,
  'x-breakwater': true,
  'x-request-id': true,
};
/** Of `return`; others are the edge's own ways. */
const returned: Record<string, boolean> = {
  '200': true,
  '204': true,
  '301': true,
  '302': true,
  '303': true,
  '307': true,
  '308': true,
  '400': true,
  '401': true,
  '403': true,
  '404': true,
  '405': true,
  '410': true,
  '429': true,
  '451': true,
  '503': true,
};

/** Why a directive is refused, by the key of what is said about it; nothing where it is allowed. */
export function refusalOf({ name, words }: Directive): string | undefined {
  const counts = allowed[name];
  if (counts === undefined) return 'snippet_directive';
  const count = words.length - 1;
  if (count < counts[0] || count > counts[1]) return 'snippet_arguments';
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!;
    if (!hasOnlyAllowedVariables(word)) return 'snippet_variable';
    // A pattern could keep a worker busy.
    if (name.startsWith('proxy_') && word.startsWith('~')) return 'snippet_pattern';
  }
  if (name === 'add_header' || name === 'proxy_hide_header') return fieldRefusal(words);
  if (name === 'return') return returnRefusal(words);
  return undefined;
}

function fieldRefusal(words: string[]): string | undefined {
  const field = words[1]!.toLowerCase();
  for (let index = 0; index < field.length; index++) {
    const code = field.charCodeAt(index);
    const isToken = code === 45 || code === 95 || (code >= 48 && code <= 57) || (code >= 97 && code <= 122);
    if (!isToken) return 'snippet_field';
  }
  if (field === '' || fieldsOfEdge[field] === true) return 'snippet_field';
  return words.length < 4 || words[3] === 'always' ? undefined : 'snippet_arguments';
}

function returnRefusal(words: string[]): string | undefined {
  if (returned[words[1]!] === true) return undefined;
  const isAddress = words[1]!.startsWith('https://') || words[1]!.startsWith('http://');
  return words.length === 2 && isAddress ? undefined : 'snippet_return';
}

function hasOnlyAllowedVariables(word: string): boolean {
  let dollar = word.indexOf('$');
  while (dollar >= 0) {
    const isBraced = word.substring(dollar + 1, dollar + 2) === '{';
    const start = isBraced ? dollar + 2 : dollar + 1;
    let end = start;
    while (end < word.length && isNameByte(word.charCodeAt(end))) end += 1;
    if (isBraced && word.substring(end, end + 1) !== '}') return false;
    if (!isAllowedVariable(word.substring(start, end))) return false;
    dollar = word.indexOf('$', end);
  }
  return true;
}

function isNameByte(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

function isAllowedVariable(name: string): boolean {
  if (variables[name] === true) return true;
  for (const family of variableFamilies)
    if (name.startsWith(family) && name.length > family.length) return true;
  return false;
}
