import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeSite, startOrigin, TestEdge, type CallOptions, type TestOrigin } from './support.ts';

/** A share of the answers that visitors get, as the agent takes it from a node. */

let edge: TestEdge;
let origin: TestOrigin;
const page = `<p>${'words '.repeat(2000)}</p>`;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin(({ url = '', headers }, response) => {
    const send = (fields: Record<string, string>, body: string | Buffer = page) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=gbk', ...fields }).end(body);
    if (url.startsWith('/kept')) return send({ 'cache-control': 'max-age=60' });
    if (url === '/packed') return send({ 'content-encoding': 'gzip' }, gzipSync(page));
    if (url === '/private') return send({ 'cache-control': 'private' });
    if (url === '/no-store') return send({ 'cache-control': 'max-age=5, No-Store' });
    if (url === '/cookie') return send({ 'set-cookie': 'a=b' });
    if (url === '/image') return send({ 'content-type': 'image/png' });
    if (url === '/style') return send({ 'content-type': 'text/css' });
    if (url === '/long') return send({}, 'x'.repeat(1_000_000));
    if (url === '/empty') return send({}, '');
    if (url === '/missing') return response.writeHead(404, { 'content-type': 'text/html' }).end('no');
    return send({ 'x-asked-by': headers['user-agent'] ?? '' });
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const results = await edge.applySites(
    makeSite({ id: 1, domains: ['plain.test'], origins }),
    makeSite({ id: 2, domains: ['paced.test'], origins, security: { bandwidth: 100_000_000 } }),
    makeSite({
      id: 3,
      domains: ['signed.test'],
      origins,
      // Nothing that these tests ask for is signed, and a site with signed links is left alone as a whole.
      access: { signing: { enabled: true, secret: 'a-key-of-the-site' }, signed_paths: ['/none'] },
    }),
  );
  const refused = results.find(({ status }) => status === 'refused');
  if (refused !== undefined) throw new Error(refused.error);
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

interface Told {
  instance_id: string;
  samples: string;
  last: number;
}
interface Sample {
  site_id: number;
  url: string;
  content_type: string;
  encoding: string;
  content: string;
}
let last: Told = { instance_id: '', samples: '', last: 0 };
async function take(): Promise<Sample[]> {
  last = await edge.control<Told>('POST', '/samples', {
    instance_id: last.instance_id,
    told: last.last,
    max: 100,
  });
  return last.samples === '' ? [] : last.samples.split('\n').map((line) => JSON.parse(line) as Sample);
}
const urlsOf = (samples: readonly Sample[]) => samples.map(({ url }) => url);
/** A share takes two seconds to be known to a worker. */
async function sample(perMille: number): Promise<void> {
  await edge.control('PUT', '/sampling', { per_mille: perMille });
  await vi.waitFor(
    async () => {
      await edge.get('plain.test', '/known');
      expect((await take()).length > 0).toBe(perMille > 0);
    },
    { timeout: 20_000, interval: 100 },
  );
  await take();
}
const get = (path: string, options: CallOptions = {}, host = 'plain.test') => edge.get(host, path, options);

describe('sampled answers', () => {
  it('are none by default', async () => {
    await get('/kept-before');
    expect(await take()).toEqual([]);
  });

  it('are told with what they are, whole or their beginning, from an origin and from the cache', async () => {
    await sample(1000);
    for (const path of ['/kept?q=1', '/kept?q=1', '/packed', '/long', '/empty']) await get(path);
    const samples = await take();
    expect(urlsOf(samples)).toEqual(
      ['/kept?q=1', '/kept?q=1', '/packed', '/long'].map((path) => `http://plain.test${path}`),
    );
    const [kept, again, packed, long] = samples.map(({ content }) => Buffer.from(content, 'base64'));
    expect(samples[0]).toMatchObject({ site_id: 1, content_type: 'text/html; charset=gbk', encoding: '' });
    expect([kept!.toString(), again!.toString()]).toEqual([page, page]);
    expect(samples[2]!.encoding).toBe('gzip');
    expect(gunzipSync(packed!).toString()).toBe(page);
    expect(long!.length).toBe(65_536);
    // What was told is forgotten.
    expect(await take()).toEqual([]);
  });

  it('leave out what is private: said so, with cookies, behind a sign-in, by a signed link; and what is no text', async () => {
    await sample(1000);
    for (const path of ['/private', '/no-store', '/cookie', '/image', '/style', '/missing']) await get(path);
    await get('/open', { headers: { cookie: 'session=1' } });
    await get('/open', { headers: { authorization: 'Basic YTpi' } });
    await get('/open', { method: 'POST' });
    await get('/open', {}, 'signed.test');
    await get('/kept?q=2');
    // The same for everybody, whatever cookies one has.
    await get('/kept?q=2', { headers: { cookie: 'session=1' } });
    expect(urlsOf(await take())).toEqual(['http://plain.test/kept?q=2', 'http://plain.test/kept?q=2']);
  });

  it('change nothing for visitors, nor for sites whose answers share a bandwidth', async () => {
    await sample(1000);
    const answers = [await get('/kept?q=3'), await get('/kept?q=3', {}, 'paced.test')];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, page],
      [200, page],
    ]);
    expect((await take()).map(({ site_id }) => site_id)).toEqual([1, 2]);
    await sample(0);
    await get('/kept?q=3');
    await get('/kept?q=3', {}, 'paced.test');
    expect(await take()).toEqual([]);
  });

  it('find no more room than they have: a flood of them is dropped, and visitors are served', async () => {
    await sample(1000);
    const many = Array.from({ length: 200 }, (_, n) => get(`/long?${n}`));
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    let bytes = 0;
    for (let samples = await take(); samples.length > 0; samples = await take())
      for (const { content } of samples) bytes += content.length;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(4 * 1024 * 1024);
    await get('/kept?q=4');
    expect(urlsOf(await take())).toEqual(['http://plain.test/kept?q=4']);
  });

  it('forget visitors who leave in the middle', async () => {
    await sample(1000);
    for (let n = 0; n < 20; n++) {
      const stopped = AbortSignal.timeout(1);
      await fetch(`http://127.0.0.1:${edge.httpPort}/long?gone${n}`, {
        headers: { host: 'plain.test' },
        signal: stopped,
      })
        .then((answer) => answer.text())
        .catch(() => undefined);
    }
    await take();
    await get('/kept?q=5');
    await vi.waitFor(async () => {
      await get('/kept?q=5');
      expect(urlsOf(await take())).toContain('http://plain.test/kept?q=5');
    });
  });
});
