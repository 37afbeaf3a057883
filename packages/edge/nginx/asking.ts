import { hopFieldsOfRequests } from '@breakwater/policy/http/fields';

/** Not in the key, and of no use to an origin: nobody lets these through. Others of the kind are removed by `ask.ts`. */
const unkeyedFields = ['Forwarded', 'Proxy'];
/** What visitors send of these, and of the edge's own, goes no further. */
export const blankedFields = [
  'X-Breakwater',
  'X-Breakwater-Port',
  'X-Breakwater-Rule',
  'X-Breakwater-Told',
  'X-Breakwater-Wish',
  'X-Breakwater-Hop',
  'X-Breakwater-Variant',
  'X-Breakwater-Slice',
  'X-Breakwater-Key',
  'X-Breakwater-Place',
  'X-Breakwater-Rewriting',
  'X-Breakwater-Judge',
  'X-Breakwater-Disk',
  'X-Breakwater-Holding',
  'X-Breakwater-Encoding',
  'X-Breakwater-If-None-Match',
  'X-Breakwater-If-Modified-Since',
  ...unkeyedFields,
  ...hopFieldsOfRequests,
];

/** A request of a fetch server, by the Lua function that prepares it. */
export function askingBy(access: string): string {
  return `access_by_lua_block { edge.${access} } body_filter_by_lua_block { return edge.fetchBody() } proxy_pass $origin_scheme://$origin_upstream$origin_uri;`;
}
