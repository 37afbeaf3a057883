/**
 * A request to a fetch server, as it came from the cache: read from nginx once, for a variable costs several times what a field of a table does.
 */
export interface FetchRequest {
  host: string;
  /** Path and query. */
  target: string;
  /** Which entry of the cache it is to fill; absent: none, or none that others wait for. */
  key: string | undefined;
  /** What the cache has of it, as nginx says it (`MISS`, `EXPIRED`); absent or `bypass`: see `isAround`. */
  cached: string | undefined;
  /** Where on the visitor's side it goes back to: how often it has waited, and the name of the location. */
  place: string | undefined;
  /** The part that is asked for, and the tag of the first; absent: all of it. */
  slice: string | undefined;
  /** It is asked for by a subrequest, which cannot be sent back. */
  isLaterPart: boolean;
  /** It is another node's, which does to the answer what its visitors are to get. */
  isFromEdge: boolean;
  /** The visitor's scheme, the port they came to, and their address. */
  scheme: string;
  port: string;
  address: string;
  acceptEncoding: string | undefined;
  cacheControl: string | undefined;
  hasAuthorization: boolean;
  hasCookie: boolean;
  hasContent: boolean;
  /** As it is stated. */
  contentLength: number | undefined;
  collapsed: Collapsed | undefined;
  /** Requests that may wait for each other; worked out when it is wanted. */
  kind: string | undefined;
}

/** What it holds in collapsed forwarding. */
export interface Collapsed {
  /** Of the entry. */
  name: string;
  /** Another for each request. */
  holder: string;
  /** What comes is not kept, as far as is known: whoever asks does so for itself (hit-for-miss). */
  isForItself: boolean;
}

/** The one under way; in a fetch server alone. An internal redirect drops the context, and with it what was read. */
export function fetchRequest(): FetchRequest {
  const context = ngx.ctx;
  const known = context.fetchRequest as FetchRequest | undefined;
  if (known !== undefined) return known;
  const request = readRequest();
  context.fetchRequest = request;
  return request;
}

function readRequest(): FetchRequest {
  const variables = ngx.var;
  const slice = variables.http_x_breakwater_slice;
  const held = variables.origin_collapsed ?? '';
  const length = variables.http_content_length;
  return {
    host: variables.host!,
    target: variables.request_uri!,
    key: variables.http_x_breakwater_key,
    cached: variables.http_x_breakwater,
    place: variables.http_x_breakwater_place,
    slice,
    isLaterPart: slice !== undefined && string.find(slice, ' "', 1, true)[0] !== undefined,
    isFromEdge: variables.http_x_breakwater_hop === 'in',
    scheme: variables.http_x_forwarded_proto ?? 'http',
    port: variables.http_x_breakwater_port ?? '',
    address: variables.http_x_real_ip ?? '',
    acceptEncoding: variables.http_accept_encoding,
    cacheControl: variables.http_cache_control,
    hasAuthorization: variables.http_authorization !== undefined,
    hasCookie: variables.http_cookie !== undefined,
    hasContent: (length !== undefined && length !== '0') || variables.http_transfer_encoding !== undefined,
    contentLength: length === undefined ? undefined : tonumber(length),
    collapsed: held === '' ? undefined : collapsedOf(held),
    kind: undefined,
  };
}

const forItself = ' for itself';

function collapsedOf(held: string): Collapsed {
  const [name, holder, rest] = string.match(held, '^(%x+) (%d+ %d+)(.*)$');
  return { name: name!, holder: holder!, isForItself: rest === forItself };
}

/** It does not go by way of the cache. */
export const isAround = ({ cached }: FetchRequest): boolean => (cached ?? 'bypass') === 'bypass';

/** After the site's rules for what the origin is sent: what comes is an answer to that. */
export function rereadFields(request: FetchRequest): void {
  const variables = ngx.var;
  request.cacheControl = variables.http_cache_control;
  request.hasCookie = variables.http_cookie !== undefined;
}

/** Also in a variable, which outlives internal redirects; nothing: it holds none. */
export function holdCollapsed(request: FetchRequest, collapsed: Collapsed | undefined): void {
  request.collapsed = collapsed;
  if (collapsed === undefined) {
    ngx.var.origin_collapsed = '';
    return;
  }
  const { name, holder, isForItself } = collapsed;
  ngx.var.origin_collapsed = `${name} ${holder}${isForItself ? forItself : ''}`;
}
