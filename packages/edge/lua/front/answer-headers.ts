import { moveRenewalAside } from '../fetch/renewal.ts';
import { withholdsAnswer } from '../protect/answer.ts';
import { takeJudged, takeLeaks } from '../protect/to-judge.ts';
import { askWhole, entryAtPort, entryOf, rememberedRuleOf, type HostEntry } from '../site/host.ts';
import { shapeHeaders } from './cache-extras.ts';
import { changeCorsFields } from './cors.ts';
import { invalidatesStored, invalidateTargets } from './invalidating.ts';
import { changeResponseHeaders } from './rewrite-headers.ts';

/** The header of what a visitor gets, as the phases of nginx that filter it call for it. */

/** For how long what is not to be had in parts is asked for whole. */
const wholeSeconds = 600;
const space = 32;
const star = 42;
/** What the cache says of an answer that an origin gave just now. */
const isFetched: Record<string, boolean> = { MISS: true, EXPIRED: true, BYPASS: true };

/** What the cache was asked with: the visitor's target, or what rewriting made of it. */
export function cacheTarget(): string {
  const rewritten = ngx.var.edge_target!;
  return rewritten === '' ? ngx.var.request_uri! : rewritten;
}

/**
 * The answer to the visitor, with its age where it is one that can be kept (RFC 9111 §5.1), which is what comes back. `scheme`: of
 * a hop, the visitor's.
 */
export function frontHeaders(scheme?: string): number | undefined {
  const variables = ngx.var;
  const note = variables.upstream_http_x_breakwater;
  if (note === undefined) return undefined;
  // Its first ten characters are when the answer was made; see `fetchHeaders`.
  const born = tonumber(string.sub(note, 1, 10))!;
  let age: number | undefined;
  if (born > 2) {
    age = math.max(0, ngx.time() - born);
    variables.age = `${age}`;
  } else noteChange(scheme);
  // Most answers end here: of nothing more there is a word in the note.
  const mark = string.byte(note, 11);
  if (mark !== space) takeMarked(mark);
  return age;
}

/** What the note of an answer has a sign for; see `fetchHeaders` and `hold-answer.ts`. */
function takeMarked(mark: number | undefined): void {
  const variables = ngx.var;
  const stored = variables.upstream_cache_status;
  if (stored === undefined || isFetched[stored] === true) takeLeaks();
  if (mark !== star) return;
  // The cache read a `Cache-Control` of the fetch server's; visitors get the origin's.
  ngx.header['Cache-Control'] = variables.upstream_http_x_breakwater_cache_control;
  if (stored === 'STALE') moveRenewalAside();
}

/** In place of `frontHeaders` for sites that want more than most, of a request that the cache is asked as it came. */
export function shapedHeaders(): void {
  const age = frontHeaders();
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry !== undefined) shapeAnswer(entry, variables.request_uri!, age);
}

/** The same of any request. */
export function extraHeaders(): void {
  const age = frontHeaders();
  const variables = ngx.var;
  if (variables.edge_judge !== '') takeJudged();
  const entry = entryOf(variables.host!);
  if (entry !== undefined) shapeAnswer(entry, cacheTarget(), age);
}

function shapeAnswer(entry: HostEntry, target: string, age: number | undefined): void {
  const { extras, protection, access, rewriting } = entry.site;
  if (extras === undefined) return;
  // As the origin sent it, before anything of it is changed.
  if (withholdsAnswer(protection, 421)) return;
  shapeHeaders(extras, rememberedRuleOf(entry, target), target, age);
  const cors = access?.cors;
  if (cors !== undefined) changeCorsFields(cors);
  const rules = rewriting?.responseHeaders;
  if (rules !== undefined && rules.length > 0) changeResponseHeaders(rules);
}

/** For an answer that is kept in parts: what follows the first must be of the same version. */
export function sliceHeaders(): void {
  if (ngx.is_subrequest) return;
  noteSliceTag();
  extraHeaders();
}

export function noteSliceTag(): void {
  const tag = ngx.header.ETag;
  if (type(tag) === 'string') ngx.var.slice_tag = tag as string;
}

/** For an answer that was asked for again, whole, since its origin gave no parts that fit together. */
export function wholeHeaders(): void {
  noteWhole(ngx.var.server_port!, cacheTarget());
  extraHeaders();
}

export function noteWhole(port: string, target: string): void {
  const entry = entryOf(ngx.var.host!);
  if (entry !== undefined) askWhole(entryAtPort(entry, port), target, ngx.now() + wholeSeconds);
}

/** After a request that may have changed something, what is stored of it is asked for again. */
function noteChange(scheme: string | undefined): void {
  const variables = ngx.var;
  const method = variables.request_method!;
  if (method === 'GET' || method === 'HEAD') return;
  const entry = entryOf(variables.host!);
  if (entry !== undefined && invalidatesStored(entry, method))
    invalidateTargets(entry, scheme ?? variables.scheme!, cacheTarget());
}
