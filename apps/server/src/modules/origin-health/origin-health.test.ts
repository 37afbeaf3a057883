import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import type { HealthReport, OriginReport } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, node, originHealth, originHealthEvent } from '../../db/schema.ts';
import { readLocalNode } from '../../seed.ts';
import { pruneOriginHealth } from './origin-health.service.ts';

let world: World;
let one: Customer;
let other: Customer;
let local: ControlPlane;
let localId: number;
const ending = new AbortController();

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  const { services } = world.server;
  local = new ControlPlane(
    { ...(await readLocalNode(services.database, services.secrets))!, url: world.userUrl },
    ending.signal,
  );
  const [row] = await services.db.select({ id: node.id }).from(node);
  localId = row!.id;
  await services.db.update(node).set({ statusTime: new Date(), state: null });
});
afterAll(async () => {
  ending.abort();
  await world.close();
});

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const address = { address: 'origin.example.com', ip: '192.0.2.1', port: 80 };
const refused = { code: 'refused', detail: 'ECONNREFUSED' } as const;

const up = (siteId: number, more: Partial<OriginReport> = {}): OriginReport => ({
  site_id: siteId,
  ...address,
  state: 'up',
  since: at(0),
  checked_at: at(60),
  latency_ms: 12,
  ...more,
});
const report = (more: Partial<HealthReport>) =>
  local.reportHealth({ reset: false, origins: [], events: [], gone: [], ...more });
const stateOf = (id: number, query = {}) => world.admin.get('listOriginHealth', { params: { id }, query });
const historyOf = (id: number, query = {}) =>
  world.admin.get('listOriginHealthEvents', { params: { id }, query });
/** A report whose answer was lost on the way comes again. */
const sayTwice = async (more: Partial<HealthReport>) => {
  await report(more);
  await report(more);
};

describe('what a node says of origins', () => {
  it('is shown as it is now, worst first, and as history with times and reasons', async () => {
    const site = await makeSite(one.api);
    await report({ origins: [up(site.id), up(site.id, { ip: '192.0.2.2' })] });
    const down = { site_id: site.id, ...address, ip: '192.0.2.2', state: 'down', error: refused } as const;
    await sayTwice({
      origins: [up(site.id, { ...down, since: at(90), checked_at: at(100) })],
      events: [{ ...down, at: at(90) }],
    });
    const now = await stateOf(site.id);
    expect(now).toMatchObject({ total: 2, nodes_total: 1, nodes_reporting: 1 });
    expect(now.list.map(({ ip, state, since, error }) => [ip, state, since, error?.code])).toEqual([
      ['192.0.2.2', 'down', at(90), 'refused'],
      ['192.0.2.1', 'up', at(0), undefined],
    ]);
    const back = { site_id: site.id, ...address, ip: '192.0.2.2', state: 'up', at: at(130) } as const;
    await report({ origins: [up(site.id, { ip: '192.0.2.2', since: at(130) })], events: [back] });
    const { list, total } = await historyOf(site.id);
    expect([total, list.map(({ state, at: time, error }) => [state, time, error])]).toEqual([
      2,
      [
        ['up', at(130), null],
        ['down', at(90), refused],
      ],
    ]);
    expect((await stateOf(site.id, { state: 'down' })).list).toEqual([]);
    expect((await historyOf(site.id, { state: 'down', node_id: localId })).total).toBe(1);
    expect((await historyOf(site.id, { node_id: localId + 1 })).total).toBe(0);
  });

  it('counts for sites that the node serves, and no others', async () => {
    const site = await makeSite(one.api);
    const elsewhere = await makeSite(one.api);
    const group = await world.admin.get('createLineGroup', { body: { name: unique('elsewhere') } });
    await world.server.services.db
      .update(edgeDocument)
      .set({ lineGroupId: group.id })
      .where(eq(edgeDocument.key, String(elsewhere.id)));
    const event = { site_id: elsewhere.id, ...address, state: 'down', at: at(1) } as const;
    await report({
      origins: [up(elsewhere.id), up(site.id), up(2_000_000_000)],
      events: [event],
      gone: [{ site_id: 2_000_000_000, ...address }],
    });
    expect((await stateOf(site.id)).total).toBe(1);
    expect((await stateOf(elsewhere.id)).total).toBe(0);
    expect((await historyOf(elsewhere.id)).total).toBe(0);
  });

  it('goes when the node no longer checks the origin, and when its agent starts anew', async () => {
    const site = await makeSite(one.api);
    await report({ origins: [up(site.id), up(site.id, { ip: '192.0.2.2' }), up(site.id, { port: 81 })] });
    await report({ gone: [{ site_id: site.id, ...address }] });
    expect((await stateOf(site.id)).list.map(({ ip, port }) => `${ip}:${port}`).sort()).toEqual([
      '192.0.2.1:81',
      '192.0.2.2:80',
    ]);
    await report({ reset: true });
    expect(await stateOf(site.id)).toMatchObject({ total: 0, nodes_total: 1, nodes_reporting: 0 });
  });

  it('ends an outage in the history that was over before a new agent looked', async () => {
    const site = await makeSite(one.api);
    await report({
      origins: [up(site.id, { state: 'down', since: at(10) })],
      events: [{ site_id: site.id, ...address, state: 'down', at: at(10), error: refused }],
    });
    await sayTwice({ reset: true, origins: [up(site.id, { since: at(500) })] });
    expect((await historyOf(site.id)).list.map(({ state, at: time }) => [state, time])).toEqual([
      ['up', at(500)],
      ['down', at(10)],
    ]);
  });

  it('is marked as old when the node has fallen silent, or said nothing more of it', async () => {
    const { db } = world.server.services;
    const site = await makeSite(one.api);
    await report({ origins: [up(site.id)] });
    expect((await stateOf(site.id)).list[0]!.stale).toBe(false);
    await db.update(originHealth).set({ reportedAt: sql`now() - interval '6 minutes'` });
    expect((await stateOf(site.id)).list[0]!.stale).toBe(true);
    await report({ origins: [up(site.id)] });
    await db.update(node).set({ statusTime: sql`now() - interval '1 hour'` });
    const silent = await stateOf(site.id);
    await db.update(node).set({ statusTime: sql`now()` });
    expect(silent).toMatchObject({ nodes_total: 1, nodes_reporting: 0, list: [{ stale: true }] });
  });

  it('must be well formed', async () => {
    const site = await makeSite(one.api);
    const wrong = { origins: [up(site.id, { state: 'unknown' as never })] };
    await expect(report(wrong)).rejects.toThrow(/400.*origins\.0\.state/s);
    const many = Array.from({ length: 501 }, () => up(site.id));
    await expect(report({ origins: many })).rejects.toThrow(/400/);
  });

  it('goes with its site', async () => {
    const site = await makeSite(one.api);
    const event = { site_id: site.id, ...address, state: 'down', at: at(1) } as const;
    await report({ origins: [up(site.id)], events: [event] });
    await world.admin.get('removeSite', { params: { id: site.id } });
    const { db } = world.server.services;
    expect(await db.$count(originHealth, eq(originHealth.siteId, site.id))).toBe(0);
    expect(await db.$count(originHealthEvent, eq(originHealthEvent.siteId, site.id))).toBe(0);
  });
});

describe('who may see it', () => {
  it('is its own customer and administrators; for others it is not there', async () => {
    const site = await makeSite(one.api);
    await report({ origins: [up(site.id)] });
    const params = { params: { id: site.id }, query: {} };
    expect((await one.api.get('listOriginHealth', params)).total).toBe(1);
    for (const name of ['listOriginHealth', 'listOriginHealthEvents'] as const) {
      expect(await other.api.call(name, params)).toMatchObject({ status: 404 });
      expect(await world.anonymousUser.call(name, params)).toMatchObject({ status: 401 });
      expect(await world.anonymous.call(name, params)).toMatchObject({ status: 401 });
    }
  });

  it('and nobody but a node may say it', async () => {
    const body = { reset: true, origins: [], events: [], gone: [] };
    for (const api of [world.anonymousUser, one.api])
      expect(await api.send('POST', '/node-api/health', body)).toMatchObject({ status: 401, code: 40_100 });
  });
});

describe('the history', () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();

  it('is kept as long as the access log', async () => {
    const site = await makeSite(one.api);
    const event = { site_id: site.id, ...address, state: 'down' } as const;
    await report({
      events: [
        { ...event, at: days(31) },
        { ...event, at: days(29) },
      ],
    });
    await pruneOriginHealth(world.server.services.db);
    expect((await historyOf(site.id)).list.map((row) => row.at)).toEqual([
      expect.stringMatching(days(29).slice(0, 16)),
    ]);
  });

  it('of one site does not grow without end', async () => {
    const { db } = world.server.services;
    const site = await makeSite(one.api);
    await db.execute(
      sql`INSERT INTO origin_health_event (site_id, node_id, address, ip, port, state, at)
          SELECT ${site.id}, ${localId}, 'a', '192.0.2.1', 80, 'down', now() - make_interval(secs => n)
          FROM generate_series(1, 10010) n`,
    );
    await pruneOriginHealth(db);
    expect((await historyOf(site.id)).total).toBe(10_000);
    const newest = (await historyOf(site.id)).list[0]!.at;
    expect(Date.now() - Date.parse(newest)).toBeLessThan(600_000);
  });

  it('forgets states that no node has said for a day', async () => {
    const { db } = world.server.services;
    const site = await makeSite(one.api);
    await report({ origins: [up(site.id), up(site.id, { port: 81 })] });
    await db
      .update(originHealth)
      .set({ reportedAt: sql`now() - interval '25 hours'` })
      .where(eq(originHealth.port, 81));
    await pruneOriginHealth(db);
    expect((await stateOf(site.id)).list.map(({ port }) => port)).toEqual([80]);
  });
});

describe('the section', () => {
  const section = (siteId: number) => one.api.get('getBackendHealthCheck', { query: { site_id: siteId } });
  const save = async (siteId: number, change: object) => {
    const { version, value } = await section(siteId);
    return one.api.send('PUT', `/prod-api/site_config/backend_health_check?site_id=${siteId}`, {
      version,
      value: { ...value, ...change },
    });
  };
  const documentOf = async (siteId: number) => {
    const { db } = world.server.services;
    const [row] = await db
      .select({ body: edgeDocument.body })
      .from(edgeDocument)
      .where(eq(edgeDocument.key, String(siteId)));
    return JSON.parse(row!.body) as Record<string, unknown>;
  };

  it('is off by default, and travels to nodes only while it is on', async () => {
    const site = await makeSite(one.api);
    expect((await section(site.id)).value).toMatchObject({
      enabled: false,
      protocol: 'origin',
      expected_codes: ['200-399'],
      interval_seconds: 10,
    });
    expect(await documentOf(site.id)).not.toHaveProperty('backend_health_check');
    expect(await save(site.id, { enabled: true, path: '/health' })).toMatchObject({ status: 200 });
    expect(await documentOf(site.id)).toMatchObject({
      backend_health_check: { enabled: true, path: '/health', rise: 2, fall: 3 },
    });
    expect(await save(site.id, { enabled: false })).toMatchObject({ status: 200 });
    expect(await documentOf(site.id)).not.toHaveProperty('backend_health_check');
  });

  it.each([
    ['a path without its slash', { path: 'health' }, 'path'],
    ['a path with a line break', { path: '/a\r\nX: y' }, 'path'],
    ['a path with a space', { path: '/a b' }, 'path'],
    ['a reversed range', { expected_codes: ['399-200'] }, 'expected_codes.0'],
    ['no code at all', { expected_codes: [] }, 'expected_codes'],
    ['what is no code', { expected_codes: ['200', '1000'] }, 'expected_codes.1'],
    ['a timeout over the interval', { interval_seconds: 5, timeout_seconds: 6 }, 'timeout_seconds'],
    ['a body of HEAD', { method: 'HEAD', body_contains: 'ok' }, 'body_contains'],
    ['a user agent with a line break', { user_agent: 'a\r\nX: y' }, 'user_agent'],
    ['a host with a slash', { host: 'a/b' }, 'host'],
    ['port 0', { port: 0 }, 'port'],
    ['an interval of one second', { interval_seconds: 1, timeout_seconds: 1 }, 'interval_seconds'],
    ['rise 0', { rise: 0 }, 'rise'],
  ])('refuses %s', async (_, change, path) => {
    const site = await makeSite(one.api);
    expect(await save(site.id, change)).toMatchObject({ status: 400, errors: [{ path: `value.${path}` }] });
  });

  it('is not there for another customer', async () => {
    const site = await makeSite(one.api);
    const query = { site_id: site.id };
    const { version, value } = await section(site.id);
    expect(await other.api.call('getBackendHealthCheck', { query })).toMatchObject({ status: 404 });
    expect(
      await other.api.call('updateBackendHealthCheck', { query, body: { version, value } }),
    ).toMatchObject({ status: 404 });
    expect(await world.anonymousUser.call('getBackendHealthCheck', { query })).toMatchObject({ status: 401 });
  });
});
