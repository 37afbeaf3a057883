import { encodeJson } from '../lib/json.ts';
import { noteReport, takeReports } from '../lib/reports.ts';
import { entryOf } from '../site/host.ts';
import type { Site } from '../site/site.ts';
import { drawingBy, setShare } from './drawn.ts';

/**
 * A share of the text that visitors are sent, for the control plane to search as it searches visited pages (docs/violations.md):
 * of answers that everybody may see, the beginning of each, and no more at a time than finds room here.
 */
interface Sample {
  site: string;
  parts: string[];
  bytes: number;
}

const share = 'sampling';
const isDrawn = drawingBy(share);
const samples = ngx.shared.edge_samples;
const bytesMax = 65_536;
/** Of one worker. */
const atOnce = 8;

let underWay = 0;

export const putSampling = (perMille: number): void => setShare(share, perMille);

export function takeSamples(told: number, max: number): { samples: string; last: number } {
  const { lines, last } = takeReports(samples, told, max);
  return { samples: lines, last };
}

/** Before the answer: whether it is one of the share. Whoever signs in, or has a link that was signed, is left alone. */
export function isSampled({ access }: Site): boolean {
  if (!isDrawn() || underWay >= atOnce || access?.signing !== undefined) return false;
  const variables = ngx.var;
  return variables.request_method === 'GET' && variables.http_authorization === undefined;
}

/** With each piece of an answer, at the places where others are paced. */
export function takePiece(): void {
  if (ngx.is_subrequest) return;
  const sample = (ngx.ctx.sample as Sample | false | undefined) ?? begin();
  if (sample === false || sample.bytes >= bytesMax) return;
  const piece = ngx.arg.get(1) as string | undefined;
  if (piece === undefined || piece === '') return;
  const part = string.sub(piece, 1, bytesMax - sample.bytes);
  sample.parts.push(part);
  sample.bytes += part.length;
}

function begin(): Sample | false {
  ngx.ctx.sample = false;
  const entry = entryOf(ngx.var.host!);
  if (entry === undefined) return false;
  // To the place of a site with a bandwidth all its requests come, and to others only those that were drawn.
  const comesAnyway = entry.site.limits?.isPaced === true;
  if (comesAnyway && !isSampled(entry.site)) return false;
  if (!isForEverybody()) return false;
  underWay += 1;
  const sample: Sample = { site: entry.site.siteId, parts: [], bytes: 0 };
  ngx.ctx.sample = sample;
  return sample;
}

const texts = ['text/html', 'text/plain', 'json', 'xml'];
const stored: Record<string, boolean> = { HIT: true, STALE: true, UPDATING: true, REVALIDATED: true };

/** Text that came whole, that nobody calls private, and to a visitor with cookies only what others get from the cache as well. */
function isForEverybody(): boolean {
  if (ngx.status !== 200 || !isText(ngx.header['Content-Type'] as string | undefined)) return false;
  const variables = ngx.var;
  if (variables.sent_http_set_cookie !== undefined || variables.upstream_http_set_cookie !== undefined)
    return false;
  // Where the cache was told otherwise, the origin's own words stand beside.
  const said = variables.upstream_http_x_breakwater_cache_control ?? variables.upstream_http_cache_control;
  if (isPrivate(said) || isPrivate(variables.sent_http_cache_control)) return false;
  return variables.http_cookie === undefined || stored[variables.upstream_cache_status ?? ''] === true;
}

function isText(field: string | undefined): boolean {
  if (field === undefined) return false;
  const kind = string.lower(field);
  for (const text of texts) if (kind.includes(text)) return true;
  return false;
}

function isPrivate(field: string | undefined): boolean {
  if (field === undefined) return false;
  const said = string.lower(field);
  return said.includes('private') || said.includes('no-store');
}

/** When the request is over: what came of its answer is told. */
export function endSample(): void {
  // A context would be made for who only looks into it.
  if (underWay === 0) return;
  const sample = ngx.ctx.sample as Sample | false | undefined;
  if (sample === undefined || sample === false) return;
  ngx.ctx.sample = false;
  underWay -= 1;
  if (sample.bytes === 0) return;
  const variables = ngx.var;
  noteReport(
    samples,
    encodeJson({
      site_id: tonumber(sample.site),
      url: `${variables.scheme}://${variables.host}${variables.request_uri}`,
      content_type: ngx.header['Content-Type'],
      encoding: ngx.header['Content-Encoding'] ?? '',
      content: ngx.encode_base64(table.concat(sample.parts)),
    }),
  );
}
