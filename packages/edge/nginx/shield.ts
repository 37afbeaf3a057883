import { backlog } from './capacity.ts';
import { fromEdge, hopLocations, plainCache, throughCache } from './cache.ts';
import { askingBy, blankedFields } from './asking.ts';
import { quote } from './text.ts';

/** The hop between nodes (docs/origin-shield.md): how this one asks its shields, and how it is asked. */
export interface ShieldConf {
  /** Names of files in `conf/shield`: the authority, and this node's certificate and key. */
  authority: string;
  certificate: string;
  key: string;
  /** Where this node is asked; absent: it is no shield. */
  port?: number;
}

const file = (edgeDir: string, name: string): string => quote(`${edgeDir}/conf/shield/${name}`);

const hopFields = [
  'X-Breakwater-Hop $origin_hop',
  'X-Breakwater-Port $http_x_breakwater_port',
  'X-Breakwater-Rule $http_x_breakwater_rule',
  'X-Breakwater-Variant $http_x_breakwater_variant',
];

/** In the fetch servers. What is sent to a shield has been read whole: it may have to be sent to the origin after all. */
export function toShield(edgeDir: string, { authority, certificate, key }: ShieldConf): string {
  const own = hopFields.map((field) => field.split(' ')[0]);
  const fields = [
    'Host $host',
    'Authorization $http_authorization',
    'Accept-Encoding $origin_accept_encoding',
    'Connection $forward_connection',
    'Upgrade $forward_upgrade',
    'CDN-Loop $cdn_loop',
    ...blankedFields.filter((name) => !own.includes(name)).map((name) => `${name} ""`),
    ...hopFields,
  ];
  return `location @shield {
      ${askingBy('shieldAccess()')}
      proxy_request_buffering on;
      proxy_ssl_verify on;
      proxy_ssl_protocols TLSv1.3;
      proxy_ssl_trusted_certificate ${file(edgeDir, authority)};
      proxy_ssl_certificate ${file(edgeDir, certificate)};
      proxy_ssl_certificate_key ${file(edgeDir, key)};
      ${fields.map((field) => `proxy_set_header ${field};`).join('\n      ')}
      error_page 500 503 @failed;
      error_page 502 504 = @unshielded;
    }
    location @unshielded { ${askingBy('unshieldedAccess()')} }`;
}

/** Where other nodes ask. Who is none of them gets no answer at all. */
export function hopServer(edgeDir: string, address: string, shield: ShieldConf): string {
  return `server {
    listen ${address}${shield.port} ssl backlog=${backlog};
    ssl_certificate ${file(edgeDir, shield.certificate)};
    ssl_certificate_key ${file(edgeDir, shield.key)};
    ssl_client_certificate ${file(edgeDir, shield.authority)};
    ssl_verify_client optional;
    ssl_verify_depth 1;
    ssl_protocols TLSv1.3;
    # Counted by the node that has the visitor.
    access_log off;
    keepalive_requests 1000000;
    large_client_header_buffers 8 32k;
    client_header_timeout 20s;
    set_by_lua_block $cache_key { return edge.enterFromEdge() }
    if ($edge_page) { return 421; }
    recursive_error_pages on;
    error_page 421 = $edge_stage;
    error_page 495 496 497 500 502 504 = @refused;
    location / {
      ${throughCache(fromEdge(plainCache), [])}
    }
    ${hopLocations()}
    location @wait { content_by_lua_block { edge.waitForAnother() } }
    location @refused { return 444; }
  }`;
}
