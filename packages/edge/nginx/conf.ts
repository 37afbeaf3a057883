import { backlog, capacityOf } from './capacity.ts';
import { bytesOf, cachePaths, diskOfKey, zoneVariable, type CacheDisk } from './disks.ts';
import type { SiteDirectives } from './directives.ts';
import { captchaServer } from './captcha.ts';
import { fetchSide } from './fetch.ts';
import { front, nameOfConfiguration, visitorSeconds } from './front.ts';
import { judgeServer, judgeUpstream } from './judge.ts';
import type { ShieldConf } from './shield.ts';
import { luaString, quote } from './text.ts';

export interface NginxConfOptions {
  /** Absolute; everything nginx writes lies under it. */
  edgeDir: string;
  luaBundle: string;
  /** Of what the bundle has in it. */
  bundleHash?: string;
  httpPorts: number[];
  httpsPorts: number[];
  /** Ports that some sites have beside the node's; the others do not answer there. */
  extraHttpPorts?: number[];
  extraHttpsPorts?: number[];
  /** Sites that tell nginx something themselves. */
  siteDirectives?: readonly SiteDirectives[];
  /** Names of files in `conf/tickets`, each with a key of TLS tickets; the first encrypts. */
  ticketKeys?: readonly string[];
  /** Absent: this node has nothing to do with shields. */
  shield?: ShieldConf | undefined;
  /** HTTP/3 beside HTTPS; only where this nginx has it. */
  http3?: boolean;
  /** Ports on which every connection starts with the PROXY protocol, of a load balancer before this node. */
  proxyHttpPorts?: number[];
  proxyHttpsPorts?: number[];
  /** Absent: all addresses, IPv6 too where `ipv6` says that the machine has it. */
  listenAddress?: string;
  ipv6?: boolean;
  workerProcesses: number | 'auto';
  /** The account of the workers; only where the master runs as root. */
  user?: string;
  /** What the system lets a process open; a connection through the cache takes two or more. */
  openFilesMax: number;
  /** Where answers are kept; one at least. */
  cacheDisks: readonly CacheDisk[];
  /** Memory for the cache's keys. */
  cacheKeysBytes: number;
  /** Memory for documents, `512m`; what is not used is not taken. */
  documentsSizeMax?: string;
  /** Memory for the counters of CC guard. */
  guardSizeMax?: string;
  /** Names this node in `CDN-Loop`: letters, digits and hyphens. */
  nodeName: string;
  modulesDir: string;
  /** nginx's brotli module is there. */
  hasBrotli?: boolean;
  /** Certificates of authorities, named by hash as `openssl rehash` does, that origins are verified by; Debian's when absent. */
  caFolder?: string;
  /** How long visitors may take. */
  visitorSeconds?: VisitorSeconds;
  /** Origins may have private addresses, and the node's own. */
  privateOrigins?: boolean;
  /** The addresses of this machine. */
  ownAddresses?: string[];
  luaPackagePath: string;
}

export interface VisitorSeconds {
  /** From the connection to the end of a handshake, and from its first byte to the end of a request's header. */
  header: number;
  /** Without any of a request's content, and without taking any of an answer. */
  content: number;
  sending: number;
  /** After which a connection takes no more requests. */
  connection: number;
}

/**
 * The one configuration of an edge node. The Lua phases look sites up in documents, so it changes with the node's own
 * settings, and with what only nginx can do: ports that sites ask for, and directives of their own.
 */
export function renderNginxConf(options: NginxConfOptions): string {
  const dir = options.edgeDir;
  const capacity = capacityOf(options.openFilesMax);
  const token = `breakwater-${options.nodeName.replaceAll(/[^A-Za-z0-9-]/g, '-')}`;
  return `# Written by Breakwater; changes made here are lost.
load_module ${quote(`${options.modulesDir}/ndk_http_module.so`)};
load_module ${quote(`${options.modulesDir}/ngx_http_lua_module.so`)};
${options.hasBrotli === true ? `load_module ${quote(`${options.modulesDir}/ngx_http_brotli_filter_module.so`)};\n` : ''}${options.user === undefined ? '' : `user ${options.user};\n`}worker_rlimit_nofile ${options.openFilesMax};
worker_processes ${options.workerProcesses};
pid ${quote(`${dir}/run/nginx.pid`)};
error_log ${quote(`${dir}/logs/error.log`)} warn;
# After a reload the old workers finish what they are sending.
worker_shutdown_timeout 1h;
pcre_jit on;
events {
  worker_connections ${capacity.connections};
  # What waits at a socket is taken in one go: else the cache would ask its fetch server faster than that takes connections.
  multi_accept on;
}

http {
  ${shared(options)}
  ${visitorMaps()}
  ${maps(token, zoneVariable(options.cacheDisks))}
  ${logMaps()}
  ${accessLog(dir)}
  ${front(options)}
  ${fetchSide(options)}
  ${captchaServer(options)}
  ${judgeUpstream(options)}
  ${judgeServer(options)}
  ${control(dir)}
}
`;
}

/** No answer of unknown length takes more of a disk's cache than a tenth. */
const keptBytesMax = (disks: readonly CacheDisk[]): number =>
  Math.floor(Math.min(...disks.map(({ sizeMax }) => bytesOf(sizeMax))) / 10);

function shared(options: NginxConfOptions): string {
  const dir = options.edgeDir;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `server_tokens off;
  default_type application/octet-stream;
  variables_hash_max_size 4096;
  tcp_nodelay on;
  # Files of the cache stay open between hits, which saves a hit a fifth of its time; nginx knows when one was replaced.
  open_file_cache max=${capacityOf(options.openFilesMax).heldFiles} inactive=60s;
  keepalive_timeout 65s;
  client_max_body_size 0;
  # Origins send long header lists; with less than these an answer would end in an error page.
  proxy_buffer_size 16k;
  proxy_buffers 8 16k;
  proxy_busy_buffers_size 32k;
  ${temporary.map((name) => `${name}_temp_path ${quote(`${dir}/tmp/${name}`)};`).join('\n  ')}
  # Nothing is removed for not being asked for: the rules' lifetimes and the size decide.
  ${cachePaths(options.cacheDisks, options.cacheKeysBytes)}
  ${diskOfKey(options.cacheDisks)}

  lua_package_path ${quote(options.luaPackagePath)};
  ${sharedMemory(options)}
  # Each renewal of what is given stale meanwhile is one, until its origin answers.
  lua_max_running_timers 4096;
  lua_max_pending_timers 4096;
  lua_regex_cache_max_entries 20000;
  lua_regex_match_limit 100000;
  # What is freed goes back to the system now and then; by itself Lua's module does so each 1,000 requests, which then cost page faults.
  lua_malloc_trim 100000;
  init_by_lua_block {
    -- A request of a site with many settings reads more variables than LuaJIT would compile as one piece.
    jit.opt.start("loopunroll=60", "maxsnap=1000", "maxirconst=4000")
    edge = dofile(${luaString(options.luaBundle)})
    edge.setOriginRules(${options.privateOrigins === true}, ${luaString((options.ownAddresses ?? []).join(' '))}, ${keptBytesMax(options.cacheDisks)}, ${capacityOf(options.openFilesMax).connections}, ${(options.visitorSeconds ?? visitorSeconds).content})
    edge.start(${luaString(dir)}, ${luaString(nameOfConfiguration(options))}, ${options.hasBrotli === true}, ${luaString((options.siteDirectives ?? []).map(({ siteId }) => siteId).join(' '))}, ${luaString(options.cacheDisks.map(({ folder }) => folder).join(','))}, ${options.shield !== undefined}, ${luaString(options.nodeName)})
  }
  init_worker_by_lua_block { edge.startWorker() }
  exit_worker_by_lua_block { edge.endWorker() }`;
}

/** What all workers know together. */
const sharedMemory = (
  options: NginxConfOptions,
): string => `lua_shared_dict edge_documents ${options.documentsSizeMax ?? '512m'};
  lua_shared_dict edge_bans 32m; lua_shared_dict edge_bans_made 4m; lua_shared_dict edge_guard_places 4m;
  lua_shared_dict edge_health 4m;
  lua_shared_dict edge_ocsp 64m;
  lua_shared_dict edge_keys 64k;
  lua_shared_dict edge_active 4m;
  lua_shared_dict edge_stale 8m;
  lua_shared_dict edge_silences 1m;
  lua_shared_dict edge_asking 16m;
  lua_shared_dict edge_uses 8m;
  lua_shared_dict edge_resolved 8m;
  lua_shared_dict edge_rates 16m;
  lua_shared_dict edge_connections 16m;
  lua_shared_dict edge_robots 2m;
  lua_shared_dict edge_robots_asked 2m;
  lua_shared_dict edge_passes 16m; lua_shared_dict edge_guard ${options.guardSizeMax ?? '32m'};
  lua_shared_dict edge_workers 64k; lua_shared_dict edge_guard_steps 2m;
  lua_shared_dict edge_rule_acts 4m; lua_shared_dict edge_rule_marks 4m;
  lua_shared_dict edge_guard_heavy 512k; lua_shared_dict edge_guard_others 2m;
  lua_shared_dict edge_samples 4m; lua_shared_dict edge_submissions 4m;
  lua_shared_dict edge_leaks 4m;`;

function visitorMaps(): string {
  return `# Of a site with limits: where it goes after them, what it holds meanwhile, and when to come again if it may not.
  map "" $edge_after { default @plain; }
  # Where it goes after its content was judged.
  map "" $edge_then { default @plain; }
  map "" $edge_held { default ""; }
  map "" $edge_retry_after { default ""; }
  # What keeps answers apart beside the target, in short.
  map "" $edge_variant { default ""; }
  # How often it waited for another request.
  map "" $edge_waited { default 0; }
  # How often it found no room at the fetch server.
  map "" $edge_again { default 0; }
  # What decided that a request does not reach the site, for the log.
  map "" $edge_decision { default ""; }
  # What protection did, which of the request fitted, and the tags it got.
  map "" $edge_waf { default ""; }
  map "" $edge_waf_part { default ""; }
  map "" $edge_waf_tags { default ""; }
  # The fingerprint of the TLS client, of sites that log it.
  map "" $edge_ja4 { default ""; }
  # What CC guard counts by the answer.
  map "" $edge_guard { default ""; }
  # Up to which place rules are asked of the answer.
  map "" $edge_answer { default ""; }
  # For how many milliseconds a rule lets it wait, and whether its content is judged.
  map "" $edge_delay { default ""; }
  map "" $edge_judges { default ""; }
  # Of what the visitor sends, where it is one of the share that is searched: drawn, then held.
  map "" $edge_submitted { default ""; }
  # Of large content that is judged on its way: which fetch server is next, and what the visitor asked for.
  map "" $edge_judge { default ""; }
  # Of a visitor who is to be asked: for what.
  map "" $edge_challenge { default ""; }
  # The page of that, with the fields it needs, where it is made at once.
  map "" $edge_challenge_page { default ""; }
  map "" $edge_challenge_policy { default ""; }
  map "" $edge_challenge_referrer { default ""; }
  # The visitor, and how the origin is told who sent the request; Lua sets them where a proxy stands before this edge.
  map "" $client_addr { default $remote_addr; }
  map "" $client_chain { default $remote_addr; }`;
}

function maps(token: string, zone: string): string {
  return `# What a request is called, in the log and to everybody else: see request-id.ts.
  map "" $edge_request_id { default $request_id; }
  # Set by Lua for a request that gets so far; a broken one is logged with these.
  map "" $site_id { default 0; }
  map "" $client_id { default 0; }
  map "" $order_id { default 0; }
  map "" $edge_bypass { default ""; }
  map "" $edge_rule { default ""; }
  map "" $edge_told { default ""; }
  # Where a request goes that does not go straight to the cache.
  map "" $edge_stage { default @page; }
  # Which of the fetch servers asks the origin; they differ in how hard they compress.
  map "" $edge_fetch { default fetch; }
  # The same with a connection of its own for each request, where nginx cannot say it in another way; see cache.ts.
  map $request_method $fresh { default fresh_; GET ""; HEAD ""; }
  # Another target than the visitor's, that Lua has chosen, and where a visitor is sent instead.
  map "" $edge_target { default ""; }
  map "" $edge_location { default ""; }
  map "" $edge_rewriting { default ""; }
  # Of an answer kept in parts: the validator that all of them share.
  map "" $slice_tag { default ""; }
  # Of an answer that is kept, Lua knows the age; of another its origin may.
  map "" $age { default $upstream_http_age; }
  ${zoneMaps(zone)}
  # Another protocol follows only where there can be one: after a GET over HTTP/1.1 (RFC 6455 §4.1, RFC 9113 §8.6), and
  # where Connection says it too (RFC 9110 §7.8).
  map "$request_method $server_protocol $http_connection" $wants_upgrade { default ""; "~^GET HTTP/1\\.1 (.*,)?[ \\t]*(?i:upgrade)[ \\t]*(,|$)" 1; }
  map $wants_upgrade$http_upgrade $forward_upgrade { default ""; ~*^1websocket$ websocket; }
  map $forward_upgrade $forward_connection { default ""; websocket upgrade; }

  map $upstream_status $uncached { default BYPASS; "" ""; }
  map $upstream_cache_status $cache_status { default $upstream_cache_status; "" $uncached; }
  # What is stored with an answer says who gave it once, not who gives it now.
  map $cache_status $origin_addr { default $stated_addr; "" ""; STALE ""; UPDATING ""; }
  map $cache_status $origin_status { default $stated_status; "" 0; STALE 0; UPDATING 0; }
  map $cache_status $origin_time { default $stated_time; "" 0; STALE 0; UPDATING 0; }
  map $cache_status $origin_bytes { default $given_bytes; "" 0; STALE 0; UPDATING 0; }
  # Of what no origin gave, a shield did.
  map $stated_addr $given_bytes { default $stated_bytes; "" 0; }
  map $upstream_http_x_breakwater $stated_addr { default ""; "~^\\d{10}[ *!](?<addr>[^ -]+)" $addr; }
  map $upstream_http_x_breakwater $stated_status { default 0; "~ (?<code>\\d+)$" $code; }
  map $upstream_http_x_breakwater $stated_reason { default ""; "~^\\d{10}[ *!][^ ]+ (?<reason>[a-z_-]+) " $reason; }
  map $cache_status $cache_reason { default ""; MISS $stated_reason; EXPIRED $stated_reason; BYPASS $stated_reason; }
  map $upstream_response_time $stated_time { default 0; ~^[\\d.]+$ $upstream_response_time; }
  map $upstream_response_length $stated_bytes { default 0; ~^\\d+$ $upstream_response_length; }

  # RFC 8586: every edge adds its name, and refuses what carries it already. Lua sets the other pages.
  map $http_cdn_loop $cdn_loop { default "$http_cdn_loop, ${token}"; "" ${token}; }
  map $http_cdn_loop $edge_page { default ""; "" ""; "~(^|[, ])${token}($|[,; ])" loop; }

  map $time_iso8601$msec $log_time { default $time_iso8601; "~^(?<utc>.{19})\\+00:00.{10}(?<fraction>\\..{3})$" $utc\${fraction}Z; }`;
}

/** Whether an answer may come from the cache, and which zone of it. */
const zoneMaps = (
  zone: string,
): string => `# Most requests have none of these three, and are decided by one map.
  map "$http_upgrade$http_content_length$http_transfer_encoding" $cache_zone { default $other_zone; "" ${zone}; }
  # A WebSocket has no answer to keep.
  map $http_upgrade $other_zone { default $upgrade_zone; "" $body_zone; }
  map $forward_upgrade $upgrade_zone { default $body_zone; websocket off; }
  # Content is not in the key, so what answers it is not looked for there.
  map $http_content_length$http_transfer_encoding $body_zone { default off; "" ${zone}; 0 ${zone}; }`;

function logMaps(): string {
  return `# Sites that want less logged: which fields (r, u, q, j) and one in how many, set by Lua; then the two others are off.
  map "" $log_some { default 0; }
  map "" $log_plain { default 1; }
  map $log_some $log_rate { default 1; "~:(?<log_weight>\\d+)$" $log_weight; }
  map $log_some $log_addr { default $client_addr; :0 ""; }
  map $log_some $log_raw_addr { default $remote_addr; :0 ""; }
  map $log_some $log_referer { default ""; ~r $http_referer; }
  map $log_some $log_agent { default ""; ~u $http_user_agent; }
  map $log_some $log_uri { default $log_path; ~q $request_uri; :0 ""; }
  map $request_uri $log_path { default ""; "~^(?<log_bare>[^?]*)" $log_bare; }

  # Of a visitor who left before there was an answer nginx says 000, which is no number of JSON's.
  map $status $log_status { default $status; 000 0; 009 9; }

  # A hit, the common case, is logged by a format of its own, in which no origin need be looked up; not one of which protection
  # has something to say.
  map $upstream_cache_status$edge_waf $is_hit { default 0; HIT $log_plain; }
  map $is_hit $is_no_hit { default $log_plain; 1 0; }
  # It may be of any field, so it is logged where all of them are.
  map $log_some $log_waf_part { default ""; ~^ruq $edge_waf_part; }`;
}

/** Of sites that want less logged. */
const someFields: Record<string, string> = {
  remote_addr: '"$log_addr"',
  raw_remote_addr: '"$log_raw_addr"',
  request_uri: '"$log_uri"',
  referer: '"$log_referer"',
  user_agent: '"$log_agent"',
  waf_part: '"$log_waf_part"',
};

/** Of a hit these are known. */
const hitFields: Record<string, string> = {
  status: '$status',
  cache_status: '"HIT"',
  origin_addr: '""',
  origin_status: '0',
  origin_time: '0',
  origin_bytes: '0',
  decision: '""',
  cache_reason: '""',
  waf: '""',
  waf_part: '""',
  waf_tags: '""',
};

function accessLog(dir: string): string {
  const fields: [name: string, value: string][] = [
    ['time', '"$log_time"'],
    ['request_id', '"$edge_request_id"'],
    ['site_id', '$site_id'],
    ['client_id', '$client_id'],
    ['order_id', '$order_id'],
    ['host', '"$host"'],
    ['remote_addr', '"$client_addr"'],
    ['raw_remote_addr', '"$remote_addr"'],
    ['remote_port', '$remote_port'],
    ['method', '"$request_method"'],
    ['scheme', '"$scheme"'],
    ['protocol', '"$server_protocol"'],
    ['request_uri', '"$request_uri"'],
    ['status', '$log_status'],
    ['request_length', '$request_length'],
    ['bytes_sent', '$bytes_sent'],
    ['body_bytes_sent', '$body_bytes_sent'],
    ['request_time', '$request_time'],
    ['cache_status', '"$cache_status"'],
    ['origin_addr', '"$origin_addr"'],
    ['origin_status', '$origin_status'],
    ['origin_time', '$origin_time'],
    ['origin_bytes', '$origin_bytes'],
    ['referer', '"$http_referer"'],
    ['user_agent', '"$http_user_agent"'],
    ['content_type', '"$sent_http_content_type"'],
    ['tls_version', '"$ssl_protocol"'],
    ['decision', '"$edge_decision"'],
    ['cache_reason', '"$cache_reason"'],
    ['waf', '"$edge_waf"'],
    ['waf_part', '"$edge_waf_part"'],
    ['waf_tags', '"$edge_waf_tags"'],
  ];
  const line = (own: Record<string, string>) =>
    fields.map(([name, value]) => `"${name}":${own[name] ?? value}`).join(',');
  const path = quote(`${dir}/logs/access.log`);
  const together = 'buffer=64k flush=100ms';
  return `log_format edge escape=json '{${line({})}}';
  log_format edge_hit escape=json '{${line(hitFields)}}';
  log_format edge_some escape=json '{${line(someFields)},"ja4":"$edge_ja4","sample_rate":$log_rate}';
  # Lines of a tenth of a second are written together: a write for each costs a hit more than all that makes the line.
  access_log ${path} edge_hit ${together} if=$is_hit;
  access_log ${path} edge ${together} if=$is_no_hit;
  access_log ${path} edge_some ${together} if=$log_some;`;
}

function control(dir: string): string {
  return `server {
    listen "unix:${dir}/run/control.sock" backlog=${backlog};
    access_log off;
    client_max_body_size 1g;
    client_body_buffer_size 1m;
    location / { content_by_lua_block { edge.control() } }
    location = /status { internal; stub_status; }
  }`;
}
