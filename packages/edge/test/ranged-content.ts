import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers as an origin does that gives content in ranges (RFC 9110 §14.2): 206 or 416 for one range with both ends, as slices
 * and nodes behind a shield ask for, and the whole for anything else. Header fields that are set before are sent with it.
 */
export function giveRanged(request: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const size = content.length;
  if (from === undefined) {
    response.setHeader('Content-Length', size).end(content);
    return;
  }
  if (Number(from) >= size) {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const part = content.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${size}`;
  response.writeHead(206, { 'Content-Range': range, 'Content-Length': part.length }).end(part);
}
