import {
  makeAdministrator,
  makeCustomer,
  makeNode,
  makeNodeState,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, node, operation, order } from '../../db/schema.ts';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let one: Customer;
let other: Customer;
const dayMs = 24 * 3_600_000;
const minutesAgo = (minutes: number, days = 0) => new Date(Date.now() - days * dayMs - minutes * 60_000);
const db = () => world.server.services.db;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  const site = await makeSite(one.api);
  const foreign = await makeSite(other.api);
  const linesOf = (client_id: number, site_id: number, time: Date, count: number) =>
    Array.from({ length: count }, () =>
      makeLine({ time: time.toISOString(), client_id, site_id, bytes_sent: 6000 }),
    );
  const lines = [
    ...linesOf(one.id, site.id, minutesAgo(30), 5),
    ...linesOf(other.id, foreign.id, minutesAgo(30), 7),
    ...linesOf(one.id, site.id, minutesAgo(30, 7), 2),
    // Before both hours.
    ...linesOf(one.id, site.id, minutesAgo(90), 50),
  ];
  const { id } = await makeNode(world, { ip: '192.0.2.77' });
  await world.server.services.logStore.ingest({ nodeId: id, file: 'a', offset: 0, lines: toBytes(lines) });
});
afterAll(() => world.close());

describe('the figures of home', () => {
  it('are those of the last hour beside the same hour a week before', async () => {
    const all = await world.admin.get('getDashboardStatistics', {});
    expect([all.summary.requests, all.before?.requests]).toEqual([12, 2]);
    expect(Date.parse(all.end_time) - Date.parse(all.start_time)).toBe(3_600_000);
    const own = await one.api.get('getDashboardStatistics', {});
    expect([own.summary.requests, own.before?.requests]).toEqual([5, 2]);
    const theirs = await other.api.get('getDashboardStatistics', {});
    expect([theirs.summary.requests, theirs.before?.requests]).toEqual([7, 0]);
  });

  it('go by the minute as series, of visitors, origins and a week before', async () => {
    const bits = (points: { value: number | null }[] | null) =>
      points?.reduce((sum, { value }) => sum + (value ?? 0) * 60, 0);
    const all = await world.admin.get('getDashboardTrends', {});
    expect([all.interval, all.visitors.length]).toEqual([60, expect.toBeOneOf([60, 61])]);
    expect(bits(all.visitors)).toBeCloseTo(12 * 6000 * 8);
    expect(bits(all.before)).toBeCloseTo(2 * 6000 * 8);
    expect(bits((await other.api.get('getDashboardTrends', {})).visitors)).toBeCloseTo(7 * 6000 * 8);
  });

  it('have nothing to compare with where figures are not kept for a week', async () => {
    const { version, value } = await world.admin.get('getLogPolicy', {});
    const short = { record_days: 1, rollup_days: 6 };
    await world.admin.get('updateLogPolicy', { body: { version, value: short } });
    expect(await world.admin.get('getDashboardStatistics', {})).toMatchObject({ before: null });
    expect(await world.admin.get('getDashboardTrends', {})).toMatchObject({ before: null });
    await world.admin.get('updateLogPolicy', { body: { version: version + 1, value } });
  });

  it.each(['getDashboardStatistics', 'getDashboardTrends'] as const)(
    '%s is for those who may',
    async (name) => {
      const { api } = await makeAdministrator(world, ['site.read']);
      expect(await world.anonymous.call(name, {})).toMatchObject({ status: 401 });
      expect(await api.call(name, {})).toMatchObject({ status: 403 });
    },
  );
});

describe('the state of home', () => {
  const state = async () => world.admin.get('getDashboardState', {});

  it('counts every node, beyond the first two hundred, and lists those in trouble first', async () => {
    const { nodes: before } = await state();
    const { list } = await world.admin.get('listAreas', { query: {} });
    const areaId = list[0]!.id;
    const healthy = { state: makeNodeState({ nginx_running: true }), statusTime: new Date() };
    await db()
      .insert(node)
      .values(
        Array.from({ length: 210 }, (_, n) => ({
          name: `a${n}-${unique('node')}`,
          areaId,
          appId: unique(`${n}`).padEnd(16, 'x').slice(-16),
          appSecret: world.server.services.secrets.encrypt('x'),
          ...healthy,
        })),
      );
    const silent = await makeNode(world, { ip: '192.0.2.90', name: unique('zz') });
    await db()
      .update(node)
      .set({ ...healthy, statusTime: minutesAgo(5) })
      .where(eq(node.id, silent.id));
    const stopped = await makeNode(world, { ip: '192.0.2.91', name: unique('zzz') });
    const withoutNginx = { ...healthy, state: makeNodeState({ nginx_running: false }) };
    await db().update(node).set(withoutNginx).where(eq(node.id, stopped.id));
    const { nodes } = await state();
    expect(nodes).toMatchObject({
      total: before!.total + 212,
      normal: before!.normal + 210,
      abnormal: before!.abnormal + 2,
      unseen: before!.unseen,
    });
    expect(nodes!.list).toHaveLength(6);
    expect(nodes!.list.slice(0, 2).map(({ id, status }) => [id, status])).toEqual([
      [silent.id, 'abnormal'],
      [stopped.id, 'abnormal'],
    ]);
    await db().update(node).set({ enabled: false }).where(eq(node.id, silent.id));
    expect((await state()).nodes).toMatchObject({ total: nodes!.total, abnormal: nodes!.abnormal - 1 });
  });

  it('tells of certificates and orders that end, of customers their own', async () => {
    const ending = async (clientId: number, days: number) => {
      const [row] = await db()
        .insert(certificate)
        .values({
          clientId,
          name: unique('certificate'),
          domains: ['example.com'],
          issuer: 'a test',
          fingerprint: unique('print'),
          notBefore: new Date(),
          notAfter: new Date(Date.now() + days * dayMs),
          certificate: '',
          privateKey: world.server.services.secrets.encrypt('a key'),
        })
        .returning({ id: certificate.id });
      return row!.id;
    };
    const [soon, over] = [await ending(one.id, 13), await ending(one.id, -1)];
    await ending(one.id, 90);
    const foreign = await ending(other.id, 1);
    const own = (await one.api.get('getDashboardState', {})).certificates!;
    expect([own.total, own.ending, own.expired]).toEqual([3, 1, 1]);
    expect(own.list.map(({ id }) => id)).toEqual([over, soon]);
    const all = (await state()).certificates!;
    expect([all.total, all.ending, all.list.map(({ id }) => id)]).toEqual([4, 2, [over, foreign, soon]]);

    expect((await one.api.get('getDashboardState', {})).orders).toMatchObject({
      active: 1,
      ending: 0,
      list: [],
    });
    const endAt = new Date(Date.now() + 3 * dayMs);
    await db().update(order).set({ endAt }).where(eq(order.id, one.orderId));
    const ended = { active: 1, ending: 1, list: [{ id: one.orderId }] };
    expect((await one.api.get('getDashboardState', {})).orders).toMatchObject(ended);
    expect((await other.api.get('getDashboardState', {})).orders).toMatchObject({ ending: 0, list: [] });
    expect((await state()).orders).toMatchObject({ ending: 1 });
  });

  it('tells of tasks that wait and those that failed', async () => {
    const { tasks: before } = await state();
    const failed = {
      kind: 'site_update',
      title: 'x',
      subjectKind: 'site',
      state: 'failed',
      createdBy: '',
    } as const;
    const [row] = await db()
      .insert(operation)
      .values([failed, { ...failed, state: 'running' }])
      .returning();
    const { tasks } = await state();
    expect(tasks).toMatchObject({ failed: before!.failed + 1, open: before!.open + 1 });
    expect(tasks!.latest_failed[0]).toMatchObject({ id: row!.id });
  });

  it('is told in parts, each to whoever may read it', async () => {
    expect(await world.anonymous.call('getDashboardState', {})).toMatchObject({ status: 401 });
    const { api } = await makeAdministrator(world, ['order.read']);
    const parts = await api.get('getDashboardState', {});
    expect(parts).toMatchObject({ sites: null, nodes: null, certificates: null, tasks: null });
    expect(parts.orders?.active).toBeGreaterThan(0);
    const theirs = await other.api.get('getDashboardState', {});
    expect([theirs.nodes, theirs.tasks]).toEqual([null, null]);
    expect(theirs.sites).toMatchObject({ total: 1, latest: [{ client_id: other.id }] });
  });
});
