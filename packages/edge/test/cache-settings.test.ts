import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, startOrigin, TestEdge, type Answer, type SiteInput } from './support.ts';

/** What a site says of its cache besides the rules. */

let edge: TestEdge;
let origin: ScriptedOrigin;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

const state = ({ headers }: Answer) => headers['x-cache'];
const wait = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds));
const fresh = { 'Cache-Control': 'max-age=600' };

async function apply(id: number, host: string, cache: SiteInput['cache'], port = origin.port) {
  const site = { id, domains: [host], origins: [{ address: '127.0.0.1', http_port: port }] };
  const [result] = await edge.applySites(makeSite({ ...site, ...(cache ? { cache } : {}) }));
  expect(result).toMatchObject({ status: 'applied' });
}

it('development mode leads everything around the cache until its time, and ends by itself', async () => {
  const path = origin.serve(fresh);
  await apply(1, 'dev.test', undefined);
  const stored = await edge.get('dev.test', path);
  expect(state(await edge.get('dev.test', path))).toBe('HIT');
  await apply(1, 'dev.test', { development_until: Math.floor(Date.now() / 1000) + 3 });
  const bodies = [];
  for (let time = 0; time < 2; time++) {
    const answer = await edge.get('dev.test', path);
    expect(state(answer)).toBe('BYPASS');
    bodies.push(answer.body);
  }
  expect(bodies[0]).not.toBe(bodies[1]);
  await wait(4000);
  const after = await edge.get('dev.test', path);
  expect([state(after), after.body]).toEqual(['HIT', stored.body]);
});

it('a site can keep to itself where its answers come from; the log still knows', async () => {
  const path = origin.serve(fresh);
  await apply(2, 'quiet.test', { cache_header: false });
  for (let time = 0; time < 2; time++) expect(state(await edge.get('quiet.test', path))).toBeUndefined();
  const lines = await edge.logLines(2, (line) => line.host === 'quiet.test');
  expect(lines.map((line) => line.cache_status)).toEqual(['MISS', 'HIT']);
});

it('a site can have it said in the standard field, behind what other caches say', async () => {
  const path = origin.serve({ ...fresh, 'Cache-Status': 'Other; fwd=miss' });
  await apply(5, 'said.test', { cache_status_header: true, cache_header: false });
  const said = async (options: object = {}) =>
    (await edge.get('said.test', path, options)).headers['cache-status'];
  expect([await said(), await said(), await said({ method: 'POST' })]).toEqual([
    'Other; fwd=miss, Breakwater; fwd=miss; fwd-status=200; stored',
    'Other; fwd=miss, Breakwater; hit',
    'Other; fwd=miss, Breakwater; fwd=method; fwd-status=200',
  ]);
});

it('a request that came round in a loop is refused here as everywhere', async () => {
  const headers = { 'cdn-loop': 'breakwater-test' };
  expect((await edge.get('quiet.test', '/loop', { headers })).status).toBe(508);
});

describe('a site that is always online', () => {
  it('serves what it has while its origin is away, and nothing that it has not', async () => {
    const own = await startOrigin((request, response) => {
      const isStrict = request.url === '/strict';
      response.setHeader('Cache-Control', isStrict ? 'max-age=1, must-revalidate' : 'max-age=1').end('good');
    });
    await apply(3, 'always.test', { always_online: true }, own.port);
    await apply(4, 'plain.test', undefined, own.port);
    for (const [host, path] of [
      ['always.test', '/'],
      ['always.test', '/strict'],
      ['plain.test', '/'],
    ] as const)
      expect((await edge.get(host, path)).body).toBe('good');
    await own.close();
    await wait(2100);
    const served = await edge.get('always.test', '/');
    expect([served.status, served.body, state(served)]).toEqual([200, 'good', 'STALE']);
    expect((await edge.get('always.test', '/other')).status).toBe(502);
    // The origin forbade it (RFC 9111 §5.2.2.2).
    expect((await edge.get('always.test', '/strict')).status).toBe(502);
    expect((await edge.get('plain.test', '/')).status).toBe(502);
  });
});
