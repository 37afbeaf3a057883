import { field } from './answer.ts';
import { gone, invalidate } from '../front/generations.ts';
import { bucketOfTarget, type HostEntry } from '../site/host.ts';
import type { FetchRequest } from './fetch-request.ts';

/**
 * Large answers kept in parts. The front says which part it asks for, and from the second on by which validator: parts
 * are put together only when they share a strong one (RFC 9110 §15.3.7.3), and it is in their key.
 */
export interface SliceRequest {
  start: number;
  /** Of the first part; absent: this is the first. */
  tag: string | undefined;
}

/** Says to the front: ask again, for all of it. */
const askWholeStatus = 598;

export function sliceRequest({ slice: note }: FetchRequest): SliceRequest | undefined {
  if (note === undefined) return undefined;
  const [start, tag] = string.match(note, '^bytes=(%d+)%-%d+ ?(.*)$');
  if (start === undefined) return undefined;
  return { start: tonumber(start)!, tag: tag === '' ? undefined : tag };
}

/** Whether the answer can be taken as the part; where it cannot, the request is at its end here. */
export function isUsablePart(entry: HostEntry, slice: SliceRequest): boolean {
  const status = ngx.status;
  if (status !== 200 && status !== 206) return true;
  const tag = field('ETag') ?? '';
  if (slice.tag !== undefined) {
    if (status === 206 && tag === slice.tag) return true;
    // It changed while it was given: what is stored of it must not be given further.
    invalidate(bucketOfTarget(entry, ngx.var.request_uri!), gone);
    ngx.exit(ngx.ERROR);
    return false;
  }
  const isStrong = tag !== '' && !tag.startsWith('W/');
  if ((status === 206 && isStrong) || (status === 200 && slice.start === 0)) return true;
  ngx.status = askWholeStatus;
  return false;
}

/** Bytes of the whole that an answer is, or is a part of, where that is stated. */
export function wholeLength(): number | undefined {
  const [total] = string.match(field('Content-Range') ?? '', '/(%d+)$');
  return tonumber(total ?? ngx.var.upstream_http_content_length);
}
