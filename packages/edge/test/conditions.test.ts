import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { condition } from '@breakwater/contract/condition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, type Answer, type CallOptions, type SiteInput } from './support.ts';

/** Conditions as nginx decides them, shown by a cache rule: what suits is stored, all else goes around the cache. */

type Condition = z.input<typeof condition>;
type Leaf = Extract<Condition['items'][number], { field: string }>;
type Ask = (path: string, options?: CallOptions) => Promise<Answer>;

let edge: TestEdge;
let origin: ScriptedOrigin;
let sites = 0;
let host: string;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function withRules(rules: SiteInput['rules'], more: Partial<SiteInput> = {}): Promise<Ask> {
  sites += 1;
  host = `condition-${sites}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(
    makeSite({ id: sites, domains: [host], origins, rules: rules!, ...more }),
  );
  expect(result).toMatchObject({ status: 'applied' });
  const own = host;
  return (path, options = {}) => edge.get(own, path, options);
}

const withCondition = (when: Condition, more: Partial<SiteInput> = {}) =>
  withRules(
    [
      { type: 'all', ttl_seconds: 600, condition: when },
      { type: 'all', action: 'bypass' },
    ],
    more,
  );
const withLeaf = (leaf: Leaf) => withCondition({ items: [leaf] });
const state = ({ headers }: Answer) => headers['x-cache'];
const suits = (answer: Answer) => state(answer) === 'MISS' || state(answer) === 'HIT';

/** A field, what suits it, and what does not. */
const cases: [Leaf, path: string, CallOptions, other: string, CallOptions][] = [
  [{ field: 'method', operator: 'equals', values: ['GET'] }, '/', {}, '/', { method: 'HEAD' }],
  [{ field: 'path', operator: 'starts_with', values: ['/a/'] }, '/%61//b', {}, '/ab', {}],
  [{ field: 'uri', operator: 'equals', values: ['/%61?x'] }, '/%61?x', {}, '/a?x', {}],
  [{ field: 'extension', operator: 'equals', values: ['png', 'jpg'] }, '/x.JPG?a.b', {}, '/x', {}],
  [{ field: 'query', operator: 'is_empty' }, '/', {}, '/?a', {}],
  [{ field: 'argument', name: 'a b', operator: 'equals', values: ['1'] }, '/?a+b=0&a%20b=1', {}, '/?a=1', {}],
  [{ field: 'argument_names', operator: 'has', values: ['debug'] }, '/?x=1&debug', {}, '/?x=debug', {}],
  [
    { field: 'header', name: 'X-A', operator: 'contains_word', values: ['b'] },
    '/',
    { headers: { 'x-a': 'a, b' } },
    '/',
    { headers: { 'x-a': 'bb' } },
  ],
  [{ field: 'header', name: 'x-a', operator: 'is_empty' }, '/', {}, '/', { headers: { 'x-a': 'b' } }],
  [{ field: 'header', name: 'x-a', operator: 'exists' }, '/', { headers: { 'x-a': '' } }, '/', {}],
  [{ field: 'header_names', operator: 'has', values: ['X-A'] }, '/', { headers: { 'x-a': '' } }, '/', {}],
  [
    { field: 'cookie', name: 'lang', operator: 'equals', values: ['zh'] },
    '/',
    { headers: { cookie: 'a=b; lang=zh' } },
    '/',
    { headers: { cookie: 'xlang=zh' } },
  ],
  [{ field: 'cookie_names', operator: 'has', values: ['a'] }, '/', { headers: { cookie: 'a=1' } }, '/', {}],
  [
    { field: 'user_agent', operator: 'regex', values: ['\\bcurl/\\d'], ignore_case: true },
    '/',
    { headers: { 'user-agent': 'Curl/8' } },
    '/',
    { headers: { 'user-agent': 'Mozilla' } },
  ],
  [
    { field: 'referer', operator: 'wildcard', values: ['https://*.example/*'] },
    '/',
    { headers: { referer: 'https://a.example/x' } },
    '/',
    {},
  ],
  [
    { field: 'referer_host', operator: 'equals', values: ['a.example'] },
    '/',
    { headers: { referer: 'https://A.example:8443/x' } },
    '/',
    { headers: { referer: 'https://a.example@b.example/x' } },
  ],
  [
    { field: 'content_type', operator: 'starts_with', values: ['text/'] },
    '/',
    { headers: { 'content-type': 'text/css' } },
    '/',
    { headers: { 'content-type': 'image/png' } },
  ],
  [
    { field: 'content_length', operator: 'exists', negated: true },
    '/',
    {},
    '/',
    { method: 'POST', body: 'x' },
  ],
  [
    { field: 'http_version', operator: 'equals', values: ['1.1'], negated: true },
    '/',
    { method: '' },
    '/',
    {},
  ],
  [{ field: 'ip', operator: 'in', values: ['127.0.0.8/29'] }, '/', { from: '127.0.0.9' }, '/', {}],
  [{ field: 'socket_ip', operator: 'in', values: ['127.0.0.9'] }, '/', { from: '127.0.0.9' }, '/', {}],
  [
    { field: 'client_port', operator: 'at_least', values: ['1024'], negated: true },
    '/',
    { method: '' },
    '/',
    {},
  ],
  [{ field: 'scheme', operator: 'equals', values: ['https'] }, '/', { servername: 'a.test' }, '/', {}],
  [{ field: 'tls_version', operator: 'equals', values: ['TLSv1.3'] }, '/', { servername: 'a.test' }, '/', {}],
  [
    { field: 'sni', operator: 'equals', values: ['b.test'] },
    '/',
    { servername: 'b.test' },
    '/',
    { servername: 'c.test' },
  ],
];

describe('each field of a condition, in nginx', () => {
  for (const [leaf, path, options, otherPath, otherOptions] of cases)
    it(`${leaf.field} ${leaf.operator}`, async () => {
      const ask = await withLeaf(leaf);
      // An empty method: nothing suits it that this test could send.
      if (options.method !== '') expect(state(await ask(path, options))).toBe('MISS');
      expect(suits(await ask(otherPath, otherOptions))).toBe(false);
    });

  it('host', async () => {
    await withCondition(
      { items: [{ field: 'host', operator: 'equals', values: ['ONE.host.test'] }] },
      { domains: ['one.host.test', 'two.host.test'] },
    );
    expect(suits(await edge.get('one.host.test'))).toBe(true);
    expect(suits(await edge.get('two.host.test'))).toBe(false);
  });

  it('server_port, and HTTP/2', async () => {
    const port = `${edge.httpsPort}`;
    const ask = await withCondition({
      items: [
        { field: 'server_port', operator: 'equals', values: [port] },
        { field: 'http_version', operator: 'equals', values: ['2'] },
      ],
    });
    expect(suits(await ask('/', { servername: host }))).toBe(false);
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      servername: host,
    });
    const stream = session.request({ ':authority': host, ':path': '/' });
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    expect(headers['x-cache']).toBe('MISS');
    session.destroy();
  });

  it('time: now is inside a window around now, and outside the rest of the day', async () => {
    const minutes = (shift: number) => {
      const at = new Date(Date.now() + 8 * 3_600_000 + shift * 60_000);
      return at.toISOString().slice(11, 16);
    };
    const inside = { field: 'time_of_day' as const, name: '+08:00', operator: 'in_range' as const };
    const now = await withLeaf({ ...inside, values: [`${minutes(-5)}..${minutes(5)}`] });
    expect(suits(await now('/'))).toBe(true);
    const later = await withLeaf({ ...inside, values: [`${minutes(5)}..${minutes(-5)}`] });
    expect(suits(await later('/'))).toBe(false);
    const day = new Date().getUTCDay();
    const weekday = {
      field: 'weekday' as const,
      operator: 'equals' as const,
      values: [`${day === 0 ? 7 : day}`],
    };
    const date = {
      field: 'date' as const,
      operator: 'equals' as const,
      values: [new Date().toISOString().slice(0, 10)],
    };
    const hour = {
      field: 'hour' as const,
      operator: 'equals' as const,
      values: [`${new Date().getUTCHours()}`],
    };
    const today = await withCondition({ items: [weekday, date, hour] });
    expect(suits(await today('/'))).toBe(true);
  });
});

describe('cache rules with conditions', () => {
  const zh: Condition = { items: [{ field: 'cookie', name: 'lang', operator: 'equals', values: ['zh'] }] };
  const inChinese = { headers: { cookie: 'lang=zh' } };

  it('are asked of each request anew, however often its target was asked for', async () => {
    const ask = await withCondition(zh);
    const path = origin.serve({});
    const told: unknown[] = [];
    for (const options of [inChinese, {}, inChinese, {}, inChinese])
      told.push(state(await ask(path, options)));
    expect(told).toEqual(['MISS', 'BYPASS', 'HIT', 'BYPASS', 'HIT']);
  });

  it('leave a request that suits none of them to its origin', async () => {
    const ask = await withRules([{ type: 'all', ttl_seconds: 600, condition: zh }]);
    const path = origin.serve({});
    await ask(path, inChinese);
    expect([state(await ask(path, inChinese)), state(await ask(path)), state(await ask(path))]).toEqual([
      'HIT',
      'MISS',
      'MISS',
    ]);
  });

  it('keep what they store from requests of other rules, in spite of one target', async () => {
    const ask = await withRules([
      { type: 'all', ttl_seconds: 600, condition: zh, ignore_cache_control: true },
      { type: 'all', ttl_seconds: 600 },
    ]);
    const path = origin.serve({ 'Cache-Control': 'private' });
    const first = await ask(path, inChinese);
    expect([state(first), state(await ask(path, inChinese))]).toEqual(['MISS', 'HIT']);
    const other = await ask(path);
    expect(other.body).not.toBe(first.body);
    // And where the second rule stores nothing, it stores nothing under the first one's name either.
    expect((await ask(path)).body).not.toBe(other.body);
    expect((await ask(path, inChinese)).body).toBe(first.body);
  });

  it('decide for the answer too: how long it is kept is by the rule that the request chose', async () => {
    const ask = await withRules([
      { type: 'all', ttl_seconds: 0, condition: zh },
      { type: 'all', ttl_seconds: 600 },
    ]);
    const path = origin.serve({});
    await ask(path, inChinese);
    expect(state(await ask(path, inChinese))).not.toBe('HIT');
    await ask(path);
    expect(state(await ask(path))).toBe('HIT');
  });

  it('apply beside the special ones: apart by device, kept in parts, and told to browsers', async () => {
    const ask = await withRules([
      { type: 'all', ttl_seconds: 600, condition: zh, browser_ttl_seconds: 60, vary_device: true },
      { type: 'all', ttl_seconds: 600, browser_ttl_seconds: 5 },
    ]);
    const path = origin.serve({});
    const phone = { headers: { cookie: 'lang=zh', 'user-agent': 'Mozilla Android Mobile' } };
    expect((await ask(path, inChinese)).headers['cache-control']).toBe('max-age=60');
    expect(state(await ask(path, phone))).toBe('MISS');
    expect(state(await ask(path, phone))).toBe('HIT');
    expect((await ask(path)).headers['cache-control']).toBe('max-age=5');
  });

  it('let an unsafe request put all of a path out of date, whichever rule stored it', async () => {
    const ask = await withRules([
      { type: 'all', ttl_seconds: 600, condition: zh, query_policy: 'none' },
      { type: 'all', ttl_seconds: 600 },
    ]);
    const path = origin.serve({});
    for (const options of [inChinese, {}]) {
      await ask(`${path}?a=1`, options);
      expect(state(await ask(`${path}?a=1`, options))).toBe('HIT');
    }
    await ask(`${path}?a=1`, { method: 'POST', body: 'x' });
    for (const options of [inChinese, {}]) expect(state(await ask(`${path}?a=1`, options))).toBe('MISS');
  });

  it('are not chosen by a visitor who writes the field that the edge uses within', async () => {
    const ask = await withCondition(zh);
    const path = origin.serve({});
    const headers = { 'x-breakwater-rule': '1 0' };
    await ask(path, { headers });
    expect(state(await ask(path, { headers }))).toBe('BYPASS');
  });
});

describe('patterns that would run away', () => {
  const hostile = ['(a+)+$', '(a|a)*b', '(a|aa)+$', '^(.*a){12}$'];
  const long = `/${'a'.repeat(6000)}!`;

  it('are refused where they are entered, and given up by a node that has one all the same', async () => {
    for (const pattern of hostile) {
      const leaf: Leaf = { field: 'path', operator: 'regex', values: ['x'] };
      sites += 1;
      const rules: SiteInput['rules'] = [
        { type: 'all', ttl_seconds: 600, condition: { items: [leaf] } },
        { type: 'all', ttl_seconds: 600 },
      ];
      expect(() =>
        makeSite({ ...plain(), rules: [{ ...rules[0]!, condition: hostileCondition(pattern) }] }),
      ).toThrow(/pattern_runaway/);
      const site = makeSite({ ...plain(), rules });
      (site.cache_rule[0]!.condition!.items[0] as Leaf).values = [pattern];
      await edge.applySites(site);
      const started = Date.now();
      const answer = await edge.get(`hostile-${sites}.test`, long);
      expect(Date.now() - started).toBeLessThan(2000);
      // Undecided: neither stored nor given from what is stored.
      expect([pattern, state(answer)]).toEqual([pattern, 'BYPASS']);
    }
  });

  const plain = () => ({
    id: sites,
    domains: [`hostile-${sites}.test`],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
  });
  const hostileCondition = (pattern: string): Condition => ({
    items: [{ field: 'path', operator: 'regex', values: [pattern] }],
  });
});

it('a document whose condition cannot be asked is refused with its place', async () => {
  sites += 1;
  const site = makeSite({
    id: sites,
    domains: ['bad-condition.test'],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules: [{ type: 'all', condition: { items: [{ field: 'path', operator: 'regex', values: ['x'] }] } }],
  });
  (site.cache_rule[0]!.condition!.items[0] as Leaf).values = ['('];
  const [result] = await edge.applySites(site);
  expect(result).toMatchObject({ status: 'refused' });
  expect(result!.error).toMatch(/cache_rule\.0\.condition\.0: the regular expression does not compile/);
});
