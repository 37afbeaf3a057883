import type { IncomingHttpHeaders } from 'node:http';
import { startOrigin, type TestOrigin } from './support.ts';

/** What the origin has at a path; it answers conditions as RFC 9110 §13 wants it. */
interface Page {
  body: string | Buffer;
  status?: number;
  headers: Record<string, string | string[]>;
  /** With a 304, in place of the others. */
  of304?: Record<string, string | string[]>;
}
export const pages: Record<string, Page> = {};
interface Asked {
  headers: IncomingHttpHeaders;
  status: number;
}
/** By path: the requests, and how much was sent in answer to them. */
export const asked: Record<string, Asked[]> = {};
export const sent: Record<string, number> = {};

/** A real origin that answers conditions and ranges, and remembers what it was asked. */
export function startValidatingOrigin(): Promise<TestOrigin> {
  return startOrigin((request, response) => {
    const path = request.url!;
    const page = pages[path];
    const { headers } = request;
    const isSame = page !== undefined && page.status === undefined && isUnchanged(page, headers);
    const status = page === undefined ? 404 : isSame ? 304 : (page.status ?? 200);
    (asked[path] ??= []).push({ headers, status });
    for (const [name, value] of Object.entries((isSame && page.of304) || (page?.headers ?? {})))
      response.setHeader(name, value);
    response.statusCode = status;
    if (isSame || page === undefined) response.end();
    else sendPage(page.body, headers.range);
    function sendPage(body: string | Buffer, range: string | undefined): void {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      const whole = Buffer.from(body);
      const piece = from === undefined ? whole : whole.subarray(Number(from), Number(to) + 1);
      if (from !== undefined) {
        response.statusCode = 206;
        const end = Number(from) + piece.length - 1;
        response.setHeader('Content-Range', `bytes ${from}-${end}/${whole.length}`);
      }
      sent[path] = (sent[path] ?? 0) + piece.length;
      response.setHeader('Content-Length', piece.length).end(piece);
    }
  });
}

function isUnchanged({ headers }: Page, conditions: IncomingHttpHeaders): boolean {
  const bare = (tag: string) => tag.replace(/^W\//, '');
  const tags = conditions['if-none-match'];
  if (tags !== undefined) return bare(tags) === bare(String(headers['ETag']));
  const since = conditions['if-modified-since'];
  return since !== undefined && since === headers['Last-Modified'];
}

let next = 0;
export function put(page: Page): string {
  const path = `/page-${next++}`;
  pages[path] = page;
  return path;
}
