import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { withoutAsked } from '@breakwater/policy/protect/note';
import { noteAll } from './note.ts';

/** The front's part of judging large content on its way: `judge.ts` has the rest. */

/** In the front, before the cache: has the request judged on its way. */
export function sendToJudge(): void {
  const variables = ngx.var;
  variables.edge_judge = `${variables.edge_fetch!} ${variables.request_uri!}`;
  variables.edge_fetch = 'judge';
  // Of the places at the cache the one that asks whom Lua names; what carries content is looked for in none of them.
  const [place] = string.gsub(variables.edge_then!, '^@slice_%d+m', '@cached');
  variables.edge_then = string.gsub(place, '^@%l+', '@cached')[0];
}

/** In the front: what was found goes into its log. */
export const takeJudged = (): void => take(ngx.var.upstream_http_x_breakwater_judged);

/** The same of what was found in an answer. */
export const takeLeaks = (): void => take(ngx.var.upstream_http_x_breakwater_leaks);

function take(said: string | undefined): void {
  if (said === undefined) return;
  const [entries, decision, parts] = string.match(said, '^([^,]*),([^,]*),([^,]*)$');
  if (entries === undefined) return;
  const shown = withoutAsked(decoded(parts!), pathOfTarget(ngx.var.request_uri!));
  noteAll(decoded(entries), decoded(decision!), shown);
}

const decoded = (text: string): string => ngx.decode_base64(text) ?? '';

/** In the front, of a request that was blocked on its way, or whose answer was. */
export function showJudged(): void {
  if (ngx.var.edge_judge !== '') takeJudged();
  takeLeaks();
  ngx.var.edge_page = 'blocked';
  // What is left of it is not read.
  ngx.var.edge_stage = '@page_and_close';
  ngx.exit(421);
}
