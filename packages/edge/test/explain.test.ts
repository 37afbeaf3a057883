import type { ExplainedRequest, RequestTrace, TraceStep } from '@breakwater/contract/explain';
import { requestSteps, type RequestStep, type StepFactName } from '@breakwater/contract/request-steps';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeEnvelope, makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** What a node says of a request is what it then does with it. */

let edge: TestEdge;
let origin: TestOrigin;
let sites = 0;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(`${request.url} ${String(request.headers['x-seen'] ?? 'plain')}`);
  });
  edge = await TestEdge.start();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(settings: Partial<SiteInput>): Promise<{ id: number; host: string }> {
  const id = ++sites;
  const host = `explain${id}.test`;
  const site = makeSite({
    id,
    domains: [host],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    cache: { invalidate_on_change: true },
    ...settings,
  });
  const [result] = await edge.applySites(site);
  if (result!.error !== undefined) throw new Error(result!.error);
  return { id, host };
}

function ask(id: number, request: Partial<ExplainedRequest> & { host: string }): Promise<RequestTrace> {
  return edge.control('POST', '/explain', {
    site_id: id,
    request: {
      method: 'GET',
      scheme: 'http',
      port: 80,
      target: '/',
      headers: [],
      address: '127.0.0.1',
      time: Math.floor(Date.now() / 1000),
      ...request,
    },
  });
}

const stepOf = ({ steps }: RequestTrace, name: RequestStep): TraceStep =>
  steps.find(({ step }) => step === name)!;
const factOf = (trace: RequestTrace, step: RequestStep, name: StepFactName) =>
  stepOf(trace, step).facts.find((each) => each.name === name)?.value;
const stopOf = ({ steps }: RequestTrace) => steps.find(({ outcome }) => outcome === 'stopped');

describe('a trace', () => {
  it('has every step, in the order of requests', async () => {
    const { id, host } = await serve({});
    const trace = await ask(id, { host });
    expect(trace.steps.map(({ step }) => step)).toEqual(requestSteps);
    expect(stopOf(trace)).toBeUndefined();
  });

  it('of who is not let in names the rule, and that is who gets no answer', async () => {
    const { id, host } = await serve({
      access: {
        rules: [
          { action: 'allow', only_paths: ['/open/'], addresses: ['127.0.0.1'] },
          { action: 'deny', only_paths: ['/admin/'], note: 'staff only' },
        ],
        deny: { status: 404 },
      },
    });
    for (const [target, status] of [
      ['/admin/a', 404],
      ['/open/a', 200],
      ['/other', 200],
      ['/open/%2e%2e/admin/a', 404],
    ] as const) {
      const stop = stopOf(await ask(id, { host, target }));
      expect((await edge.get(host, target)).status).toBe(status);
      expect(stop?.facts.find(({ name }) => name === 'status')?.value ?? '200').toBe(`${status}`);
      if (stop) expect(stop).toMatchObject({ step: 'access_control', reason: 'denied_by_rule' });
    }
    const trace = await ask(id, { host, target: '/admin/a' });
    expect(stopOf(trace)?.facts).toContainEqual({ name: 'note', value: 'staff only' });
    expect(stepOf(trace, 'cache_rule').outcome).toBe('unreached');
  });

  it('of a redirect has its address', async () => {
    const { id, host } = await serve({
      rewrite: { redirects: [{ type: 'prefix', from: '/old/', to: '/new/', status: 308 }] },
    });
    const answer = await edge.get(host, '/old/a%20b?c=1');
    const stop = stopOf(await ask(id, { host, target: '/old/a%20b?c=1', port: edge.httpPort }));
    expect(stop).toMatchObject({ step: 'redirects', facts: [{ value: '1' }, { value: '308' }, {}] });
    expect(answer.status).toBe(308);
    expect(stop!.facts[2]!.value).toBe(answer.headers.location);
  });

  it('of a rewritten URL has what the origin is asked for, and its fields', async () => {
    const { id, host } = await serve({
      rewrite: {
        url_rewrites: [{ type: 'regex', from: '^/p/(\\d+)$', to: '/page?id=$1' }],
        request_headers: [{ action: 'set', name: 'X-Seen', value: 'by ${client_ip}' }],
      },
    });
    const trace = await ask(id, { host, target: '/p/12' });
    expect(factOf(trace, 'url_rewrites', 'after')).toBe('/page?id=12');
    expect(factOf(trace, 'cache_key', 'key')).toBe(`${id} http://${host}/page?id=12`);
    expect(stepOf(trace, 'request_headers').facts).toContainEqual({
      name: 'header',
      value: '+ X-Seen: by 127.0.0.1',
    });
    expect((await edge.get(host, '/p/12')).body).toBe('/page?id=12 by 127.0.0.1');
  });

  it('names the cache rule, by its condition too, and the key that answers share', async () => {
    const cookie = {
      match: 'all' as const,
      negated: false,
      items: [
        {
          field: 'cookie' as const,
          name: 'login',
          operator: 'exists' as const,
          values: [],
          negated: false,
          ignore_case: false,
        },
      ],
    };
    const { id, host } = await serve({
      rules: [
        { type: 'all', action: 'bypass', condition: cookie },
        { type: 'folder', content: ['/static/'], ttl_seconds: 60, query_policy: 'none' },
      ],
    });
    const [one, other] = [
      await ask(id, { host, target: '/static/a?x=1' }),
      await ask(id, { host, target: '/static/a?x=2' }),
    ];
    expect(factOf(one, 'cache_rule', 'rule')).toBe('2');
    expect(factOf(one, 'cache_rule', 'ttl_seconds')).toBe('60');
    expect(factOf(one, 'cache_key', 'key')).toBe(factOf(other, 'cache_key', 'key'));
    await edge.get(host, '/static/a?x=1');
    expect((await edge.get(host, '/static/a?x=2')).headers['x-cache']).toBe('HIT');
    const around = await ask(id, {
      host,
      target: '/static/a',
      headers: [{ name: 'Cookie', value: 'login=1' }],
    });
    expect(stepOf(around, 'cache_rule')).toMatchObject({ reason: 'rule_bypass' });
    expect(stepOf(around, 'cache')).toMatchObject({ reason: 'bypass' });
    expect((await edge.get(host, '/static/a', { headers: { cookie: 'login=1' } })).headers['x-cache']).toBe(
      'BYPASS',
    );
  });

  it('counts what was declared out of date', async () => {
    const { id, host } = await serve({ rules: [{ type: 'all', ttl_seconds: 60 }] });
    const generation = async () => factOf(await ask(id, { host, target: '/doc' }), 'cache_key', 'generation');
    const before = Number(await generation());
    await edge.get(host, '/doc', { method: 'PUT', body: 'x' });
    expect(Number(await generation())).toBeGreaterThan(before);
  });

  it('says which servers it would ask, and which are left out', async () => {
    const { id, host } = await serve({
      origins: [
        { address: '127.0.0.1', http_port: origin.port, weight: 3 },
        { address: '127.0.0.1', http_port: 9, max_fails: 1, fail_timeout_seconds: 600 },
        { address: '127.0.0.3', state: 'down' },
      ],
    });
    const servers = async () =>
      stepOf(await ask(id, { host }), 'origin')
        .facts.filter(({ name }) => name === 'server')
        .map(({ value }) => value);
    expect(await servers()).toEqual([`127.0.0.1:${origin.port} in`, '127.0.0.1:9 in']);
    for (let round = 0; round < 4; round++) await edge.get(host, `/${round}`);
    expect(await servers()).toEqual([`127.0.0.1:${origin.port} in`, '127.0.0.1:9 out']);
  });

  it('of a redirect to HTTPS comes after who may come in', async () => {
    const { id, host } = await serve({
      tls: {
        force_https: { enabled: true, status: 301, port: 443, only_domains: [], except_domains: [] },
      },
      access: { rules: [{ action: 'deny', only_paths: ['/no'] }] },
    });
    expect(stopOf(await ask(id, { host, target: '/no' }))).toMatchObject({ step: 'access_control' });
    expect((await edge.get(host, '/no')).status).toBe(403);
    const stop = stopOf(await ask(id, { host, target: '/yes' }));
    expect(stop).toMatchObject({ step: 'force_https', reason: 'to_https' });
    expect((await edge.get(host, '/yes')).headers.location).toBe(`https://${host}/yes`);
    expect(stop!.facts).toContainEqual({ name: 'location', value: `https://${host}/yes` });
  });

  it('of a signed link goes on without the signature', async () => {
    const secret = 'a-key-of-ours';
    const { id, host } = await serve({ access: { signing: { enabled: true, secret } } });
    const time = Math.floor(Date.now() / 1000);
    const md5 = createHash('md5').update(`/a.zip-${time}-r-u-${secret}`).digest('hex');
    const target = `/a.zip?auth_key=${time}-r-u-${md5}`;
    const good = await ask(id, { host, target });
    expect(stepOf(good, 'signed_links')).toMatchObject({ reason: 'signature_good' });
    expect(factOf(good, 'cache_key', 'key')).toBe(`${id} http://${host}/a.zip`);
    expect((await edge.get(host, target)).body).toBe('/a.zip plain');
    for (const [bare, reason] of [
      ['/a.zip', 'signature_missing'],
      [target.replace('/a.zip', '/b.zip'), 'signature_bad'],
    ] as const) {
      expect(stopOf(await ask(id, { host, target: bare }))).toMatchObject({ step: 'signed_links', reason });
      expect((await edge.get(host, bare)).status).toBe(403);
    }
    expect(JSON.stringify(good)).not.toContain(secret);
  });

  it('of a visitor behind a proxy goes by the address that counts', async () => {
    const { id, host } = await serve({
      realIp: { mode: 'xff', depth: 1, trusted: ['127.0.0.1'] },
      access: { rules: [{ action: 'deny', addresses: ['203.0.113.0/24'] }] },
    });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const trace = await ask(id, { host, headers: [{ name: 'X-Forwarded-For', value: '203.0.113.9' }] });
    expect(stepOf(trace, 'client_address')).toMatchObject({ reason: 'field', outcome: 'changed' });
    expect(stopOf(trace)).toMatchObject({ step: 'access_control' });
    expect((await edge.get(host, '/', { headers })).status).toBe(403);
  });

  it('of a closed site, of a host of another site and of one nobody knows ends there', async () => {
    const closed = await serve({ advanced: { maintenance: { enabled: true, allowed_ips: ['127.0.0.9'] } } });
    expect(stopOf(await ask(closed.id, { host: closed.host }))).toMatchObject({ reason: 'maintenance' });
    expect((await edge.get(closed.host)).status).toBe(503);
    expect(stopOf(await ask(closed.id, { host: closed.host, address: '127.0.0.9' }))).toBeUndefined();
    const other = await serve({});
    const foreign = await ask(other.id, { host: closed.host });
    expect(foreign.steps[0]).toEqual({ step: 'site', outcome: 'stopped', reason: 'other_site', facts: [] });
    expect(stopOf(await ask(other.id, { host: 'nobody.test' }))).toMatchObject({ reason: 'unknown_host' });
  });

  it('says which level a value comes from, and with which revisions it was made', async () => {
    const id = ++sites;
    const host = `explain${id}.test`;
    const { cache_rule: rules, ...bare } = makeSite({
      id,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 60 }],
    });
    await edge.applySites({ ...bare, product_id: 77 });
    const level = { level: 'product', target_id: 77, cache_rule: rules };
    await edge.control('POST', '/documents', [
      makeEnvelope('level', 'product-77', edge.nextRevision(), level),
    ]);
    const trace = await ask(id, { host });
    expect(stepOf(trace, 'cache_rule')).toMatchObject({ reason: 'rule', level: 'product' });
    expect(trace.documents).toMatchObject([{ kind: 'level', key: 'product-77' }]);
    expect(trace.documents[0]!.revision).toBeGreaterThan(trace.revision!);
  });

  it('is not to be had on any port for visitors', async () => {
    const { host } = await serve({ access: { rules: [], otherwise: 'allow' } });
    const before = origin.count();
    const answer = await edge.get(host, '/explain', { method: 'POST', body: '{}' });
    expect(answer.body).toBe('/explain plain');
    expect(origin.count()).toBe(before + 1);
  });
});

describe('what lies in the cache', () => {
  const factsOf = (trace: RequestTrace, step: RequestStep) =>
    Object.fromEntries(stepOf(trace, step).facts.map(({ name, value }) => [name, value]));
  const keep = [{ type: 'all' as const, ttl_seconds: 600 }];
  const marked = {
    items: [{ field: 'header' as const, name: 'x-mark', operator: 'exists' as const, values: [] }],
  };

  it.each<[string, Partial<SiteInput>, Record<string, string>?]>([
    ['of a plain site', { rules: keep }],
    ['without a rule', {}],
    ['under a rule with a condition', { rules: [{ ...keep[0]!, condition: marked }] }, { 'x-mark': '1' }],
    ['kept apart by a field', { rules: [{ ...keep[0]!, key_headers: ['X-Mark'] }] }, { 'x-mark': '1' }],
    ['whose URL is rewritten', { rewrite: { url_rewrites: [{ type: 'prefix', from: '/', to: '/v2/' }] } }],
    ['whose content is changed', { rewrite: { body: { replacements: [{ find: 'a', replace: 'b' }] } } }],
    [
      'whose content is changed for some',
      { rewrite: { body: { condition: marked, replacements: [{ find: 'a', replace: 'b' }] } } },
      { 'x-mark': '1' },
    ],
    [
      'whose fields to the origin depend on a condition',
      { rewrite: { request_headers: [{ name: 'X-Seen', value: 'it', condition: marked }] } },
      { 'x-mark': '1' },
    ],
    ['in parts', { rules: [{ ...keep[0]!, slice_bytes: 1_048_576 }] }],
  ])('%s is told as the next visitor finds it', async (_about, settings, fields = {}) => {
    const { id, host } = await serve(settings);
    const headers = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const now = async (target: string) => factsOf(await ask(id, { host, target, headers }), 'cache');
    const target = '/a/page?x=1';
    expect(await now(target)).toEqual({ stored: 'none' });
    expect((await edge.get(host, target, { headers: fields })).headers['x-cache']).not.toBe('HIT');
    expect(await now(target)).toMatchObject({
      stored: 'fresh',
      status: expect.stringMatching(/^20[06]$/) as string,
    });
    expect((await edge.get(host, target, { headers: fields })).headers['x-cache']).toBe('HIT');
    expect(await now('/other')).toEqual({ stored: 'none' });
    // What is sent to a place may change it: from then on what was stored is not given any more.
    await edge.get(host, target, { method: 'POST', body: 'x', headers: fields });
    expect(await now(target)).toEqual({ stored: 'none' });
  });

  it('says its age and for how long it is good, and when it is no more', async () => {
    const { id, host } = await serve({ rules: [{ type: 'all', ttl_seconds: 1 }] });
    await edge.get(host, '/brief');
    const now = async () => factsOf(await ask(id, { host, target: '/brief' }), 'cache');
    expect(['fresh', 'stale']).toContain((await now())['stored']);
    await vi.waitFor(async () => expect((await now())['stored']).toBe('stale'), {
      timeout: 10_000,
      interval: 100,
    });
    const late = await now();
    expect(Number(late['age_seconds'])).toBeGreaterThan(0);
    expect(Number(late['stale_seconds'])).toBeGreaterThan(0);
  });

  it('is not counted by asking, and what is counted is told', async () => {
    const { id, host } = await serve({
      security: { rate_per_address: { requests: 1, period_seconds: 3600, burst: 2 }, connections: 5 },
    });
    const limits = async (address: string) => stepOf(await ask(id, { host, address }), 'limits').facts;
    const used = (count: number) => ({ name: 'used', value: `rate_per_address ${count} / 3`, live: true });
    for (let count = 0; count < 5; count++) expect(await limits('127.0.0.1')).toContainEqual(used(0));
    for (let count = 1; count <= 3; count++) {
      expect((await edge.get(host, '/')).status).toBe(200);
      expect(await limits('127.0.0.1')).toContainEqual(used(count));
    }
    expect((await edge.get(host, '/')).status).toBe(429);
    const facts = await limits('127.0.0.1');
    expect(Number(facts.find(({ name }) => name === 'wait_seconds')?.value)).toBeGreaterThan(3000);
    expect(facts).toContainEqual({ name: 'used', value: 'connections 0 / 5', live: true });
    expect(await limits('198.51.100.7')).toContainEqual(used(0));
  });
});
