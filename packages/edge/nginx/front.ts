import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { verifyStatuses } from '@breakwater/contract/site-config/browser-verify';
import { cipherLists } from '@breakwater/policy/http/tls';
import { cacheLocations, fetchServers, plainCache, throughCache } from './cache.ts';
import { backlog } from './capacity.ts';
import type { NginxConfOptions, VisitorSeconds } from './conf.ts';
import { nameOfDirectives, siteLocations } from './directives.ts';
import { callLocations } from './grpc.ts';
import { judgedLocation } from './judge.ts';
import { hopServer } from './shield.ts';
import { quote } from './text.ts';

/** One for each address: nginx takes the same names for listeners as at visitors' ports. */
function hopServers(options: NginxConfOptions): string[] {
  const { shield, edgeDir } = options;
  if (shield?.port === undefined) return [];
  return addressesOf(options).map((address) => hopServer(edgeDir, address, shield));
}

/** Set by Lua for sites that ask for it. */
const maps = `map "" $edge_hsts { default ""; }
  map "" $edge_client { default ""; }
  map "" $edge_client_subject { default ""; }
  map "" $edge_client_fingerprint { default ""; }
  map $edge_hsts $hsts { default $edge_hsts; "" $upstream_http_strict_transport_security; }
  # RFC 9110 §7.6.3, what requests to origins carry. Lua sets it for a visitor who sends several lines.
  map $server_protocol $received { default 1.1; HTTP/1.0 1.0; HTTP/2.0 2.0; HTTP/3.0 3.0; }
  # What nginx would take otherwise than RFC 9110 has it; few requests do: tidy-request.ts.
  map $request_method $head_range { default ""; HEAD $http_range; }
  map "$http_via$http_if_match$http_if_range$head_range" $is_seldom { default 1; "" ""; }
  map $http_via $via { default "$http_via, $received Breakwater"; "" "$received Breakwater"; }`;

/** The servers that visitors speak to: one for each protocol at the node's own ports, and at those only some sites have. */
export function front(options: NginxConfOptions): string {
  const { httpPorts, httpsPorts, extraHttpPorts = [], extraHttpsPorts = [] } = options;
  const servers = [
    server(options, 'http', httpPorts, false),
    server(options, 'https', httpsPorts, false),
    ...(extraHttpPorts.length > 0 ? [server(options, 'http', extraHttpPorts, true)] : []),
    ...(extraHttpsPorts.length > 0 ? [server(options, 'https', extraHttpsPorts, true)] : []),
    ...hopServers(options),
  ];
  return `${maps}
  ${fetchServers(options.edgeDir)}
  ${tls(options)}
  ${servers.join('\n  ')}`;
}

/** What tells one configuration from another; nginx says which it has. Its parts stand at fixed places. */
export function nameOfConfiguration(options: NginxConfOptions): string {
  const {
    siteDirectives = [],
    bundleHash = '',
    extraHttpPorts = [],
    extraHttpsPorts = [],
    ...settings
  } = options;
  return [
    extraHttpPorts.join(','),
    extraHttpsPorts.join(','),
    nameOfDirectives(siteDirectives),
    hashOf(settings),
    hashOf([bundleHash, settings.cacheDisks.map(({ folder }) => folder)]),
  ].join(' ');
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** What only another nginx takes: the edge's own code, and where answers are kept. */
export const lastingPartOf = (name: string): string => name.split(' ')[4] ?? '';

export function extraPortsOfConfiguration(name: string): { http: number[]; https: number[] } {
  const [http = '', https = ''] = name.split(' ');
  const numbers = (text: string) => text.split(',').filter(Boolean).map(Number);
  return { http: numbers(http), https: numbers(https) };
}

/** The same for all servers, so that a session begun at one port is good at another. By default OpenSSL gives two TLS 1.3 tickets (decision 40). */
function tls({ edgeDir: dir, ticketKeys = [] }: NginxConfOptions): string {
  const keys = ticketKeys.map((name) => `ssl_session_ticket_key ${quote(`${dir}/conf/tickets/${name}`)};`);
  return `ssl_certificate ${quote(`${dir}/conf/default.crt`)};
  ssl_certificate_key ${quote(`${dir}/conf/default.key`)};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_ciphers ${cipherLists.compatible};
  ssl_session_cache shared:edge_tls:10m;
  ssl_session_timeout 1h;
  ssl_conf_command NumTickets 1;
  ${keys.join('\n  ')}`;
}

function server(
  options: NginxConfOptions,
  scheme: 'http' | 'https',
  ports: number[],
  isExtra: boolean,
): string {
  const isHttps = scheme === 'https';
  const kind = isHttps ? ' ssl http2' : '';
  const lines = listens(options, ports, kind);
  const { proxyHttpPorts = [], proxyHttpsPorts = [] } = options;
  if (!isExtra)
    lines.push(...listens(options, isHttps ? proxyHttpsPorts : proxyHttpPorts, `${kind} proxy_protocol`));
  if (isHttps) {
    if (options.http3 === true) lines.push(...listens(options, ports, ' quic reuseport'));
    lines.push('ssl_client_hello_by_lua_block { edge.greet() }');
    lines.push('ssl_certificate_by_lua_block { edge.chooseCertificate() }');
  }
  return `server {
    ${lines.join('\n    ')}
    ${deadlines(options.visitorSeconds)}
    ${serving(options, scheme, isExtra)}
  }`;
}

/** Networks of phones are silent for some seconds; who is for longer holds a connection for nothing. */
export const visitorSeconds: VisitorSeconds = { header: 20, content: 30, sending: 60, connection: 120 };

function deadlines({ header, content, sending, connection } = visitorSeconds): string {
  return `# Before its 1.25.4 nginx never ends a connection of HTTP/2 whose handshake was under way when it was told to quit. After an
    # upgrade it would answer there by documents that no longer change.
    keepalive_time ${connection}s;
    client_header_timeout ${header}s;
    client_body_timeout ${content}s;
    send_timeout ${sending}s;
    # Else what could not be sent stays in the kernel's memory for minutes.
    reset_timedout_connection on;`;
}

function addressesOf({ listenAddress, ipv6 }: NginxConfOptions): string[] {
  return listenAddress === undefined ? ['', ...(ipv6 === true ? ['[::]:'] : [])] : [before(listenAddress)];
}

function listens(options: NginxConfOptions, ports: number[], kind: string): string[] {
  return addressesOf(options).flatMap((address) =>
    ports.map(
      (port) =>
        `listen ${address}${port}${kind} default_server${kind.includes('quic') ? '' : ` backlog=${backlog}`};`,
    ),
  );
}

const before = (address: string): string => (isIPv6(address) ? `[${address}]:` : `${address}:`);

function serving(options: NginxConfOptions, scheme: 'http' | 'https', isExtra: boolean): string {
  const isHttps = scheme === 'https';
  const answers = fieldsOfHttps(options, scheme);
  const lines = isExtra ? [...answers, ownPortInRedirects(scheme)] : answers;
  return `set_by_lua_block $cache_key { return edge.${isExtra ? 'frontAtExtraPort' : 'front'}("${scheme}") }
    if ($edge_page) { return 421; }
    # A request that was sent to a place of its own may still end in a page.
    recursive_error_pages on;
    error_page 421 = $edge_stage;
    error_page 500 502 504 = @page;

    location / {
      ${throughCache(plainCache, lines)}
    }
    ${cacheLocations(lines)}
    ${siteLocations(options.siteDirectives ?? [], lines)}
    ${isHttps ? callLocations(options, answers) : ''}
    # For what another request is asking for already.
    location @wait {
      log_by_lua_block { edge.release() }
      content_by_lua_block { edge.waitForAnother() }
    }
    ${contentLocations()}
    location @own {
      set $edge_node ${quote(options.nodeName.replaceAll(/["\\$\n]/g, '-'))};
      add_header X-Request-Id $edge_request_id always;
      ${answers.join('\n      ')}
      content_by_lua_block { edge.showOwnPage() }
    }
    location @page {
      ${page(answers)}
    }
    ${challengeLocations(answers)}
    # What is left of the content is not read here either.
    location @content_too_slow {
      keepalive_timeout 0;
      set $edge_page content_too_slow;
      set $edge_decision "security content_too_slow";
      ${page(answers)}
    }
    location @page_and_close {
      # What is left of the content is not read.
      keepalive_timeout 0;
      ${page(answers)}
    }`;
}

/** Where what a request carries is limited, read for rules, or judged, before it goes on. */
const contentLocations = (): string => `location @limited_content {
      # Asked only of content that does not say its length; what does has been compared before.
      client_max_body_size 1;
      error_page 413 = @page_and_close;
      error_page 421 = $edge_stage;
      ${limits()}
    }
    location @asked_content {
      # As much of it as is read for rules.
      client_body_buffer_size 1m;
      error_page 421 = $edge_stage;
      access_by_lua_block { edge.frontWithContent() }
      log_by_lua_block { edge.release() }
    }
    location @inspected_content {
      # As much of it as the detectors take into memory.
      client_body_buffer_size 1m;
      error_page 421 = $edge_stage;
      ${inspection()}
    }
    ${judgedLocation}`;

/** For sites that limit content; others never come here, so that a hit of theirs runs no phase more. */
function limits(): string {
  return `# Named here, since Lua can set only what the configuration uses.
      set $edge_after $edge_after;
      set $edge_held $edge_held;
      access_by_lua_block { edge.limit() }
      log_by_lua_block { edge.release() }`;
}

/** For sites whose detectors look into content, for requests that a rule lets wait, and for a share of what visitors send. */
function inspection(): string {
  return `set $edge_then $edge_then;
      set $edge_delay $edge_delay;
      set $edge_judges $edge_judges;
      set $edge_submitted $edge_submitted;
      access_by_lua_block { edge.inspectContent() }
      log_by_lua_block { edge.release() }`;
}

/** Pages of challenges that were made where they were decided on, for each status that a site may choose. */
const challengeLocations = (answers: string[]): string =>
  verifyStatuses
    .map(
      (status) => `location @challenge_${status} {
      default_type "text/html; charset=utf-8";
      add_header X-Request-Id $edge_request_id always;
      add_header Cache-Control no-store always;
      add_header X-Content-Type-Options nosniff always;
      add_header Content-Security-Policy $edge_challenge_policy always;
      add_header Referrer-Policy $edge_challenge_referrer always;
      ${answers.join('\n      ')}
      return ${status} $edge_challenge_page;
    }`,
    )
    .join('\n    ');

function page(answers: string[]): string {
  return `log_by_lua_block { edge.release() }
      set $edge_location $edge_location;
      set $edge_challenge $edge_challenge;
      set $edge_guard $edge_guard;
      set $edge_answer $edge_answer;
      set $edge_again $edge_again;
      add_header X-Request-Id $edge_request_id always;
      add_header Retry-After $edge_retry_after always;
      ${answers.join('\n      ')}
      content_by_lua_block { edge.showPage() }`;
}

function fieldsOfHttps({ http3 }: NginxConfOptions, scheme: 'http' | 'https'): string[] {
  if (scheme === 'http') return [];
  const hsts = 'add_header Strict-Transport-Security $hsts always;';
  return http3 === true ? [hsts, `add_header Alt-Svc 'h3=":$server_port"; ma=86400' always;`] : [hsts];
}

/** The origin is told no port (it is not in the key), so what it says of itself lacks the one that the visitor wrote. */
function ownPortInRedirects(scheme: 'http' | 'https'): string {
  return `proxy_redirect ${scheme}://$host/ ${scheme}://$host:$server_port/;`;
}
