import { compressionLevels, fetchSocket, fetchUpstream } from './compression.ts';

/** The visitor's side of the cache: the locations through which requests go to it. */

interface CacheLocation {
  /** Of the location to come back to after waiting for another request. */
  name: string;
  /** The upstream that asks the origin, and what for, where that is not what the visitor asked for. */
  fetchServer: string;
  lock: boolean;
  /** Bytes of a part, or 0: whole. */
  sliceBytes: number;
  /** The Lua function that runs on the answer's header. */
  headers: string;
  /** Absent: from a visitor. */
  isFromEdge?: true;
  /** It has directives of nginx's rewrite phase, which no `limit_except` within it would take over. */
  isRewriting?: boolean;
}

/** Where a request goes unless its site or rule asks for more: a hit here runs the least. */
export const plainCache: CacheLocation = {
  name: 'plain',
  fetchServer: 'fetch',
  lock: true,
  sliceBytes: 0,
  headers: 'frontHeaders',
};
/** For what the site wants done with the answer's header. */
const shapedCache: CacheLocation = { ...plainCache, name: 'shaped', headers: 'shapedHeaders' };
/** Where Lua says besides which fetch server is asked, and for what: nginx puts that together for each hit as well. */
const extraCache: CacheLocation = {
  ...plainCache,
  name: 'cached',
  fetchServer: '$edge_fetch$edge_target',
  headers: 'extraHeaders',
};

/** Lua names one of these in `$edge_stage`; what nginx takes from no variable has a location for each value. */
export const cachePlaces: readonly (readonly [name: string, place: CacheLocation])[] = [
  ['plain', plainCache],
  ['shaped', shapedCache],
  ['cached', extraCache],
  ['unlocked', { ...extraCache, name: 'unlocked', lock: false }],
  ['whole', { ...extraCache, name: 'whole', headers: 'wholeHeaders' }],
  ...[1, 4, 16].map(
    (megabytes) =>
      [
        `slice_${megabytes}m`,
        {
          ...plainCache,
          name: `slice_${megabytes}m`,
          fetchServer: 'fetch$edge_target',
          sliceBytes: megabytes * 1_048_576,
          headers: 'sliceHeaders',
        },
      ] as const,
  ),
];

const hopFunctions: Record<string, string> = {
  sliceHeaders: 'hopSliceHeaders',
  wholeHeaders: 'hopWholeHeaders',
};

/** As another node's requests go to it. */
export const fromEdge = (place: CacheLocation): CacheLocation => ({
  ...place,
  fetchServer: 'fetch',
  headers: hopFunctions[place.headers] ?? 'hopHeaders',
  isFromEdge: true,
});

/** The places for other nodes' requests. */
export function hopLocations(): string {
  return cachePlaces
    .map(
      ([name, place]) => `location @${name} {
      ${throughCache(fromEdge({ ...place, name }), [])}
    }`,
    )
    .join('\n    ');
}

export const pacing = 'body_filter_by_lua_block { edge.pace() }';

/** Each place, and beside it one for sites whose answers share a bandwidth: others run nothing for each piece of an answer. */
export function cacheLocations(lines: string[]): string {
  return cachePlaces
    .flatMap(([name, place]) => [
      cacheLocation({ ...place, name }, lines),
      cacheLocation({ ...place, name: `${name}_paced` }, [...lines, pacing], '_paced'),
    ])
    .join('\n    ');
}

/** `suffix`: of the names of places that belong together. */
export const cacheLocation = (place: CacheLocation, lines: string[], suffix = ''): string =>
  `location @${place.name} {
      log_by_lua_block { edge.release() }
      ${throughCache(place, lines).replace('error_page 598 = @whole;', `error_page 598 = @whole${suffix};`)}
    }`;

/** Each of them twice: with connections that are kept, and with a new one for each request. */
export function fetchServers(dir: string): string {
  return compressionLevels
    .map((level) => {
      const server = `server "unix:${dir}/run/${fetchSocket(level)}";`;
      return `upstream ${fetchUpstream(level)} { ${server} keepalive 64; }
  upstream fresh_${fetchUpstream(level)} { ${server} }`;
    })
    .join('\n  ');
}

/** `lines`: what is the server's own. */
export function throughCache(place: CacheLocation, lines: string[]): string {
  const fields = place.isFromEdge === true ? fieldsOfEdge : fieldsOfVisitor;
  return [toFetch(place), fields, slicing(place), collapsing(place), caching(place), ...lines].join(
    '\n      ',
  );
}

/** What the cache keeps an answer of this location under. */
const keyOf = ({ sliceBytes }: CacheLocation): string =>
  sliceBytes === 0 ? '$cache_key' : '"$cache_key $slice_range $slice_tag"';

/** The fetch server lets one request for a key ask, and sends the others back to wait; see `collapse.ts`. */
function collapsing(place: CacheLocation): string {
  return `proxy_set_header X-Breakwater-Key ${place.lock ? keyOf(place) : '""'};
      proxy_set_header X-Breakwater-Place "$edge_waited @${place.name}";
      proxy_set_header X-Breakwater-Disk $cache_disk;`;
}

function slicing({ sliceBytes, isFromEdge }: CacheLocation): string {
  if (sliceBytes === 0)
    return 'proxy_set_header X-Breakwater-Slice ""; proxy_set_header X-Breakwater-Encoding "";';
  return `slice ${sliceBytes};
      # What is large goes from the disk to the connection with no copy, little enough at once that others do not wait long for a cold
      # disk. No threads: with them nginx can miss that a connection takes more (decision 39). For what is small sendfile costs a hit
      # more than it saves: some 7 µs more than the 26 without (nginx 1.22).
      sendfile on;
      sendfile_max_chunk 512k;
      # For a visitor who is as fast as the origin, nginx holds the buffers of each part until the last has gone: by default 160 MB for a
      # gigabyte in parts of 1 MiB. These are 65 MB, and no slower.
      proxy_buffers 2 16k;
      proxy_busy_buffers_size 16k;
      output_buffers 1 32k;
      proxy_set_header Range $slice_range;
      # Parts of a compressed answer could not be put together.
      proxy_set_header Accept-Encoding "";
      # By which of them the cache keeps answers apart.
      proxy_set_header X-Breakwater-Encoding $http_accept_encoding;
      proxy_set_header X-Breakwater-Slice "$slice_range $slice_tag";
      # An origin whose answers cannot be put together from parts: the fetch server says so, and all is asked for again.
      proxy_intercept_errors on;
      error_page 598 = @whole;
      ${isFromEdge === true ? '' : 'error_page 421 = $edge_stage;'}
      error_page 502 504 = ${isFromEdge === true ? '@refused' : '@page'};`;
}

/**
 * A worker that is to quit closes the kept connections on which nothing is under way, also one on which a worker that does not know
 * it yet sends the next request. Such a request goes again (`lua/fetch/crowd.ts`) where it can: a GET or HEAD that no visitor has a part
 * of the answer to. What cannot, uploads and parts, has a connection of its own, which nobody closes, and a hit does nothing for it.
 */
function passing({ fetchServer, sliceBytes, isRewriting }: CacheLocation): string {
  if (sliceBytes > 0) return `proxy_pass http://fresh_${fetchServer};`;
  if (isRewriting === true) return `proxy_pass http://\${fresh}${fetchServer};`;
  return `proxy_pass http://${fetchServer};
      limit_except GET { proxy_pass http://fresh_${fetchServer}; }`;
}

function toFetch(place: CacheLocation): string {
  return `${passing(place)}
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_next_upstream off;
      # The origin's own limits hold, which the fetch server keeps.
      proxy_read_timeout 1h;
      proxy_send_timeout 1h;
      # The port a visitor writes is left out: it is not in the key, so it must not shape an answer.
      proxy_set_header Host $host;
      proxy_set_header Connection $forward_connection;
      proxy_set_header Upgrade $forward_upgrade;
      # Whether it goes around the cache, and if not, what the cache has.
      proxy_set_header X-Breakwater $edge_bypass$upstream_cache_status;
      # How much of the answer the visitor wants; the cache asks for all of it.
      proxy_set_header X-Breakwater-Wish "$request_method:$http_range";
      # The fetch server's own, whatever a visitor sends.
      proxy_set_header X-Breakwater-Holding "";
      # The visitor's conditions, which are the cache's to answer, unless it is known to have nothing.
      proxy_set_header X-Breakwater-If-None-Match $http_if_none_match;
      proxy_set_header X-Breakwater-If-Modified-Since $http_if_modified_since;`;
}

/** What the fetch server is told of a visitor and of what was decided for the request. */
const fieldsOfVisitor = `proxy_set_header X-Real-IP $client_addr;
      proxy_set_header X-Forwarded-For $client_chain;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Request-Id $edge_request_id;
      # Once, however many nodes it comes through: between them it has not left the edge.
      proxy_set_header Via $via;
      proxy_set_header X-Breakwater-Port $server_port;
      # Empty where the site does not pass it on: what a visitor sends under these names goes no further.
      proxy_set_header X-Client-Verify $edge_client;
      proxy_set_header X-Client-Subject $edge_client_subject;
      proxy_set_header X-Client-Fingerprint $edge_client_fingerprint;
      # Which cache rule applies, of a site whose rules have conditions: they are asked of the visitor's request.
      proxy_set_header X-Breakwater-Rule $edge_rule;
      # Of a site whose limits or error pages have such: what the fetch server has to know of them.
      proxy_set_header X-Breakwater-Told $edge_told;
      # How conditions of rewriting were decided; see rewriting.ts.
      proxy_set_header X-Breakwater-Rewriting $edge_rewriting;
      # What keeps answers apart beside the target, for a shield that makes a key of its own.
      proxy_set_header X-Breakwater-Variant $edge_variant;
      proxy_set_header X-Breakwater-Hop "";
      proxy_set_header X-Breakwater-Judge $edge_judge;`;

/** Another node has looked at the visitor's request: all of the above goes on as it came. */
const fieldsOfEdge = `proxy_set_header X-Breakwater-Told "";
      proxy_set_header X-Breakwater-Rewriting "";
      proxy_set_header X-Breakwater-Variant "";
      proxy_set_header X-Breakwater-Hop in;`;

function caching(place: CacheLocation): string {
  const { sliceBytes, headers } = place;
  const isPlain = headers === plainCache.headers;
  return `proxy_cache $cache_zone;
      proxy_cache_key ${keyOf(place)};
      proxy_cache_methods GET HEAD;
      # A part of a kept answer is given whether or not the origin gives parts.
      proxy_force_ranges on;
      # The lifetime comes as X-Accel-Expires, worked out from all of these by the fetch server.
      # How long it may be served stale comes as Cache-Control (RFC 5861), and only where the origin states it.
      proxy_cache_background_update ${sliceBytes === 0 ? 'on' : 'off'};
      if_modified_since before;
      # X-Accel-Redirect is the fetch server's own, which takes none from origins.
      proxy_ignore_headers Expires Set-Cookie X-Accel-Limit-Rate X-Accel-Charset;
      proxy_pass_header Date;
      # Over plain HTTP it means nothing (RFC 6797 §7.2), and over HTTPS the site's own goes first.
      proxy_hide_header Strict-Transport-Security;
      proxy_hide_header X-Breakwater;
      proxy_hide_header X-Breakwater-Cache-Control;
      # Stored by an earlier release.
      proxy_hide_header X-Breakwater-Reason;
      proxy_hide_header X-Breakwater-Judged;
      proxy_hide_header X-Breakwater-Leaks;
      proxy_hide_header X-Breakwater-Changed;
      ${place.isFromEdge === true ? '' : 'proxy_hide_header X-Breakwater-Tags; proxy_hide_header X-Breakwater-Hop;'}
      proxy_hide_header Age;
      proxy_hide_header X-Cache;
      proxy_hide_header X-Request-Id;
      ${isPlain ? 'add_header X-Cache $cache_status always;' : '# Lua says where an answer came from, if the site wants that said.'}
      add_header X-Request-Id $edge_request_id always;
      header_filter_by_lua_block { edge.${headers}() }
      add_header Age $age always;`;
}
