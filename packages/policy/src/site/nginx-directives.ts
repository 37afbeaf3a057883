import { isReservedField } from '../http/reserved-fields.ts';

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

/**
 * What they may be told of a request, and what each can hold. None can hold a line break: nginx has refused or ended what
 * had one before there is a variable of it. So a variable is allowed here only where nginx gives the bytes as they came
 * over the line (raw) or made them itself (own).
 */
const variables: Record<string, boolean> = {
  /** Raw: the query. nginx refuses spaces and control characters in a target, and decodes nothing here. */
  args: true,
  query_string: true,
  /** Raw, of a field: a line's end ends the field, and HTTP/2 and 3 refuse a value with one. */
  content_type: true,
  /** In lower case, without port; nginx refuses one with spaces, control characters or slashes. */
  host: true,
  /** Own: `?` or nothing. */
  is_args: true,
  /** Own: digits and a dot. */
  msec: true,
  /** Own: the connection's address. */
  remote_addr: true,
  /** Own: 32 hexadecimal digits. */
  request_id: true,
  /** Capital letters, `_` and `-`; nginx refuses others. */
  request_method: true,
  /** Raw: path and query as the visitor wrote them, escapes and all. */
  request_uri: true,
  /** Own: `http` or `https`. */
  scheme: true,
  /** Own: `HTTP/1.1` and its like. */
  server_protocol: true,
  /** Own: three digits. */
  status: true,
  /** Own: a time. */
  time_iso8601: true,
  /** Decoded, so that it can hold anything: nodes write it with its escapes (`packages/edge/nginx/directives.ts`). */
  uri: true,
};
/**
 * Raw: an argument as it stands in the query, not decoded; a cookie; a field of the request. `$sent_http_` is a field of
 * the answer: of the origin, whose lines nginx has read, or of the edge's Lua, which escapes control characters.
 */
const variableFamilies = ['arg_', 'cookie_', 'http_', 'sent_http_'];

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
  if (field === '' || isReservedField(field)) return 'snippet_field';
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
