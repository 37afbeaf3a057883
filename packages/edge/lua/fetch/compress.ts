import { decideCompression } from '@breakwater/policy/http/compression';
import { field } from './answer.ts';
import type { Site } from '../site/site.ts';

/**
 * The fetch servers compress whatever the request's `Accept-Encoding` allows: so it is narrowed to what is wanted of this
 * answer, just before nginx's filters look at it. What is compressed goes to the cache so, once for all who take it.
 */
let hasBrotli = false;

export function noteBrotli(isThere: boolean): void {
  hasBrotli = isThere;
}

export function isBrotliThere(): boolean {
  return hasBrotli;
}

/** Nothing is compressed unless `compress` says so after this. */
export function leaveUncompressed(): void {
  ngx.req.clear_header('Accept-Encoding');
}

/** Has the answer compressed as the site wants it; gives its `Vary`, which has to tell so. */
export function compress(
  site: Site,
  acceptEncoding: string | undefined,
  vary: string | undefined,
): string | undefined {
  if (site.compression === undefined) return vary;
  const length = tonumber(ngx.var.upstream_http_content_length);
  const decision = decideCompression(site.compression, {
    status: ngx.status,
    contentType: field('Content-Type')!,
    contentEncoding: field('Content-Encoding')!,
    cacheControl: field('Cache-Control')!,
    length: length!,
    acceptEncoding: acceptEncoding!,
    hasBrotli,
  });
  if (!decision.varies) return vary;
  if (decision.coding !== undefined) ngx.req.set_header('Accept-Encoding', decision.coding);
  const [isTold] = string.find(string.lower(`,${vary ?? ''},`), '[, ]accept%-encoding[, ]');
  if (isTold !== undefined) return vary;
  const all = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
  ngx.header.Vary = all;
  return all;
}
