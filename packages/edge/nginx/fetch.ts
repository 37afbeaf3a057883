import type { RetryCondition } from '@breakwater/contract/site-config/origin-server-config';
import { hopFieldsOfAnswers } from '@breakwater/policy/http/fields';
import { retryConditions } from '@breakwater/policy/origin/origin';
import { askingBy, blankedFields } from './asking.ts';
import { backlog } from './capacity.ts';
import { toldZone, type CacheDisk } from './disks.ts';
import { toShield, type ShieldConf } from './shield.ts';
import {
  compressionLevels,
  compressionOf,
  fetchSocket,
  fetchUpstream,
  renewSocket,
  type CompressionLevel,
} from './compression.ts';

/** The way from the cache to origins: internal servers, and the upstreams whose origins Lua names. */

export interface FetchOptions {
  edgeDir: string;
  hasBrotli?: boolean;
  caFolder?: string;
  cacheDisks: readonly CacheDisk[];
  shield?: ShieldConf | undefined;
}

function requestFields(): string {
  const lines = ['X-Forwarded-Host $host', ...blankedFields.map((name) => `${name} ""`)];
  return lines.map((line) => `proxy_set_header ${line};`).join('\n    ');
}

/** Seconds for which idle connections are kept; as many upstreams for TLS at each as `slots.ts` knows of. */
const keepaliveTimes = [4, 15, 60];
const tlsSlots = 64;

function upstream(name: string, connections: number, seconds: number): string {
  const keepalive = seconds === 0 ? '' : `keepalive ${connections}; keepalive_timeout ${seconds}s; `;
  return `upstream ${name} { server 0.0.0.1; balancer_by_lua_block { edge.balance() } ${keepalive}}`;
}

function upstreams(): string {
  const lines = [upstream('origins_http_0', 0, 0), upstream('origins_https_0', 0, 0)];
  for (const seconds of keepaliveTimes) {
    lines.push(upstream(`origins_http_${seconds}`, 128, seconds));
    // HTTP/2 without TLS, which none of the others speaks.
    lines.push(upstream(`origins_calls_${seconds}`, 128, seconds));
    for (let slot = 0; slot < tlsSlots; slot++)
      lines.push(upstream(`origins_https_${seconds}_${slot}`, 16, seconds));
  }
  return lines.join('\n  ');
}

const nginxConditions: Record<RetryCondition, string> = {
  timeout: 'timeout',
  server_error: 'http_500',
  gateway_error: 'http_502 http_503 http_504',
  not_found: 'http_403 http_404',
  too_many: 'http_429',
};

/** The conditions of `retrySet`; a connection that fails and what is no HTTP always count. */
function nextUpstream(set: number): string {
  const names = retryConditions.filter((_, bit) => (set & (1 << bit)) !== 0);
  return ['error invalid_header', ...names.map((name) => nginxConditions[name])].join(' ');
}

/**
 * What nginx takes from its configuration only: when the next origin is asked, and whether certificates are verified.
 * There is a location for each of the possible sets, and Lua goes to the one that a site wants.
 */
function locations({ edgeDir, caFolder = '/etc/ssl/certs' }: FetchOptions): string {
  const lines: string[] = [];
  const verify = verification('proxy', edgeDir, caFolder);
  for (let set = 0; set < 1 << retryConditions.length; set++) {
    const ask = `${asking(true)} proxy_next_upstream ${nextUpstream(set)};`;
    lines.push(`location @plain_${set} { ${ask} }`);
    lines.push(`location @verified_${set} { ${ask} ${verify} }`);
    // For origins that send interim answers, which this keeps them from.
    lines.push(`location @plain_${set}_http10 { ${ask} proxy_http_version 1.0; }`);
    lines.push(`location @verified_${set}_http10 { ${ask} proxy_http_version 1.0; ${verify} }`);
  }
  return lines.join('\n    ');
}

/** OpenSSL looks an authority up in the folder when it is needed. nginx insists on a file as well; it decides nothing. */
export function verification(module: 'proxy' | 'grpc', edgeDir: string, caFolder: string): string {
  return `${module}_ssl_verify on; ${module}_ssl_verify_depth 5; ${module}_ssl_conf_command VerifyCAPath "${caFolder}"; ${module}_ssl_trusted_certificate "${edgeDir}/conf/default.crt";`;
}

function asking(isMoved: boolean): string {
  return askingBy(`fetchAccess(${isMoved})`);
}

export function fetchSide(options: FetchOptions): string {
  const servers = compressionLevels.flatMap((level) => [
    fetchServer(options, level),
    renewServer(options, level),
  ]);
  return [upstreams(), ...servers].join('\n  ');
}

/** A part that another request has had stored: nginx lets no subrequest go back to its cache, and those ask for parts. */
const partLocation = ({ cacheDisks }: FetchOptions): string => `location @part {
      # A connection of its own, as parts have everywhere: see cache.ts.
      proxy_pass http://fresh_fetch;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Breakwater $upstream_cache_status;
      proxy_set_header X-Breakwater-Place "9 @part";
      proxy_set_header Accept-Encoding "";
      # One that is too old comes by itself: it is of the version that the visitor has the first part of.
      proxy_cache_use_stale updating;
      proxy_buffering on;
      proxy_cache ${toldZone(cacheDisks)};
      proxy_cache_key $http_x_breakwater_key;
      proxy_ignore_headers Expires Set-Cookie X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Charset;
      header_filter_by_lua_block { edge.partHeaders() }
    }`;

/** Has renewed what is stale, with nobody waiting for it: the request is one that a fetch server was sent, headed as that was. */
function renewServer({ edgeDir, cacheDisks }: FetchOptions, level: CompressionLevel): string {
  return `server {
    listen "unix:${edgeDir}/run/${renewSocket(level)}" backlog=${backlog};
    access_log off;
    large_client_header_buffers 8 32k;
    location / {
      proxy_pass http://${fetchUpstream(level)};
      proxy_http_version 1.1;
      proxy_next_upstream off;
      proxy_read_timeout 1h;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Breakwater $upstream_cache_status;
      proxy_set_header X-Breakwater-Place "9 @renewed";
      proxy_cache ${toldZone(cacheDisks)};
      proxy_cache_key $http_x_breakwater_key;
      add_header X-Breakwater-Renewal $upstream_cache_status always;
      proxy_ignore_headers Expires Set-Cookie X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Charset;
    }
  }`;
}

/** What Lua sets of a request to an origin. */
const variables = `set $origin_scheme http;
    set $origin_upstream origins_http_4;
    set $origin_uri "";
    set $origin_host "";
    set $origin_authorization $http_authorization;
    set $origin_accept_encoding $http_accept_encoding;
    set $origin_sni "";
    set $origin_tried "";
    set $origin_counted "";
    set $origin_collapsed "";
    set $origin_place "";
    set $origin_rewritten "";
    set $origin_hop "";`;

/** Answers that are searched for leaks are held here until they are judged, and large content is handed on at its pace. */
const heldLocation = `location @held {
      lua_socket_buffer_size 64k;
      lua_socket_log_errors off;
      content_by_lua_block { edge.holdAnswer() }
      # It only hands on: whether an origin was silent is for the request behind it to say.
      log_by_lua_block { return }
    }`;

/** Of answers: whatever an origin sends under these names. */
const hiddenFields = [
  'X-Breakwater-Reason',
  'X-Breakwater-Leaks',
  'X-Breakwater-Holding',
  ...hopFieldsOfAnswers.filter((name) => name !== 'Upgrade'),
];

/** One for each strength of compression, since nginx takes that from no variable. */
function fetchServer(options: FetchOptions, level: CompressionLevel): string {
  return `server {
    listen "unix:${options.edgeDir}/run/${fetchSocket(level)}" backlog=${backlog};
    ${compressionOf(level, options.hasBrotli === true)}
    access_log off;
    keepalive_requests 1000000;
    # What the visitor may send, and what the front adds to it.
    large_client_header_buffers 8 32k;
    # As much of a request's content as is read before an origin is asked (lua/lib/content-rate.ts).
    client_body_buffer_size 64k;
    ${variables}
    set $fetch_socket "unix:${options.edgeDir}/run/${fetchSocket(level)}";
    set $renew_socket "unix:${options.edgeDir}/run/${renewSocket(level)}";
    header_filter_by_lua_block { edge.fetchHeaders() }
    log_by_lua_block { edge.fetchDone() }
    # Also of a request that a shield did not answer.
    recursive_error_pages on;
    error_page 500 502 503 504 @failed;

    proxy_http_version 1.1;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_next_upstream error invalid_header timeout;
    proxy_ignore_headers X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Charset X-Accel-Buffering;
    proxy_set_header Host $origin_host;
    # The visitor's own, or the signature that object storage wants.
    proxy_set_header Authorization $origin_authorization;
    proxy_set_header Accept-Encoding $origin_accept_encoding;
    proxy_set_header Connection $forward_connection;
    proxy_set_header Upgrade $forward_upgrade;
    proxy_set_header CDN-Loop $cdn_loop;
    ${requestFields()}
    proxy_ssl_server_name on;
    proxy_ssl_name $origin_sni;
    proxy_ssl_protocols TLSv1.2 TLSv1.3;
    proxy_pass_header Date;
    # What is said within the edge, and what is for one hop only: Upgrade has its use where protocols change (dropFieldsOfHop).
    ${hiddenFields.map((name) => `proxy_hide_header ${name};`).join('\n    ')}

    location / { ${asking(false)} }
    ${heldLocation}
    ${locations(options)}
    ${partLocation(options)}
    ${options.shield === undefined ? '' : toShield(options.edgeDir, options.shield)}
    location @failed {
      set $edge_request_id $http_x_request_id;
      add_header Retry-After $edge_retry_after always;
      content_by_lua_block { edge.showOriginFailure() }
    }
  }`;
}
