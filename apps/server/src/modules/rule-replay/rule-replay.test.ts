import type { AccessLogLine, ReplayAnswer, ReplayOutcome, ReplaySection } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let customer: Customer;
let other: Customer;
let site: { id: number; domain: string };
let files = 0;
const from = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
const stretch = {
  start_time: new Date(from).toISOString(),
  end_time: new Date(from + 3_600_000).toISOString(),
};

async function store(siteId: number, lines: Partial<AccessLogLine>[]): Promise<void> {
  files += 1;
  const rows = lines.map((line, index) =>
    makeLine({
      request_id: `${files}${String(index).padStart(6, '0')}`.padStart(32, '0'),
      time: new Date(from + 1000 + index * 100).toISOString(),
      site_id: siteId,
      client_id: customer.id,
      ...line,
    }),
  );
  await world.server.services.logStore.ingest({
    nodeId: 1,
    file: `access.${files}`,
    offset: 0,
    lines: toBytes(rows),
  });
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
  site = await makeSite(customer.api);
});
afterAll(() => world.close());

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const leaf = (field: string, operator: string, values: string[], name?: string) => ({
  field,
  operator,
  values,
  ...(name === undefined ? {} : { name }),
});
const rule = (action: string, items: object[], more: object = {}) => ({
  action,
  condition: { items },
  ...more,
});

async function replay(
  id: number,
  value: object,
  section: ReplaySection = 'matcher_rule',
): Promise<ReplayAnswer> {
  return customer.api.get('replaySiteSection', {
    params: { id },
    body: { section, value: value as never, ...stretch },
  });
}
const drafts = ({ outcomes }: ReplayAnswer): Partial<Record<ReplayOutcome, number>> =>
  Object.fromEntries(outcomes.flatMap(({ outcome, draft }) => (draft === 0 ? [] : [[outcome, draft]])));
const listOf = ({ by }: ReplayAnswer, dimension: string) =>
  by.find((each) => each.dimension === dimension)!.list;

describe('a draft of rules over logged requests', () => {
  it('is for who may read the log of the site', async () => {
    const call = {
      params: { id: site.id },
      body: { section: 'matcher_rule', value: { rules: [] }, ...stretch },
    };
    expect(await world.anonymous.call('replaySiteSection', call as never)).toMatchObject({ status: 401 });
    expect(await other.api.call('replaySiteSection', call as never)).toMatchObject({ status: 404 });
    const level = { body: { ...call.body, level: 'global' } };
    expect(await world.anonymous.call('replayLevelSection', level as never)).toMatchObject({ status: 401 });
    expect(await customer.api.send('POST', '/prod-api/site_level/rule_replay', level.body)).toMatchObject({
      status: 404,
    });
  });

  it('says what it would do, where, and what is different from today', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      ...times(30, () => ({ request_uri: '/admin/login?x=1', remote_addr: '198.51.100.7' })),
      ...times(10, () => ({ request_uri: '/shop', remote_addr: '203.0.113.9' })),
      ...times(5, () => ({ request_uri: '/blog', status: 404, remote_addr: '192.0.2.4' })),
    ]);
    const read = await customer.api.get('getMatcherRule', { params: { id: own.id } });
    await customer.api.get('updateMatcherRule', {
      params: { id: own.id },
      body: {
        version: read.version,
        value: { rules: [rule('block', [leaf('path', 'equals', ['/blog'])])] } as never,
      },
    });
    const answer = await replay(own.id, {
      rules: [
        rule('block', [leaf('path', 'starts_with', ['/admin'])]),
        rule('tag', [leaf('path', 'equals', ['/shop'])], { mode: 'observe', tag: { name: 'a' } }),
      ],
    });
    expect(answer).toMatchObject({ total: 45, read: 45, stopped: 30, newly: 30, freed: 5 });
    expect(drafts(answer)).toEqual({ block: 30, observe: 10, pass: 5 });
    expect(answer.changes).toContainEqual({ from: 'block', to: 'pass', requests: 5 });
    expect(answer.rules).toContainEqual({ rule: 'matcher_rule 1', outcome: 'block', requests: 30 });
    expect(listOf(answer, 'path')[0]).toEqual({
      value: '/admin/login',
      name: '',
      stopped: 30,
      newly: 30,
      freed: 0,
    });
    expect(listOf(answer, 'client')[0]!.value).toBe(String(customer.id));
    expect(answer.samples.filter(({ to }) => to === 'block')).toHaveLength(5);
    expect(answer.series.reduce((sum, { requests }) => sum + requests, 0)).toBe(45);
    // All that this visitor asked for was answered, so a rule that stops them asks twice.
    expect(answer.good).toMatchObject({ clean_visitors: 1, clean_requests: 30 });
  });

  it('does not guess what no line holds', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      ...times(4, () => ({ request_uri: '/a' })),
      ...times(6, () => ({ request_uri: '/b' })),
    ]);
    const both = [leaf('path', 'equals', ['/a']), leaf('header', 'contains', ['x'], 'x-a')];
    const answer = await replay(own.id, { rules: [rule('block', both)] });
    // Of the other path it is known that not both suit.
    expect(drafts(answer)).toEqual({ unknown: 4, pass: 6 });
    expect(answer.unknown).toEqual([{ part: 'header.x-a', requests: 4 }]);
    const negated = await replay(own.id, {
      rules: [rule('block', [{ ...leaf('cookie', 'contains', ['x'], 'a'), negated: true }])],
    });
    expect(drafts(negated)).toEqual({ unknown: 10 });
    // Whatever the header said, the next rule blocks too.
    const next = rule('block', [leaf('path', 'equals', ['/a'])]);
    expect(drafts(await replay(own.id, { rules: [rule('block', both), next] }))).toEqual({
      block: 4,
      pass: 6,
    });
  });

  it('knows answers by their status, but for those of requests that were refused', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      ...times(4, () => ({ status: 500 })),
      ...times(6, () => ({ status: 200 })),
      ...times(2, () => ({ status: 403, decision: 'matcher_rule 1', waf: 'matcher_rule 1=block' })),
    ]);
    const answer = await replay(own.id, {
      rules: [rule('block', [leaf('response_status', 'at_least', ['500'])])],
    });
    expect(drafts(answer)).toEqual({ block: 4, pass: 6, unknown: 2 });
    expect(answer.unknown).toEqual([{ part: 'response_status', requests: 2 }]);
  });

  it('counts limits anew, in the order of time', async () => {
    const own = await makeSite(customer.api);
    const start = from + 60_000;
    await store(own.id, [
      // Ten a second against one in ten seconds and four more at once.
      ...times(20, (index) => ({
        time: new Date(start + index * 100).toISOString(),
        request_time: 0,
        remote_addr: '198.51.100.1',
      })),
      ...times(3, (index) => ({
        time: new Date(start + index * 20_000).toISOString(),
        request_time: 0,
        remote_addr: '198.51.100.2',
      })),
    ]);
    const limit = { requests: 6, period_seconds: 60, burst: 4, key: 'address' };
    const answer = await replay(own.id, { rules: [{ action: 'limit', limit }] });
    expect(drafts(answer)).toEqual({ limit: 15, pass: 8 });
    expect(listOf(answer, 'address')).toMatchObject([{ value: '198.51.100.1', newly: 15 }]);
    const observed = await replay(own.id, { rules: [{ action: 'limit', limit, mode: 'observe' }] });
    expect(drafts(observed)).toEqual({ observe: 15, pass: 8 });
    const all = await replay(own.id, { rules: [{ action: 'limit', limit: { ...limit, key: 'all' } }] });
    expect(drafts(all).limit).toBeGreaterThan(15);
  });

  it('asks what comes before, and knows whom a rule of access lets in', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      ...times(2, () => ({ remote_addr: '192.0.2.1' })),
      ...times(3, () => ({ remote_addr: '192.0.2.2' })),
      ...times(4, () => ({ remote_addr: '192.0.2.3' })),
      { decision: 'ban 3', status: 403 },
      { request_uri: '/.well-known/acme-challenge/token' },
    ]);
    const { version, value } = await customer.api.get('getAccessControl', { query: { site_id: own.id } });
    const rules = [
      { action: 'deny', addresses: ['192.0.2.1'] },
      { action: 'allow', addresses: ['192.0.2.2'] },
    ];
    await customer.api.get('updateAccessControl', {
      query: { site_id: own.id },
      body: { version, value: { ...value, rules } as never },
    });
    const answer = await replay(own.id, { rules: [{ action: 'block' }] });
    expect(drafts(answer)).toEqual({ other: 3, block: 7, pass: 1 });
    expect(answer.good.allowed).toBe(3);
    const draft = { ...value, rules: [rules[1]], otherwise: 'deny' };
    const access = await replay(own.id, draft, 'access_control');
    expect(drafts(access)).toEqual({ allow: 3, block: 6, other: 1, pass: 1 });
    expect(access).toMatchObject({ newly: 4, freed: 0 });
  });

  it('runs the other sections of protection', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      { request_uri: `/?q=1%27%20union%20select%20password%20from%20users--` },
      { request_uri: '/', waf: 'used_system_rule sql=observe' },
      ...times(3, () => ({ request_uri: '/', referer: 'https://evil.example/' })),
      { request_uri: '/', referer: '' },
    ]);
    const get = async (name: 'getUsedSystemRule' | 'getBrowserVerifyRule') =>
      (await customer.api.get(name, { params: { id: own.id } })).value;
    const system = await replay(
      own.id,
      { ...(await get('getUsedSystemRule')), mode: 'strict' },
      'used_system_rule',
    );
    expect(drafts(system)).toEqual({ block: 1, unknown: 1, pass: 4 });
    const verify = { ...(await get('getBrowserVerifyRule')), enabled: true, exempt_robots: false };
    expect(drafts(await replay(own.id, verify, 'browser_verify_rule'))).toEqual({ challenge: 6 });
    const { value } = await customer.api.get('getBlockReferer', { query: { site_id: own.id } });
    const referer = { ...value, enabled: true, allow_empty: true };
    expect(drafts(await replay(own.id, referer, 'block_referer'))).toEqual({ block: 3, pass: 3 });
  });

  it('says that a bot cannot be told where DNS does not answer', async () => {
    const own = await makeSite(customer.api);
    await store(own.id, [
      { user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)', remote_addr: '' },
      { user_agent: 'curl/8' },
    ]);
    const answer = await replay(own.id, {
      rules: [rule('block', [leaf('verified_robot', 'exists', [])])],
    });
    expect(drafts(answer)).toEqual({ unknown: 1, pass: 1 });
    expect(answer.unknown).toEqual([{ part: 'verified_robot', requests: 1 }]);
  });

  it('refuses a draft as a save does, and lists of somebody else', async () => {
    const refused = (value: object, more: object = {}) =>
      customer.api.call('replaySiteSection', {
        params: { id: site.id },
        body: { section: 'matcher_rule', value: value as never, ...stretch, ...more },
      });
    expect(await refused({ rules: [{ action: 'redirect' }] })).toMatchObject({
      status: 400,
      errors: [{ path: 'value.rules.0.redirect.url' }],
    });
    const list = await other.api
      .get('createAddressList', {
        body: { name: 'theirs', content: '192.0.2.0/24' } as never,
      })
      .catch(() => undefined);
    const named = (list as { id: number } | undefined)?.id ?? 999_999;
    expect(
      await refused({ rules: [rule('block', [leaf('address_list', 'in', [String(named)])])] }),
    ).toMatchObject({
      status: 400,
    });
    expect(
      await refused({ rules: [] }, { start_time: stretch.end_time, end_time: stretch.start_time }),
    ).toMatchObject({
      status: 400,
    });
    expect(
      await refused({ rules: [] }, { start_time: new Date(from - 40 * 86_400_000).toISOString() }),
    ).toMatchObject({ status: 400 });
  });

  it('runs what all sites of a level would have', async () => {
    const [mine, theirs] = [await makeSite(customer.api), await makeSite(other.api)];
    await store(
      mine.id,
      times(3, () => ({ request_uri: '/level' })),
    );
    await store(
      theirs.id,
      times(4, () => ({ request_uri: '/level', client_id: other.id })),
    );
    const ask = (level: object) =>
      world.admin.get('replayLevelSection', {
        body: {
          ...level,
          section: 'matcher_rule',
          value: { rules: [rule('block', [leaf('path', 'equals', ['/level'])])] },
          ...stretch,
        } as never,
      });
    const global = await ask({ level: 'global' });
    expect(global.newly).toBe(7);
    expect(listOf(global, 'site').filter(({ newly }) => newly > 0)).toMatchObject([
      { value: String(theirs.id), name: theirs.domain, newly: 4 },
      { value: String(mine.id), newly: 3 },
    ]);
    expect(drafts(await ask({ level: 'client', target_id: other.id }))).toEqual({ block: 4 });
  });
});
