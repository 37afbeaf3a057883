import { blankedFields } from './asking.ts';
import { verification } from './fetch.ts';

export interface CallOptions {
  edgeDir: string;
  caFolder?: string;
}

/**
 * Calls of gRPC go from the visitor's connection to the origin's at once: the way through the cache and the fetch server
 * speaks HTTP/1.1, which has no trailers. `site.ts` names one of these locations; only a connection that cannot be made
 * lets the next origin be asked, since a POST is not sent twice.
 */
export function callLocations(
  { edgeDir, caFolder = '/etc/ssl/certs' }: CallOptions,
  lines: string[],
): string {
  const verify = verification('grpc', edgeDir, caFolder);
  const places = ['error', 'error timeout'].flatMap((conditions, set) => [
    place(`call_plain_${set}`, [`grpc_next_upstream ${conditions};`, ...lines]),
    place(`call_verified_${set}`, [`grpc_next_upstream ${conditions};`, verify, ...lines]),
  ]);
  return [...places, failed(lines)].join('\n    ');
}

function place(name: string, lines: string[]): string {
  return `location @${name} {
      set $origin_scheme grpc;
      set $origin_upstream origins_http_0;
      set $origin_host "";
      set $origin_sni "";
      set $origin_tried "";
      set $origin_counted "";
      set $origin_place "";
      access_by_lua_block { edge.callAccess() }
      header_filter_by_lua_block { edge.callHeaders() }
      log_by_lua_block { edge.callDone() }
      error_page 500 502 503 504 @call_failed;
      grpc_pass $origin_scheme://$origin_upstream;
      ${fields()}
      grpc_ssl_server_name on;
      grpc_ssl_name $origin_sni;
      grpc_ssl_protocols TLSv1.2 TLSv1.3;
      grpc_ignore_headers X-Accel-Redirect X-Accel-Charset;
      grpc_pass_header Date;
      grpc_hide_header Strict-Transport-Security;
      grpc_hide_header X-Request-Id;
      add_header X-Request-Id $edge_request_id always;
      ${lines.join('\n      ')}
    }`;
}

function fields(): string {
  const own = [
    // First, as HTTP/2 wants it. Naming Host keeps nginx from sending the upstream's name here.
    ':authority $origin_host',
    'Host ""',
    'CDN-Loop $cdn_loop',
    'Via $via',
    'X-Real-IP $client_addr',
    'X-Forwarded-For $client_chain',
    'X-Forwarded-Proto $scheme',
    'X-Forwarded-Host $host',
    'X-Request-Id $edge_request_id',
    'X-Client-Verify $edge_client',
    'X-Client-Subject $edge_client_subject',
    'X-Client-Fingerprint $edge_client_fingerprint',
    ...blankedFields.map((name) => `${name} ""`),
  ];
  return own.map((line) => `grpc_set_header ${line};`).join('\n      ');
}

function failed(lines: string[]): string {
  return `location @call_failed {
      log_by_lua_block { edge.callDone() }
      add_header X-Request-Id $edge_request_id always;
      add_header Retry-After $edge_retry_after always;
      ${lines.join('\n      ')}
      content_by_lua_block { edge.showCallFailure() }
    }`;
}
