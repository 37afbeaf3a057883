import { rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, startOrigin, TestEdge, type Answer, type CallOptions, patience } from './support.ts';

/** HTTP caching as RFC 9111 asks of a shared cache; `docs/caching.md` names the section of each test. */

let edge: TestEdge;
let origin: ScriptedOrigin;
const serve: ScriptedOrigin['serve'] = (script) => origin.serve(script);

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = await startScriptedOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(
    makeSite({ id: 1, domains: ['c.test', 'd.test'], origins, cache: { invalidate_on_change: true } }),
    makeSite({ id: 2, domains: ['still.test'], origins }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

const get = (path: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
  edge.get('c.test', path, { headers, ...options });
const state = ({ headers }: Answer) => headers['x-cache'];
const fresh = { 'Cache-Control': 'max-age=600' };
const wait = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds));

describe('invalidation', () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PURGE'])
    it(`asks again for what a ${method} may have changed`, async () => {
      const path = serve(({ headers }) => ({ headers: fresh, body: String(headers['x-n'] ?? 'old') }));
      await get(path);
      expect(state(await get(path))).toBe('HIT');
      await get(path, {}, { method, body: 'x' });
      const after = await get(path, { 'x-n': 'new' });
      expect([state(after), after.body]).toEqual(['MISS', 'new']);
      expect(state(await get(path))).toBe('HIT');
      // On connections of their own, so that both workers are asked.
      for (let time = 0; time < 8; time++) expect((await get(path)).body).toBe('new');
    });

  it('does so for both schemes, and leaves other targets and hosts', async () => {
    const path = serve(fresh);
    const secure = { servername: 'c.test' };
    await get(path);
    await get(path, {}, secure);
    await get(`${path}?other`);
    await edge.get('d.test', path);
    await get(path, {}, { method: 'POST' });
    expect(state(await get(path))).toBe('MISS');
    expect(state(await get(path, {}, secure))).toBe('MISS');
    expect(state(await get(`${path}?other`))).toBe('HIT');
    expect(state(await edge.get('d.test', path))).toBe('HIT');
  });

  it('is nothing that visitors can do where the site does not say so', async () => {
    const path = serve(fresh);
    await edge.get('still.test', path);
    for (const method of ['POST', 'PUT', 'DELETE', 'PURGE'])
      expect((await edge.get('still.test', path, { method, body: 'x' })).status).toBe(200);
    expect(state(await edge.get('still.test', path))).toBe('HIT');
  });

  it('does nothing after safe methods and errors', async () => {
    let status = 200;
    const path = serve(({ method }) => ({ status: method === 'GET' ? 200 : status, headers: fresh }));
    await get(path);
    for (const method of ['HEAD', 'OPTIONS']) await get(path, {}, { method });
    for (status of [400, 404, 500, 503]) await get(path, {}, { method: 'POST' });
    expect(state(await get(path))).toBe('HIT');
  });

  it('follows Location and Content-Location on the same host only', async () => {
    const [a, b, c] = [serve(fresh), serve(fresh), serve(fresh)];
    for (const path of [a, b, c]) await get(path);
    const headers = { Location: `http://c.test:${edge.httpPort}${a}`, 'Content-Location': b };
    const path = serve(() => ({ status: 201, headers }));
    await edge.get(`c.test:${edge.httpPort}`, path, { method: 'POST' });
    expect([state(await get(a)), state(await get(b)), state(await get(c))]).toEqual(['MISS', 'MISS', 'HIT']);
    await edge.get(
      'd.test',
      serve(() => ({ status: 201, headers: { Location: `http://c.test${c}` } })),
      {
        method: 'POST',
      },
    );
    expect(state(await get(c))).toBe('HIT');
  });

  it('is not lost with a restart, nor with the table', async () => {
    const own = await TestEdge.start();
    const { dir } = own;
    const site = makeSite({
      id: 1,
      domains: ['c.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      cache: { invalidate_on_change: true },
    });
    const path = serve(fresh);
    await own.applySites(site);
    await own.get('c.test', path);
    await own.get('c.test', path, { method: 'POST' });
    const second = await own.get('c.test', path);
    await own.edge.stop(2);
    const again = await TestEdge.start({ edgeDir: dir });
    await again.applySites(site);
    // nginx reads the list of what it stored some time after its start.
    await vi.waitFor(async () => expect((await again.get('c.test', path)).body).toBe(second.body), patience);
    await again.edge.stop(2);
    await rename(`${dir}/cache-generations`, `${dir}/lost`);
    const third = await TestEdge.start({ edgeDir: dir });
    await third.applySites(site);
    const after = await third.get('c.test', path);
    expect([state(after), after.body === second.body]).toEqual(['MISS', false]);
    await third.close();
    await rm(dir, { recursive: true, force: true });
  });
});

// Each waits until its answer is old.
describe.concurrent('stale answers', () => {
  /** Lives a second, then the origin fails with this status. */
  async function failing(cacheControl: string, status: number): Promise<Answer> {
    let isDown = false;
    const path = serve(() =>
      isDown ? { status, body: 'failed' } : { headers: { 'Cache-Control': cacheControl }, body: 'good' },
    );
    await get(path);
    isDown = true;
    await wait(2100);
    return get(path);
  }

  it('are given while the origin fails, where it allows that', async () => {
    const answers = await Promise.all(
      [500, 502, 503, 504].map((status) => failing('max-age=1, stale-if-error=60', status)),
    );
    for (const answer of answers) {
      expect([answer.status, answer.body, state(answer)]).toEqual([200, 'good', 'STALE']);
      expect(answer.headers['cache-control']).toBe('max-age=1, stale-if-error=60');
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(2);
    }
  });

  it('are given while the origin cannot be reached', async () => {
    const own = await startOrigin((_request, response) => {
      response.setHeader('Cache-Control', 'max-age=1, stale-if-error=60').end('good');
    });
    const origins = [{ address: '127.0.0.1', http_port: own.port }];
    await edge.applySites(makeSite({ id: 4, domains: ['gone.test'], origins }));
    await edge.get('gone.test');
    await own.close();
    await wait(2100);
    const answer = await edge.get('gone.test');
    expect([answer.status, answer.body, state(answer)]).toEqual([200, 'good', 'STALE']);
    expect((await edge.get('gone.test', '/other')).status).toBe(502);
  });

  it('are not given without leave, against it, or later than it reaches', async () => {
    const answers = await Promise.all(
      [
        'max-age=1',
        'max-age=1, must-revalidate, stale-if-error=60',
        'max-age=1, proxy-revalidate, stale-while-revalidate=60',
        's-maxage=1, stale-if-error=60, stale-while-revalidate=60',
        'max-age=1, stale-if-error=0',
      ].map((cacheControl) => failing(cacheControl, 503)),
    );
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => 'failed'));
  });

  it('are not given for answers that are no failures', async () => {
    const answers = await Promise.all(
      [403, 404, 410, 429].map((status) => failing('max-age=1, stale-if-error=60', status)),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 410, 429]);
  });

  it('are given while they are asked for again, where the origin allows that', async () => {
    const path = serve({ 'Cache-Control': 'max-age=1, stale-while-revalidate=60' });
    const first = await get(path);
    await wait(2100);
    const stale = await get(path);
    expect([state(stale), stale.body]).toEqual(['STALE', first.body]);
    await vi.waitFor(async () => expect((await get(path)).body).not.toBe(first.body), patience);
  });
});
