import { submittedKind, submittedTexts } from '@breakwater/policy/detect/submitted';
import { readContentAt } from '../lib/content-rate.ts';
import { heldBytesMax } from '../lib/held-content.ts';
import { encodeJson } from '../lib/json.ts';
import { noteReport, takeReports } from '../lib/reports.ts';
import type { Site } from '../site/site.ts';
import { drawingBy, setShare } from './drawn.ts';
import { callPlace } from './grpc.ts';

/**
 * A share of what visitors send to sites, for the control plane to search (docs/violations.md): the texts of fields, once the origin
 * has accepted them. The content is read where content is judged (`content.ts`), so that nginx holds it until the request is over;
 * only then is anything made of it.
 */

const share = 'submission_sampling';
const isDrawn = drawingBy(share);
const orders = ngx.shared.edge_keys;
const submissions = ngx.shared.edge_submissions;
/** Of one worker. */
const atOnce = 8;
/** Of `edge_submitted`: the content of a request that was drawn is held. */
const held = 'held';

let underWay = 0;

export function putSubmissionSampling(perMille: number, secretNames: readonly string[]): void {
  orders.set('submission_names', table.concat(secretNames as string[], ' '));
  setShare(share, perMille);
}

export function takeSubmissions(told: number, max: number): { submissions: string; last: number } {
  const { lines, last } = takeReports(submissions, told, max);
  return { submissions: lines, last };
}

const methods: Record<string, boolean> = { POST: true, PUT: true, PATCH: true };

/** Before the request goes on: whether it is one of the share, and is to be read first. Programs that sign in are left alone. */
export function drawSubmission(site: Site): boolean {
  if (!isDrawn() || underWay >= atOnce) return false;
  const variables = ngx.var;
  if (methods[variables.request_method!] !== true) return false;
  if (site.access?.signing !== undefined || variables.http_authorization !== undefined) return false;
  if (callPlace(site) !== undefined || !isReadable()) return false;
  variables.edge_submitted = 'drawn';
  return true;
}

/** It is held in memory as a whole, and is text as it was sent. */
function isReadable(): boolean {
  const variables = ngx.var;
  const length = tonumber(variables.http_content_length);
  if (length === undefined || length === 0 || length > heldBytesMax) return false;
  if ((variables.http_content_encoding ?? 'identity') !== 'identity') return false;
  return submittedKind(variables.http_content_type ?? '') !== undefined;
}

/** In the place where nginx keeps all of it in memory. False: it comes slower than `rate`. */
export function holdSubmission(rate: number): boolean {
  const variables = ngx.var;
  if (variables.edge_submitted !== 'drawn' || underWay >= atOnce) return true;
  underWay += 1;
  variables.edge_submitted = held;
  return readContentAt(rate);
}

/** When the request is over: what was sent is told, if the origin took it. */
export function endSubmission(): void {
  if (underWay === 0) return;
  const variables = ngx.var;
  if (variables.edge_submitted !== held) return;
  variables.edge_submitted = '';
  underWay -= 1;
  if (!isAccepted(ngx.status) || !isAccepted(tonumber(variables.stated_status))) return;
  const body = ngx.req.get_body_data();
  if (body === undefined) return;
  const [path] = string.gsub(variables.request_uri!, '%?.*', '');
  const secretNames = namesIn((orders.get('submission_names') as string | undefined) ?? '');
  const texts = submittedTexts({ type: variables.http_content_type ?? '', body, secretNames });
  if (texts.length === 0) return;
  noteReport(
    submissions,
    encodeJson({
      site_id: tonumber(variables.site_id),
      url: `${variables.scheme}://${variables.host}${path}`,
      content: ngx.encode_base64(table.concat(texts, '\0')),
    }),
  );
}

/** What an origin took, it answers so; a page of the edge in place of an error is none of its answers. */
const isAccepted = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 400;

function namesIn(list: string): string[] {
  const names: string[] = [];
  for (const [name] of string.gmatch(list, '%S+')) names.push(name!);
  return names;
}
