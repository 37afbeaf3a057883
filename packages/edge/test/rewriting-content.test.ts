import { gunzipSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

let edge: TestEdge;
let origin: TestOrigin;
let sites = 0;
/** What the origin answers at a path. */
const pages: Record<string, (response: ServerResponse, headers: Record<string, unknown>) => void> = {};
const asked: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((incoming, response) => {
    const path = incoming.url!.split('?')[0]!;
    asked[path] = incoming.headers;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    pages[path]!(response, incoming.headers);
  });
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

type Body = NonNullable<NonNullable<SiteInput['rewrite']>['body']>;

function siteOf(id: number, body: Body, more: Partial<SiteInput> = {}) {
  return makeSite({
    id,
    domains: [`content${id}.test`],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules: [{ type: 'all', action: 'cache', ttl_seconds: 60 }],
    rewrite: { body },
    ...more,
  });
}

async function serve(body: Body, more: Partial<SiteInput> = {}): Promise<string> {
  const id = 1 + sites++;
  const [result] = await edge.applySites(siteOf(id, body, more));
  if (result!.error !== undefined) throw new Error(result!.error);
  return `content${id}.test`;
}

const dogs: Body = { replacements: [{ find: 'cat', replace: 'a dog' }] };

describe('content', () => {
  it('is changed once, and stored so', async () => {
    pages['/once'] = (response) => response.end('<p>cat, cat</p>');
    const host = await serve(dogs);
    const before = origin.count();
    const answers = [await edge.get(host, '/once'), await edge.get(host, '/once')];
    expect(answers.map(({ headers, body }) => `${String(headers['x-cache'])} ${body}`)).toEqual([
      'MISS <p>a dog, a dog</p>',
      'HIT <p>a dog, a dog</p>',
    ]);
    expect(origin.count()).toBe(before + 1);
    const head = await edge.get(host, '/once', { method: 'HEAD' });
    expect(head.headers['content-length'] ?? '19').toBe('19');
  });

  it('is found across the pieces in which it comes', async () => {
    pages['/pieces'] = (response) => {
      const pieces = ['the c', 'at and the ca', 't and the ', 'c', 'a', 't', '. ca'];
      const next = () => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(next));
      };
      next();
    };
    const host = await serve(dogs);
    expect((await edge.get(host, '/pieces')).body).toBe('the a dog and the a dog and the a dog. ca');
  });

  it('is changed in long answers as in short ones', async () => {
    const text = 'x'.repeat(16_381);
    pages['/long'] = (response) => response.end(`${text}cat`.repeat(40));
    const host = await serve(dogs);
    const { body } = await edge.get(host, '/long');
    expect(body).toBe(`${text}a dog`.repeat(40));
  });

  it('gets a head and a foot, once each', async () => {
    pages['/frame'] = (response) => response.end('<HEAD></HEAD><body><pre></body></pre></body>');
    const host = await serve({ head_html: '<script src="/a.js"></script>', body_html: '<i>foot</i>' });
    expect((await edge.get(host, '/frame')).body).toBe(
      '<HEAD><script src="/a.js"></script></HEAD><body><pre><i>foot</i></body></pre></body>',
    );
  });

  it('is asked for as text, whatever the visitor takes, and compressed afterwards', async () => {
    pages['/text'] = (response, headers) => {
      const isGzip = String(headers['accept-encoding']).includes('gzip');
      if (isGzip) response.setHeader('content-encoding', 'gzip');
      const text = 'cat '.repeat(400);
      response.end(isGzip ? gzipSync(text) : text);
    };
    const host = await serve(dogs, { speed: { gzip: true } });
    const bytes = await bytesOf(host, '/text', { 'accept-encoding': 'gzip' });
    expect(asked['/text']!['accept-encoding']).toBe('identity');
    expect(bytes.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes.content).toString()).toBe('a dog '.repeat(400));
  });

  it('that an origin compressed unasked is handed on as it is', async () => {
    pages['/squeezed'] = (response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('cat'));
    };
    const host = await serve(dogs);
    const { content, headers } = await bytesOf(host, '/squeezed', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(content).toString()).toBe('cat');
  });

  it('of another type, or longer than the site wants, stays as it is', async () => {
    pages['/data'] = (response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('etag', '"1"');
      response.end('"cat"');
    };
    pages['/big'] = (response) => response.end('cat'.repeat(1000));
    pages['/endless'] = (response) => {
      response.write('cat'.repeat(300));
      setImmediate(() => response.end('cat'.repeat(700)));
    };
    const host = await serve({ ...dogs, max_bytes: 1024 });
    expect(await edge.get(host, '/data')).toMatchObject({ body: '"cat"', headers: { etag: '"1"' } });
    expect((await edge.get(host, '/big')).body).toBe('cat'.repeat(1000));
    const { body } = await edge.get(host, '/endless');
    expect(body.endsWith('cat'.repeat(600))).toBe(true);
  });

  it('has no length, date or validator of the old', async () => {
    pages['/tagged'] = (response) => {
      response.setHeader('etag', '"v1"');
      response.setHeader('last-modified', 'Thu, 01 Jan 2026 00:00:00 GMT');
      response.setHeader('content-length', 3);
      response.end('cat');
    };
    const host = await serve(dogs);
    const { headers, body } = await edge.get(host, '/tagged');
    expect(body).toBe('a dog');
    expect(headers['last-modified']).toBeUndefined();
    expect(headers.etag).toMatch(/^W\/"v1-b[0-9a-f]{12}"$/);
    const again = await edge.get(host, '/tagged', { headers: { 'if-none-match': headers.etag! } });
    expect(again.status).toBe(304);
    const old = await edge.get(host, '/tagged', { headers: { 'if-none-match': '"v1"' } });
    expect(old.status).toBe(200);
  });

  it('is given whole where a part is asked for, whose place would be one of the old', async () => {
    pages['/part'] = (response, headers) => {
      const isPart = headers.range !== undefined;
      if (isPart) response.setHeader('content-range', 'bytes 0-2/6');
      response.statusCode = isPart ? 206 : 200;
      response.end(isPart ? 'cat' : 'cat456');
    };
    const range = { headers: { range: 'bytes=0-4' } };
    const host = await serve(dogs, { rules: [{ type: 'all', action: 'bypass' }] });
    expect(await edge.get(host, '/part', range)).toMatchObject({ status: 200, body: 'a dog456' });
    expect(asked['/part']!.range).toBeUndefined();
    const kept = await serve(dogs);
    await edge.get(kept, '/part');
    const hit = await edge.get(kept, '/part', range);
    expect(hit).toMatchObject({ status: 200, body: 'a dog456', headers: { 'x-cache': 'HIT' } });
  });

  it('of files that hold no text is not looked at, and parts of them are asked for', async () => {
    pages['/film.mp4'] = (response, headers) => {
      response.statusCode = headers.range === undefined ? 200 : 206;
      response.setHeader('content-range', 'bytes 0-2/6');
      response.end('cat');
    };
    const host = await serve(dogs, { rules: [{ type: 'all', action: 'bypass' }] });
    const answer = await edge.get(host, '/film.mp4', { headers: { range: 'bytes=0-2' } });
    expect(answer).toMatchObject({ status: 206, body: 'cat' });
  });

  it('is new with new rules, though the old was stored', async () => {
    pages['/rules'] = (response) => response.end('cat');
    const host = await serve(dogs);
    await edge.get(host, '/rules');
    await edge.applySites(siteOf(sites, { replacements: [{ find: 'cat', replace: 'a cow' }] }));
    expect(await edge.get(host, '/rules')).toMatchObject({ body: 'a cow', headers: { 'x-cache': 'MISS' } });
    await edge.applySites(siteOf(sites, {}));
    expect((await edge.get(host, '/rules')).body).toBe('cat');
  });

  it('that breaks off is not stored', async () => {
    let isWhole = false;
    pages['/broken'] = (response) => {
      response.setHeader('content-length', 6);
      if (isWhole) response.end('catcat');
      else response.write('cat', () => response.destroy());
    };
    const host = await serve(dogs);
    await edge.get(host, '/broken').catch(() => undefined);
    isWhole = true;
    const answer = await edge.get(host, '/broken');
    expect(answer).toMatchObject({ body: 'a doga dog', headers: { 'x-cache': 'MISS' } });
  });

  it('of an answer to HEAD says no length of the old', async () => {
    pages['/head'] = (response) => {
      response.setHeader('content-length', 3);
      response.end('cat');
    };
    const host = await serve(dogs, { rules: [{ type: 'all', action: 'bypass' }] });
    const { status, headers } = await edge.get(host, '/head', { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers['content-length']).toBeUndefined();
  });

  it('is changed with parts of a large file asked for singly', async () => {
    pages['/slices'] = (response) => response.end('cat');
    const host = await serve(dogs, {
      rules: [{ type: 'all', action: 'cache', ttl_seconds: 60, slice_bytes: 1_048_576 }],
    });
    expect((await edge.get(host, '/slices')).body).toBe('a dog');
  });
});

function bytesOf(host: string, path: string, headers: Record<string, string>) {
  return new Promise<{ headers: Record<string, unknown>; content: Buffer }>((settle, refuse) => {
    const call = request(
      { host: '127.0.0.1', port: edge.httpPort, path, headers: { host, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => settle({ headers: response.headers, content: Buffer.concat(chunks) }));
        response.on('error', refuse);
      },
    );
    call.on('error', refuse);
    call.end();
  });
}
