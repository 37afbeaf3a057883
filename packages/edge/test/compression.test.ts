import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNginx } from '../process/nginx-program.ts';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

/** Compression at the edge: once, before the cache. */

const { hasBrotli } = findNginx();
const text = Array.from({ length: 2000 }, (_, index) => `line ${index} of a page that shrinks well\n`).join(
  '',
);
const page = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'max-age=600', ETag: '"v1"' };
let edge: TestEdge;
let origin: ScriptedOrigin;
let sites = 0;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
type Ask = (path: string, headers?: Record<string, string>, method?: string) => Promise<Got>;

async function withSpeed(speed: SiteInput['speed']): Promise<Ask> {
  sites += 1;
  const host = `speed-${sites}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id: sites, domains: [host], origins, speed: { ...speed } }));
  return (path, headers = {}, method = 'GET') =>
    new Promise((settle, refuse) => {
      const shared = { host: '127.0.0.1', port: edge.httpPort, path, method, agent: false };
      const call = httpRequest({ ...shared, headers: { host, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          settle({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      call.on('error', refuse);
      call.end();
    });
}

const gzip = { 'accept-encoding': 'gzip' };
const both = { 'accept-encoding': 'gzip, deflate, br' };

describe('compression', () => {
  it('is done once, kept, and given to those who take it', async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve(() => ({ headers: page, body: text }));
    const before = origin.count();
    for (const expected of ['MISS', 'HIT']) {
      const { headers, body } = await ask(path, gzip);
      expect(headers).toMatchObject({
        'x-cache': expected,
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
      expect([gunzipSync(body).toString() === text, body.length < text.length / 5]).toEqual([true, true]);
    }
    for (const expected of ['MISS', 'HIT']) {
      const { headers, body } = await ask(path);
      expect([headers['x-cache'], headers['content-encoding'], headers.vary]).toEqual([
        expected,
        undefined,
        'Accept-Encoding',
      ]);
      expect(body.toString()).toBe(text);
    }
    expect(origin.count() - before).toBe(2);
  });

  it('is not done where the site does not ask for it', async () => {
    const ask = await withSpeed({});
    const { headers, body } = await ask(
      origin.serve(() => ({ headers: page, body: text })),
      both,
    );
    expect([headers['content-encoding'], headers.vary, body.length]).toEqual([
      undefined,
      undefined,
      text.length,
    ]);
  });

  it('takes brotli before gzip where this nginx has it', async () => {
    const ask = await withSpeed({ gzip: true, brotli: true });
    const { headers, body } = await ask(
      origin.serve(() => ({ headers: page, body: text })),
      both,
    );
    expect(headers['content-encoding']).toBe(hasBrotli ? 'br' : 'gzip');
    expect((hasBrotli ? brotliDecompressSync(body) : gunzipSync(body)).toString()).toBe(text);
  });

  it('is harder or easier as the site says', async () => {
    const sizes = [];
    for (const level of ['fast', 'balanced', 'best'] as const) {
      const ask = await withSpeed({ gzip: true, level });
      const path = origin.serve(() => ({ headers: page, body: text }));
      const { body } = await ask(path, gzip);
      expect(gunzipSync(body).toString()).toBe(text);
      expect((await ask(path, gzip)).headers['x-cache']).toBe('HIT');
      sizes.push(body.length);
    }
    expect(sizes[0]).toBeGreaterThan(sizes[1]!);
    expect(sizes[0]).toBeGreaterThan(sizes[2]!);
  });

  it.each([
    ['of another type', { 'Content-Type': 'image/png' }, text],
    ['that is small', page, 'short'],
    ['that is encoded already', { ...page, 'Content-Encoding': 'zstd' }, text],
    ['that must not be transformed', { ...page, 'Cache-Control': 'max-age=600, no-transform' }, text],
  ] as [string, Record<string, string>, string][])(
    'leaves what it gets: %s',
    async (_name, headers, body) => {
      const ask = await withSpeed({ gzip: true, brotli: true });
      const answer = await ask(
        origin.serve(() => ({ headers, body })),
        both,
      );
      expect(answer.body.toString()).toBe(body);
      expect(answer.headers['content-encoding']).toBe(headers['Content-Encoding']);
      expect(answer.headers.etag).toBe(headers.ETag);
    },
  );

  it("keeps the origin's own variants apart as before", async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve((request) => ({
      headers: { ...page, Vary: 'Accept-Language, accept-encoding' },
      body: `${String(request.headers['accept-language'])} ${text}`,
    }));
    const zh = await ask(path, { ...gzip, 'accept-language': 'zh' });
    const en = await ask(path, { ...gzip, 'accept-language': 'en' });
    expect([gunzipSync(zh.body).toString().slice(0, 2), gunzipSync(en.body).toString().slice(0, 2)]).toEqual([
      'zh',
      'en',
    ]);
    expect(zh.headers.vary).toBe('Accept-Language, accept-encoding');
  });

  it('makes the validator weak, and conditions hold', async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve(() => ({ headers: page, body: text }));
    const { headers } = await ask(path, gzip);
    expect(headers.etag).toBe('W/"v1"');
    const unchanged = await ask(path, { ...gzip, 'if-none-match': 'W/"v1"' });
    expect([unchanged.status, unchanged.headers.vary, unchanged.body.length]).toEqual([
      304,
      'Accept-Encoding',
      0,
    ]);
    expect((await ask(path, { ...gzip, 'if-none-match': '"v2"' })).status).toBe(200);
    expect((await ask(path)).headers.etag).toBe('"v1"');
  });

  it('gives parts of the bare form, and never a part of one for a part of another', async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve(() => ({ headers: page, body: text }));
    await ask(path, gzip);
    const packed = await ask(path, { ...gzip, range: 'bytes=0-99' });
    expect([packed.status, gunzipSync(packed.body).toString() === text]).toEqual([200, true]);
    const bare = await ask(path, { range: 'bytes=10-19' });
    expect([bare.status, bare.body.toString()]).toEqual([206, text.slice(10, 20)]);
  });

  it('answers HEAD like GET', async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve(() => ({ headers: page, body: text }));
    const head = await ask(path, gzip, 'HEAD');
    expect([head.headers['content-encoding'], head.headers.vary, head.body.length]).toEqual([
      'gzip',
      'Accept-Encoding',
      0,
    ]);
  });

  it('is done for what is not stored too', async () => {
    const ask = await withSpeed({ gzip: true });
    const path = origin.serve(() => ({ headers: { ...page, 'Cache-Control': 'no-store' }, body: text }));
    for (let time = 0; time < 2; time++) {
      const { headers, body } = await ask(path, gzip);
      expect([headers['content-encoding'], headers['x-cache'] === 'HIT']).toEqual(['gzip', false]);
      expect(gunzipSync(body).toString()).toBe(text);
    }
  });
});

describe('preload', () => {
  const preload = [
    { path: '/p*', url: '/a.css', as: 'style' as const },
    { path: '/elsewhere', url: '/b.js', as: 'script' as const },
  ];

  it('tells browsers of a page what it needs first, beside what the origin says', async () => {
    const ask = await withSpeed({ preload });
    const path = origin.serve({ ...page, Link: '</c.js>; rel=preload; as=script' });
    for (const expected of ['MISS', 'HIT']) {
      const { headers } = await ask(path);
      expect(headers['x-cache']).toBe(expected);
      expect(headers.link).toBe('</c.js>; rel=preload; as=script, </a.css>; rel=preload; as=style');
    }
  });

  it('says nothing of what is no page, or of an error', async () => {
    const ask = await withSpeed({ preload });
    expect((await ask(origin.serve({ 'Content-Type': 'text/css' }))).headers.link).toBeUndefined();
    expect((await ask(origin.serve(() => ({ status: 404, headers: page })))).headers.link).toBeUndefined();
  });
});
