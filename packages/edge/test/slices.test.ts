import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { giveRanged } from './ranged-content.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin, patience } from './support.ts';

/** Large answers kept in parts of a size that the rule names. */

const megabyte = 1_048_576;
let edge: TestEdge;
let origin: TestOrigin;

interface File {
  content: Buffer;
  etag: string | undefined;
  /** Whether it is given in parts. */
  ranges: boolean;
}
const files: Record<string, File> = {};
/** The `Range` of every request the origin saw, by path. */
const asked: Record<string, string[]> = {};

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin(serveFile);
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['parts.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: megabyte, browser_ttl_seconds: 60 }],
    }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

function serveFile(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url!;
  const file = files[path];
  (asked[path] ??= []).push(request.headers.range ?? 'whole');
  if (file === undefined) {
    response.writeHead(404).end('none');
    return;
  }
  if (file.etag !== undefined) response.setHeader('ETag', file.etag);
  if (file.ranges) giveRanged(request, response, file.content);
  else response.setHeader('Content-Length', file.content.length).end(file.content);
}

let next = 0;
function put(megabytes: number, file: Partial<File> = {}): string {
  const path = `/file-${next++}`;
  files[path] = { content: randomBytes(megabytes * megabyte + 7), etag: '"v1"', ranges: true, ...file };
  return path;
}

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  isWhole: boolean;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((settle, refuse) => {
    const call = httpRequest(
      {
        host: '127.0.0.1',
        port: edge.httpPort,
        path,
        method,
        headers: { host: 'parts.test', ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        // An answer that breaks off ends in an error first.
        response.on('error', () => undefined);
        response.on('close', () =>
          settle({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks),
            isWhole: response.complete,
          }),
        );
      },
    );
    call.on('error', refuse);
    call.end();
  });
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const part = (index: number) => `bytes=${index * megabyte}-${(index + 1) * megabyte - 1}`;

describe('an answer kept in parts', () => {
  it('is asked for in parts, put together, and kept', async () => {
    const path = put(3);
    const first = await get(path);
    expect([first.status, digest(first.body)]).toEqual([200, digest(files[path]!.content)]);
    expect(first.headers).toMatchObject({ 'content-length': `${3 * megabyte + 7}`, 'x-cache': 'MISS' });
    expect(asked[path]).toEqual([part(0), part(1), part(2), part(3)]);
    const second = await get(path);
    expect([second.headers['x-cache'], digest(second.body)]).toEqual(['HIT', digest(files[path]!.content)]);
    expect(second.headers['cache-control']).toMatch(/^max-age=6\d$/);
    expect(asked[path]).toHaveLength(4);
  });

  it('gives a part of it for no more of the origin than that', async () => {
    const path = put(8);
    const { content } = files[path]!;
    const from = 5 * megabyte + 100;
    const piece = await get(path, { range: `bytes=${from}-${from + 9}` });
    expect([piece.status, piece.headers['content-range']]).toEqual([
      206,
      `bytes ${from}-${from + 9}/${content.length}`,
    ]);
    expect(piece.body.equals(content.subarray(from, from + 10))).toBe(true);
    expect(asked[path]).toEqual([part(5)]);
    const across = await get(path, { range: `bytes=${6 * megabyte - 5}-${6 * megabyte + 4}` });
    expect(across.body.equals(content.subarray(6 * megabyte - 5, 6 * megabyte + 5))).toBe(true);
    expect(asked[path]).toEqual([part(5), part(6)]);
    const last = await get(path, { range: 'bytes=-7' });
    expect([last.status, last.body.equals(content.subarray(-7))]).toEqual([206, true]);
    expect((await get(path, { range: `bytes=${9 * megabyte}-` })).status).toBe(416);
  });

  it('answers conditions and HEAD as for the whole', async () => {
    const path = put(2);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      `${2 * megabyte + 7}`,
      0,
    ]);
    const unchanged = await get(path, { 'if-none-match': '"v1"' });
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    expect((await get(path, { range: 'bytes=0-0', 'if-range': '"v0"' })).status).toBe(200);
  });

  it('of an error is the error', async () => {
    expect((await get('/none')).status).toBe(404);
  });
});

describe('an origin whose parts do not fit together', () => {
  it.each([
    ['gives the whole', { ranges: false }],
    ['names no version', { etag: undefined }],
    ['names one that means little', { etag: 'W/"v1"' }],
  ] as [string, Partial<File>][])('%s: it is asked for the whole, and that is kept', async (_name, file) => {
    const path = put(2, file);
    const expected = digest(files[path]!.content);
    const first = await get(path);
    expect([first.status, digest(first.body)]).toEqual([200, expected]);
    const before = asked[path]!.length;
    const second = await get(path);
    expect([second.headers['x-cache'], digest(second.body)]).toEqual(['HIT', expected]);
    const piece = await get(path, { range: `bytes=${megabyte}-${megabyte + 3}` });
    expect([piece.status, piece.body.length]).toEqual([206, 4]);
    expect(asked[path]!.slice(before).filter((range) => range === 'whole').length).toBeLessThanOrEqual(1);
  });

  it('changed it meanwhile: no answer is made of two versions, and the next is the new one', async () => {
    const path = put(3);
    const old = await get(path, { range: 'bytes=0-9' });
    expect(old.status).toBe(206);
    files[path] = { content: randomBytes(3 * megabyte), etag: '"v2"', ranges: true };
    const broken = await get(path);
    expect(broken.isWhole).toBe(false);
    expect(files[path].content.includes(broken.body.subarray(0, 100))).toBe(false);
    await vi.waitFor(async () => {
      const fresh = await get(path);
      expect([fresh.isWhole, fresh.headers.etag, digest(fresh.body)]).toEqual([
        true,
        '"v2"',
        digest(files[path]!.content),
      ]);
    }, patience);
  });

  it('is gone: the error is told, and other parts stay good', async () => {
    const path = put(2);
    await get(path, { range: 'bytes=0-9' });
    delete files[path];
    const piece = await get(path, { range: 'bytes=0-9' });
    expect([piece.status, piece.headers['x-cache']]).toEqual([206, 'HIT']);
    expect((await get(path, { range: `bytes=${megabyte}-` })).status).toBe(404);
  });
});
