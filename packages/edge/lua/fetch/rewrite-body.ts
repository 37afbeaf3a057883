import { changeBody, mayHoldText, startBodyChange } from '@breakwater/policy/rewrite/body';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { field } from './answer.ts';
import type { Attempt } from './ask.ts';
import type { Rewriting } from '../front/rewriting.ts';

/**
 * Content that is changed on its way from the origin to the cache. The origin is asked for all of it, as it is: a part
 * of it, or a validator of the old content, would be of another text than visitors have.
 */
export function askForText(rewriting: Rewriting): void {
  const variables = ngx.var;
  if (!isWanted(rewriting) || !mayHoldText(pathOfTarget(variables.request_uri!))) return;
  variables.origin_accept_encoding = 'identity';
  for (const name of ['Range', 'If-Range', 'If-Modified-Since', 'If-None-Match'])
    if (variables[`http_${variableNames[name]!}`] !== undefined) ngx.req.clear_header(name);
}

/** The front has asked the condition, whose digit is the last. */
function isWanted({ body, bodyCondition }: Rewriting): boolean {
  if (body === undefined) return false;
  return bodyCondition === undefined || (ngx.var.http_x_breakwater_rewriting ?? '').endsWith('1');
}

const variableNames: Record<string, string> = {
  Range: 'range',
  'If-Range': 'if_range',
  'If-Modified-Since': 'if_modified_since',
  'If-None-Match': 'if_none_match',
};

/** With the answer's header: begins the change, and says what is true of the new content. */
export function beginBodyChange(attempt: Attempt): void {
  const rewriting = attempt.entry.site.rewriting;
  if (rewriting?.body === undefined || !isWanted(rewriting)) return;
  if (attempt.replacement !== undefined || isUntouchable()) return;
  const { body } = rewriting;
  const length = tonumber(ngx.var.upstream_http_content_length);
  if (length !== undefined && length > body.max_bytes) return;
  if (!mayHoldText(pathOfTarget(ngx.var.request_uri!))) return;
  const change = startBodyChange(body, field('Content-Type'));
  if (change === undefined) return;
  const header = ngx.header;
  const tag = field('ETag');
  for (const name of ofOldContent) if (header[name] !== undefined) header[name] = undefined;
  if (tag !== undefined) {
    const [bare] = string.match(tag, '^W?/?"(.*)"$');
    header.ETag = bare === undefined ? undefined : `W/"${bare}-${rewriting.bodyTag}"`;
    // By this the origin is asked whether it is still good.
    if (bare !== undefined) header['X-Breakwater-Changed'] = tag;
  }
  attempt.bodyChange = change;
  attempt.changeBytesLeft = body.max_bytes;
}

/** Parts, nothing, and what cannot be read. */
function isUntouchable(): boolean {
  const status = ngx.status;
  if (status < 200 || status === 204 || status === 206 || status === 304) return true;
  const coding = field('Content-Encoding');
  if (coding === undefined || coding === '' || coding === 'identity') return false;
  ngx.log(
    ngx.WARN,
    ngx.var.request_uri!,
    ': the origin compressed its answer unasked, so its text is not changed',
  );
  return true;
}

const ofOldContent = [
  'Content-Length',
  'Accept-Ranges',
  'Last-Modified',
  'Content-MD5',
  'Content-Digest',
  'Repr-Digest',
  'Digest',
];

/** A piece of it. What is longer than the site wants looked at goes on as it is. */
export function changePiece(attempt: Attempt): void {
  const change = attempt.bodyChange!;
  const piece = (ngx.arg.get(1) as string | undefined) ?? '';
  const isLast = ngx.arg.get(2) === true;
  attempt.changeBytesLeft = attempt.changeBytesLeft! - piece.length;
  if (attempt.changeBytesLeft >= 0) {
    ngx.arg.set(1, changeBody(change, piece, isLast));
    return;
  }
  ngx.arg.set(1, changeBody(change, '', true) + piece);
  attempt.bodyChange = undefined;
}
