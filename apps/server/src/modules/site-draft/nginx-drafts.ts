import {
  accessRule,
  urlRewriteRule,
  type DraftNote,
  type DraftReason,
  type SiteDraft,
} from '@breakwater/contract';
import { domainOf, finish, giveOrigins, newDraft, note, type Draft } from './draft.ts';
import { judged, takeRequestHeader, takeResponseHeader, takeReturn, takeRewrite } from './nginx-rules.ts';
import { conditionOf, placeOf, scopeOf, wholeServer, type Scope } from './nginx-scope.ts';
import { readNginx, type Directive } from './nginx-tokens.ts';
import { bytesOf, readPass, secondsOf, takeOrigins, type Upstreams } from './nginx-upstreams.ts';

/** Sites from nginx's `server` blocks. Blocks of one set of names are one site, as for HTTP and for HTTPS. */
export function nginxDrafts(text: string): { drafts: SiteDraft[]; notes: DraftNote[] } {
  const whole: { notes: DraftNote[] } = { notes: [] };
  const servers: Directive[] = [];
  const upstreams: Upstreams = new Map();
  collect(readNginx(text), servers, upstreams, whole);
  const drafts = new Map<string, Draft>();
  for (const server of servers) {
    const names = namesOf(server, whole);
    if (names.length === 0) continue;
    const key = names.toSorted().join(' ');
    const draft = drafts.get(key) ?? newDraft(server.line);
    drafts.set(key, draft);
    draft.domains = names;
    takeServer(draft, server, upstreams);
  }
  const found = [...drafts.values()];
  giveOrigins(found);
  return { drafts: found.map(finish), notes: whole.notes };
}

function collect(
  directives: Directive[],
  servers: Directive[],
  upstreams: Upstreams,
  whole: { notes: DraftNote[] },
): void {
  for (const directive of directives) {
    const { name, args, block, line } = directive;
    if (name === 'http' && block !== undefined) collect(block, servers, upstreams, whole);
    else if (name === 'server' && block !== undefined) servers.push(directive);
    else if (name === 'upstream' && block !== undefined)
      upstreams.set((args[0] ?? '').toLowerCase(), directive);
    else if (name === 'stream' || name === 'mail') note(whole, name, 'stream', line);
    else if (name === 'include' && !/mime\.types|modules-enabled/.test(args[0] ?? ''))
      note(whole, `include ${args.join(' ')}`, 'include', line);
    else if (['map', 'geo', 'split_clients', 'limit_req_zone', 'limit_conn_zone'].includes(name))
      note(whole, `${name} ${args.join(' ')}`, 'unknown', line);
  }
}

function namesOf(server: Directive, whole: { notes: DraftNote[] }): string[] {
  const names: string[] = [];
  for (const { name, args, line } of server.block ?? []) {
    if (name !== 'server_name') continue;
    for (const written of args) {
      if (written === '_' || written === '') continue;
      const wanted = written.startsWith('.') ? [written.slice(1), `*${written}`] : [written];
      for (const each of wanted) {
        const domain = domainOf(each);
        if (domain === undefined) note(whole, `server_name ${each}`, 'bad_domain', line);
        else names.push(domain);
      }
    }
  }
  if (names.length === 0) note(whole, 'server', 'no_domain', server.line);
  return [...new Set(names)];
}

/** What the edge does by itself or decides for all sites; nothing is lost with it. */
const passedOver = new Set(
  'server_name access_log error_log index charset server_tokens sendfile tcp_nopush tcp_nodelay keepalive_timeout keepalive_requests http2 http3 quic_retry root_path types_hash_max_size default_type proxy_http_version proxy_redirect proxy_buffers proxy_buffer_size proxy_busy_buffers_size proxy_cache_bypass proxy_no_cache proxy_ssl_server_name proxy_ssl_session_reuse client_body_buffer_size client_body_timeout client_header_timeout large_client_header_buffers log_not_found resolver resolver_timeout ssl_session_cache ssl_session_timeout ssl_session_tickets ssl_stapling ssl_stapling_verify ssl_prefer_server_ciphers gzip_types gzip_vary gzip_proxied gzip_min_length gzip_comp_level gzip_buffers gzip_http_version gzip_disable proxy_request_buffering proxy_max_temp_file_size autoindex etag if_modified_since'.split(
    ' ',
  ),
);
const reasons: Record<string, DraftReason> = {
  include: 'include',
  root: 'files',
  alias: 'files',
  try_files: 'files',
  fastcgi_pass: 'program',
  uwsgi_pass: 'program',
  scgi_pass: 'program',
  grpc_pass: 'program',
  memcached_pass: 'program',
  if: 'condition',
  auth_basic: 'password',
  auth_basic_user_file: 'password',
  auth_request: 'password',
  ssl_certificate: 'certificate',
  ssl_certificate_key: 'certificate',
  ssl_trusted_certificate: 'certificate',
  ssl_client_certificate: 'certificate',
  ssl_dhparam: 'own_setting',
  ssl_protocols: 'own_setting',
  ssl_ciphers: 'own_setting',
  ssl_verify_client: 'own_setting',
  error_page: 'own_setting',
  proxy_intercept_errors: 'own_setting',
  limit_req: 'own_setting',
  limit_conn: 'own_setting',
  proxy_cache: 'own_setting',
  proxy_cache_valid: 'own_setting',
  proxy_cache_key: 'own_setting',
  proxy_cache_use_stale: 'own_setting',
  expires: 'own_setting',
  set_real_ip_from: 'own_setting',
  real_ip_header: 'own_setting',
  sub_filter: 'own_setting',
};

function takeServer(draft: Draft, server: Directive, upstreams: Upstreams): void {
  const locations: Directive[] = [];
  for (const directive of server.block ?? []) {
    if (directive.name === 'location') locations.push(directive);
    else takeDirective(draft, directive, upstreams, wholeServer);
  }
  // The one for all paths names the origins of the site.
  const isRoot = ({ args }: Directive) => args.at(-1) === '/';
  const places = new Map(locations.map((location) => [location, placeOf(location)]));
  const fallback = fallbackOf([server, ...locations.filter(isRoot)]);
  for (const location of [...locations.filter(isRoot), ...locations.filter((each) => !isRoot(each))])
    if (location.args[0] === fallback) takeFallback(draft, location, upstreams);
    else takeLocation(draft, location, scopeOf(places.get(location)!, [...places.values()]), upstreams);
}

/** It names the origin. What it rewrites is not taken over: files that are there would have gone as they are. */
function takeFallback(draft: Draft, { args, block = [] }: Directive, upstreams: Upstreams): void {
  for (const directive of block)
    if (directive.name !== 'rewrite' && directive.name !== 'return')
      takeDirective(draft, directive, upstreams, wholeServer);
    else
      note(
        draft,
        `location ${args[0]}: ${directive.name} ${directive.args.join(' ')}`,
        'files',
        directive.line,
      );
}

/** Where `try_files` sends what is no file, for the whole site: here that is everything. */
function fallbackOf(blocks: readonly Directive[]): string | undefined {
  const tries = blocks.flatMap(({ block = [] }) => block.filter(({ name }) => name === 'try_files'));
  return tries.map(({ args }) => args.at(-1)).find((last) => last?.startsWith('@') === true);
}

function takeLocation(draft: Draft, location: Directive, scope: Scope, upstreams: Upstreams): void {
  const { modifier, path } = placeOf(location);
  const where = `location ${location.args.join(' ')}`;
  const block = location.block ?? [];
  if (modifier.startsWith('~')) {
    takeSuffixes(draft, path, location);
    return;
  }
  if (path.startsWith('@') || path.startsWith('/.well-known/acme-challenge')) return;
  const isWhole = path === '/' && modifier !== '=';
  for (const directive of block) {
    const { name } = directive;
    if (isWhole || name === 'return' || name === 'rewrite' || name === 'proxy_pass')
      takeDirective(draft, directive, upstreams, scope);
    else if (name === 'location') note(draft, `${where} / location`, 'condition', directive.line);
    else if (!passedOver.has(name) && name !== 'proxy_set_header')
      note(
        draft,
        `${where}: ${[name, ...directive.args].join(' ')}`,
        reasons[name] ?? 'condition',
        directive.line,
      );
  }
}

/** `location ~* \.(css|js)$ { expires 30d; }` is a cache rule; other patterns are not. */
function takeSuffixes(draft: Draft, pattern: string, location: Directive): void {
  const [, list] = /^\\\.\(?(?:\?:)?([A-Za-z0-9|]+)\)?\$$/.exec(pattern) ?? [];
  const expires = (location.block ?? []).find(({ name }) => name === 'expires');
  const seconds =
    secondsOf((expires?.args ?? []).filter((arg) => arg !== 'modified').join('')) ??
    (expires?.args[0] === 'max' ? 31_536_000 : undefined);
  if (list === undefined || seconds === undefined) {
    note(draft, `location ${location.args.join(' ')}`, 'condition', location.line);
    return;
  }
  const content = [...new Set(list.toLowerCase().split('|'))];
  const ttl = Math.min(seconds, 31_536_000);
  draft.cacheRules.push({
    type: 'suffix',
    content,
    action: 'cache',
    ttl_seconds: ttl,
    browser_ttl_seconds: ttl,
  });
}

function takeDirective(draft: Draft, directive: Directive, upstreams: Upstreams, scope: Scope): void {
  const { name, args, line } = directive;
  const [first = ''] = args;
  const said = [name, ...args].join(' ');
  if (name === 'proxy_pass') takePass(draft, directive, upstreams, scope);
  else if (name === 'return') takeReturn(draft, directive, scope);
  else if (name === 'rewrite') takeRewrite(draft, directive, scope);
  else if (name === 'add_header' || name === 'proxy_hide_header') takeResponseHeader(draft, directive);
  else if (name === 'proxy_set_header') takeRequestHeader(draft, directive);
  else if (name === 'listen') takeListen(draft, directive);
  else if (name === 'allow' || name === 'deny') takeAccess(draft, directive);
  else if (name === 'client_max_body_size') {
    const bytes = bytesOf(first);
    if (bytes === undefined) note(draft, said, 'bad_value', line);
    else if (bytes > 0) draft.security['body_bytes_max'] = bytes;
  } else if (name in timeouts) {
    const seconds = secondsOf(first);
    if (seconds === undefined) note(draft, said, 'bad_value', line);
    else draft.config[timeouts[name]!.field] = Math.min(seconds, timeouts[name]!.max);
  } else if (name === 'proxy_ssl_verify') draft.config['verify_tls'] = first === 'on';
  else if (name === 'proxy_buffering') {
    if (first === 'off') draft.advanced['response_buffering'] = false;
  } else if (name === 'gzip') {
    if (first === 'on') draft.speed['gzip'] = true;
  } else if (!passedOver.has(name)) note(draft, said, reasons[name] ?? 'unknown', line);
}

const timeouts: Record<string, { field: string; max: number }> = {
  proxy_connect_timeout: { field: 'connect_timeout_seconds', max: 120 },
  proxy_send_timeout: { field: 'send_timeout_seconds', max: 3600 },
  proxy_read_timeout: { field: 'read_timeout_seconds', max: 3600 },
};

function takePass(draft: Draft, directive: Directive, upstreams: Upstreams, scope: Scope): void {
  const passed = readPass(directive.args[0] ?? '');
  if (passed === undefined) {
    note(draft, `proxy_pass ${directive.args.join(' ')}`, 'variable', directive.line);
    return;
  }
  const before = draft.origins;
  takeOrigins(draft, passed, upstreams, directive);
  const from = scope.path ?? '/';
  // A path behind the origin takes the place of the location's.
  if (passed.path === '' || passed.path === from || (before.length > 0 && before !== draft.origins)) return;
  if (draft.notes.some(({ line }) => line === directive.line)) return;
  const type = scope.isExact ? ('path' as const) : ('prefix' as const);
  const rule = { type, from, to: passed.path, ...conditionOf(scope, true) } as const;
  const good = judged(draft, directive, urlRewriteRule, rule);
  if (good !== undefined) draft.urlRewrites.push(good);
}

/** The node's own ports are not a site's; others it may have if the platform lets it. */
function takeListen(draft: Draft, { args, line }: Directive): void {
  const [, port] = /(?:^|:)(\d+)$/.exec(args[0] ?? '') ?? [];
  if (port !== undefined && port !== '80' && port !== '443')
    note(draft, `listen ${args.join(' ')}`, 'port', line);
}

function takeAccess(draft: Draft, { name, args, line }: Directive): void {
  const [who = ''] = args;
  if (who === 'all') {
    if (name === 'deny') draft.accessOtherwise = 'deny';
    return;
  }
  const rule = { action: name, addresses: [who] };
  if (accessRule.safeParse(rule).success) draft.access.push(rule);
  else note(draft, `${name} ${who}`, 'bad_value', line);
}
