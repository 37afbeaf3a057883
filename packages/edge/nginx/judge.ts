import { backlog } from './capacity.ts';

/** The upstream as `$edge_fetch` names it; no connection is kept in either. */
export const judgeUpstream = ({ edgeDir }: { edgeDir: string }): string =>
  ['judge', 'fresh_judge']
    .map((name) => `upstream ${name} { server "unix:${edgeDir}/run/judge.sock"; }`)
    .join('\n  ');

/** Between the cache and the fetch servers, for large content of sites that have it judged: `lua/protect/judge.ts`. */
export const judgeServer = ({ edgeDir }: { edgeDir: string }): string => `server {
    listen "unix:${edgeDir}/run/judge.sock" backlog=${backlog};
    access_log off;
    # What the visitor may send, and what the front adds to it.
    large_client_header_buffers 8 32k;
    client_header_timeout 60s;
    lua_socket_buffer_size 64k;
    lua_socket_log_errors off;
    location / {
      content_by_lua_block { edge.judge() }
    }
  }`;

/** Where a request ends that was blocked on its way. */
export const judgedLocation = `location @judged_content {
      error_page 421 = $edge_stage;
      access_by_lua_block { edge.showJudged() }
      log_by_lua_block { edge.release() }
    }`;
