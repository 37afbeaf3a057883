import { wantedBytes } from '@breakwater/policy/http/range';
import { bypass } from './collapse.ts';
import type { FetchRequest } from './fetch-request.ts';
import { requestKey } from './stale.ts';

/**
 * To keep an answer the cache asks for all of it and reads it to its end, also for who wanted one byte or the header alone,
 * and has left. So a large one is not asked for until visitors have wanted a good part of it; before, they get what they want
 * from the origin, around the cache.
 */
const notes = ngx.shared.edge_stale;
const noteSeconds = 600;
const largeBytesMin = 4_194_304;
/** How many times what they want visitors can have an origin send. */
const factorMax = 4;

/** Before the origin is asked, of what is known to be large. */
export function isLargeForLittle(request: FetchRequest): boolean {
  const wish = wishOfMiss(request);
  if (wish === undefined) return false;
  const key = requestKey(request);
  const length = key === undefined ? undefined : (notes.get(`large/${key}`) as number | undefined);
  return length !== undefined && isLittle(key!, wish, length);
}

/** When the header has come of an answer that could be kept. */
export function asksLargeForLittle(request: FetchRequest, length: number | undefined): boolean {
  if (length === undefined || length < largeBytesMin || ngx.status !== 200) return false;
  const wish = wishOfMiss(request);
  if (wish === undefined) return false;
  const key = requestKey(request)!;
  notes.set(`large/${key}`, length, noteSeconds);
  return isLittle(key, wish, length);
}

/** Counts what is wanted, so that what is in demand is kept in the end. */
function isLittle(key: string, wish: string, length: number): boolean {
  const colon = wish.indexOf(':');
  const wanted = wantedBytes(wish.substring(0, colon), wish.substring(colon + 1), length);
  const sum = notes.incr(`wanted/${key}`, wanted, 0, noteSeconds) ?? 0;
  return sum * factorMax < length;
}

/** What is stored and too old was asked for whole before; parts are asked for one by one. Nor can others go back. */
function wishOfMiss({ cached, slice, place }: FetchRequest): string | undefined {
  if (cached !== 'MISS' || slice !== undefined || place === undefined) return undefined;
  const wish = ngx.var.http_x_breakwater_wish;
  return wish === 'GET:' ? undefined : wish;
}

/** Back to the visitor's side, which asks for as much as the visitor does. */
export function sendToBypass({ place }: FetchRequest): void {
  ngx.header['X-Accel-Redirect'] = '@wait';
  ngx.header['X-Breakwater-Wait'] = `${bypass} ${string.sub(place!, 3)}`;
}
