import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { preferredLanguage } from '@breakwater/policy/http/accept-language';
import { fieldsOfHop, plainAcceptEncoding } from '@breakwater/policy/http/fields';

/** What browsers send as `Connection`, which names no other field. */
const plainConnection: Record<string, boolean> = {
  'keep-alive': true,
  'Keep-Alive': true,
  close: true,
  Upgrade: true,
  upgrade: true,
  'keep-alive, Upgrade': true,
};
const encodingsMax = 1000;
let encodings: Record<string, string> = {};
let encodingsHeld = 0;

/** Changes the request where the cache would take its fields otherwise than HTTP has them. */
export function tidyRequest({ cache_settings: cache }: EffectiveSite): void {
  const variables = ngx.var;
  const connection = variables.http_connection;
  if (connection !== undefined && plainConnection[connection] !== true)
    for (const name of fieldsOfHop(connection)) ngx.req.clear_header(name);
  const encoding = variables.http_accept_encoding;
  if (encoding !== undefined) {
    // Even where the first line is plain already: there may be a second, which setting the field leaves.
    ngx.req.clear_header('Accept-Encoding');
    ngx.req.set_header('Accept-Encoding', encodings[encoding] ?? rememberEncoding(encoding));
  }
  const languages = cache?.languages;
  if (languages !== undefined && languages.length > 0) keepLanguage(languages);
  if (variables.is_seldom === '1') tidySeldom();
  // nginx would heed both, and RFC 9110 §13.1.3 the one.
  if (variables.http_if_none_match !== undefined) ngx.req.clear_header('If-Modified-Since');
}

/** What most requests have nothing of: nginx looks for all of it at once. */
function tidySeldom(): void {
  const variables = ngx.var;
  if (variables.http_via !== undefined) joinVia();
  // RFC 9110 §13.1.4: the one stands in for the other.
  if (variables.http_if_match !== undefined) ngx.req.clear_header('If-Unmodified-Since');
  // §13.1.5: a weak tag matches nothing. §14.2: there are no ranges of a HEAD.
  const isWeak = string.find(variables.http_if_range ?? '', '^W/')[0] !== undefined;
  if (isWeak || variables.request_method === 'HEAD') ngx.req.clear_header('Range');
}

/** Before its 1.23 nginx takes the first of several lines for all of the field. */
function joinVia(): void {
  const { via } = ngx.req.get_headers(0);
  if (type(via) !== 'table') return;
  const { received } = ngx.var;
  ngx.var.via = `${table.concat(via as string[], ', ')}, ${received} Breakwater`;
}

/** Of the visitor's, the one that the site has; none says that the origin may choose. */
function keepLanguage(offered: readonly string[]): void {
  const field = ngx.var.http_accept_language;
  if (field === undefined) return;
  const language = preferredLanguage(field, offered);
  // There may be a second line, which setting the field leaves.
  ngx.req.clear_header('Accept-Language');
  if (language !== '') ngx.req.set_header('Accept-Language', language);
}

function rememberEncoding(field: string): string {
  encodingsHeld += 1;
  if (encodingsHeld > encodingsMax) {
    encodingsHeld = 0;
    encodings = {};
  }
  const plain = plainAcceptEncoding(field);
  if (field.length < 200) encodings[field] = plain;
  return plain;
}
