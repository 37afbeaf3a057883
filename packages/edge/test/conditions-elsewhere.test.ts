import type { condition } from '@breakwater/contract/condition';
import { certificateSettings } from '@breakwater/contract/site-config/certificate-settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type Answer, type CallOptions, type SiteInput } from './support.ts';

/** Conditions of limits, error pages and forced HTTPS, in nginx. */

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

type Ask = (path: string, options?: CallOptions) => Promise<Answer>;

async function serve(more: Partial<SiteInput>): Promise<Ask> {
  sites += 1;
  const host = `elsewhere-${sites}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id: sites, domains: [host], origins, ...more }));
  expect(result).toMatchObject({ status: 'applied' });
  return (path, options = {}) => edge.get(host, path, options);
}

const post: z.input<typeof condition> = {
  items: [{ field: 'method', operator: 'equals', values: ['POST'] }],
};
const marked: z.input<typeof condition> = {
  items: [{ field: 'header', name: 'x-mark', operator: 'exists' }],
};
const withMark = { headers: { 'x-mark': '1' } };
const sent = { method: 'POST', body: 'x' };
const keep: SiteInput['rules'] = [
  { type: 'all', ttl_seconds: 600, ttl_by_status: [{ statuses: [404], ttl_seconds: 600 }] },
];

describe('a rate with a condition', () => {
  const rate = { requests: 1, period_seconds: 60, burst: 0, condition: post };

  it.each([
    ['of an address', { rate_per_address: rate }],
    ['of the site', { rate }],
  ])('%s counts and limits the requests that suit, and no others', async (_about, security) => {
    const ask = await serve({ security });
    const path = origin.serve({});
    for (let count = 0; count < 3; count++) expect((await ask(path)).status).toBe(200);
    expect((await ask(path, sent)).status).toBe(200);
    expect((await ask(path, sent)).status).toBe(429);
    expect((await ask(path)).status).toBe(200);
  });

  it('knows them too where hits do not count, which is where the request is no longer as it came', async () => {
    const inside: z.input<typeof condition> = {
      items: [{ field: 'scheme', operator: 'equals', values: ['https'] }],
    };
    const ask = await serve({
      security: { rate_counts_hits: false, rate_per_address: { ...rate, condition: inside } },
    });
    const path = origin.serve({});
    const secure = { servername: 'elsewhere.test' };
    for (let count = 0; count < 3; count++) expect((await ask(`${path}/${count}`)).status).toBe(200);
    expect((await ask(`${path}/a`, secure)).status).toBe(200);
    expect((await ask(`${path}/b`, secure)).status).toBe(429);
    // No visitor says for himself what was decided.
    const told = { ...secure, headers: { 'x-breakwater-told': '00 -' } };
    expect((await ask(`${path}/c`, told)).status).toBe(429);
  });
});

describe('a limit with a condition', () => {
  it('of content is for the requests that suit', async () => {
    const ask = await serve({ security: { body_bytes_max: 3, body_condition: marked } });
    const path = origin.serve({});
    const large = { method: 'POST', body: 'large' };
    expect((await ask(path, large)).status).toBe(200);
    expect((await ask(path, { ...large, ...withMark })).status).toBe(413);
  });

  it('of bandwidth holds back their answers alone', async () => {
    const ask = await serve({
      security: { bandwidth: 20_000, bandwidth_per_connection: 20_000, bandwidth_condition: marked },
      rules: keep,
    });
    const path = origin.serve(() => ({ body: 'x'.repeat(100_000) }));
    await ask(path);
    const timeOf = async (options?: CallOptions) => {
      const start = performance.now();
      expect((await ask(path, options)).body).toHaveLength(100_000);
      return performance.now() - start;
    };
    // Five seconds at that rate; how fast the other is depends on the machine, but it is never slower.
    const [free, bound] = [await timeOf(), await timeOf(withMark)];
    expect(bound).toBeGreaterThan(2500);
    expect(free).toBeLessThan(bound);
  });
});

describe('an error page with a condition', () => {
  const pages = [
    { statuses: ['404'], body: 'for you', condition: marked },
    { statuses: ['4xx'], body: 'for all', only_paths: ['/all'] },
  ];

  it('stands in for an origin’s error for who suits it, however often others asked', async () => {
    const ask = await serve({ advanced: { error_pages: pages }, rules: keep });
    const path = origin.serve(() => ({ status: 404, body: 'the origin’s' }));
    for (let round = 0; round < 2; round++) {
      expect((await ask(path)).body).toBe('the origin’s');
      expect((await ask(path, withMark)).body).toBe('for you');
    }
    expect((await ask(path, { headers: { 'x-breakwater-told': '11 11' } })).body).toBe('the origin’s');
  });

  it('of which no condition is asked is kept as ever', async () => {
    const ask = await serve({
      advanced: { error_pages: [{ statuses: ['404'], body: 'for all' }, ...pages] },
      rules: keep,
    });
    const path = origin.serve(() => ({ status: 404, body: 'the origin’s' }));
    await ask(path);
    expect([(await ask(path)).headers['x-cache'], (await ask(path, withMark)).body]).toEqual([
      'HIT',
      'for all',
    ]);
  });

  it('stands in for the edge’s own page, before an origin and in place of one that is away', async () => {
    const advanced = { error_pages: [{ statuses: ['413', '502'], body: 'for you', condition: marked }] };
    const ask = await serve({
      advanced,
      security: { body_bytes_max: 3 },
      origins: [{ address: '127.0.0.1', http_port: 9 }],
    });
    const large = { method: 'POST', body: 'large' };
    expect((await ask('/', large)).body).toMatch(/<h1>413/);
    expect((await ask('/', { ...large, ...withMark })).body).toBe('for you');
    expect((await ask('/')).body).toMatch(/<h1>502/);
    expect((await ask('/', withMark)).body).toBe('for you');
  });
});

describe('forced HTTPS with a condition', () => {
  it('sends on only what suits, and never a challenge', async () => {
    const not: z.input<typeof condition> = {
      items: [{ field: 'path', operator: 'starts_with', values: ['/plain/'], negated: true }],
    };
    const { force_https } = certificateSettings.parse({ force_https: { enabled: true, condition: not } });
    const ask = await serve({ tls: { force_https } });
    expect((await ask('/x')).status).toBe(301);
    expect((await ask('/plain/x')).status).toBe(404);
    // Nor does another spelling of the path make it another.
    expect((await ask('/plain/../x')).status).toBe(301);
    expect((await ask('/%70lain//x')).status).toBe(404);
    expect((await ask('/.well-known/acme-challenge/token')).status).toBe(404);
  });
});
