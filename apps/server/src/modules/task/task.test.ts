import { errors } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operation, operationItem } from '../../db/schema.ts';
import { acknowledge } from '../../delivery/acknowledge.ts';
import { createOperation } from '../../jobs/operation.store.ts';

let world: World;
let reader: ApiClient;
let nodeId: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  ({ api: reader } = await makeAdministrator(world, ['task.read']));
  nodeId = (await world.admin.get('listNodes', { query: {} })).list[0]!.id;
});
afterAll(() => world.close());

const db = () => world.server.services.db;
const taskOf = async (siteId: number) =>
  (await world.admin.get('listTasks', { query: { object_id: siteId, type: 'site_create' } })).list[0]!;
const partsOf = async (taskId: number) =>
  (await world.admin.get('listSubTasks', { query: { task_id: taskId } })).list;
/** What the local node says of a site's document. */
async function say(siteId: number, status: 'applied' | 'refused') {
  const { rows } = await db().execute(
    sql`SELECT max(revision)::int AS revision FROM edge_document WHERE kind = 'site' AND key = ${String(siteId)}`,
  );
  const revision = Number(rows[0]!['revision']);
  const error = status === 'refused' ? { error: 'nginx does not take it' } : {};
  await db().transaction((tx) =>
    acknowledge(tx, nodeId, [{ kind: 'site', key: String(siteId), revision, status, ...error }]),
  );
  return revision;
}
const batchOf = async (api: ApiClient) =>
  (await api.get('createSiteBatch', { body: { lines: [`${unique('www')}.example.com|192.0.2.1`] } })).id;
const over = (id: number) =>
  waitFor(`task ${id}`, async () => {
    const task = await world.admin.get('getTask', { params: { id } });
    return task.finished_at !== null && task;
  });

describe('a delivery', () => {
  it('that a node refused is sent to it once more, and ends with its answer', async () => {
    const site = await makeSite(world.admin);
    const first = await say(site.id, 'refused');
    const { id } = await taskOf(site.id);
    expect(await over(id)).toMatchObject({ status: 'failed', total: 1, failed: 1 });
    expect(await partsOf(id)).toMatchObject([
      { status: 'failed', error: 'nginx does not take it', node_id: nodeId, revision: first, next_at: null },
    ]);
    expect(await world.admin.get('retryTask', { params: { id } })).toEqual({ parts: 1 });
    expect(await partsOf(id)).toMatchObject([{ status: 'pending', error: null, revision: first + 2 }]);
    expect(await taskOf(site.id)).toMatchObject({ status: 'pending', finished_at: null });
    await say(site.id, 'applied');
    expect(await over(id)).toMatchObject({ status: 'done', done: 1, failed: 0 });
    expect(await world.admin.get('retryTask', { params: { id } })).toEqual({ parts: 0 });
  });

  it('is not awaited any more from a node that is to have nothing of it', async () => {
    const site = await makeSite(world.admin);
    await say(site.id, 'refused');
    const { id } = await taskOf(site.id);
    await db().execute(sql`DELETE FROM edge_document WHERE kind = 'site' AND key = ${String(site.id)}`);
    expect(await world.admin.get('retryTask', { params: { id } })).toEqual({ parts: 1 });
    expect(await partsOf(id)).toMatchObject([{ status: 'superseded' }]);
    expect(await over(id)).toMatchObject({ status: 'done' });
  });

  it('cannot be cancelled', async () => {
    const site = await makeSite(world.admin);
    const { id } = await taskOf(site.id);
    expect(await world.admin.call('cancelTask', { params: { id } })).toMatchObject({
      status: 409,
      code: 40930,
    });
    expect(await taskOf(site.id)).toMatchObject({ status: 'pending', cancelling: false });
  });
});

it('what a worker did is listed like all else, with its parts', async () => {
  const id = await batchOf(world.admin);
  const task = await over(id);
  expect(task).toMatchObject({ type: 'site_batch', status: 'done', total: 1, done: 1, created_by: 'admin' });
  const [part] = await partsOf(id);
  expect(part).toMatchObject({ status: 'done', kind: 'site', node_id: null, revision: null, attempt: 1 });
  expect(part!.title).toMatch(/^www-.*\|192\.0\.2\.1$/);
  const taken = await makeSite(world.admin);
  const bad = await world.admin.get('createSiteBatch', { body: { lines: [`${taken.domain}|192.0.2.1`] } });
  expect(await over(bad.id)).toMatchObject({ status: 'failed' });
  expect((await partsOf(bad.id))[0]!.error).toBe('domains.0: Another site already uses this domain');
  const { list } = await world.admin.get('listSiteBatches', { query: {} });
  expect(list.map((batch) => batch.id)).toContain(id);
});

it('a batch that is cancelled does no more lines, which are done when it is tried again', async () => {
  const customer = await makeCustomer(world);
  const word = unique('stop');
  const lines = Array.from({ length: 200 }, (_, n) => `www${n}.${word}.example.com|192.0.2.1`);
  const { id } = await customer.api.get('createSiteBatch', { body: { lines } });
  const params = { id };
  await waitFor('a line', async () => (await customer.api.get('getSiteBatch', { params })).done > 0);
  const stranger = await makeCustomer(world);
  expect((await stranger.api.call('cancelSiteBatch', { params })).status).toBe(404);
  await customer.api.get('cancelSiteBatch', { params });
  await over(id);
  const batch = await customer.api.get('getSiteBatch', { params });
  expect(batch.status).toBe('cancelled');
  expect(batch.cancelled).toBeGreaterThan(0);
  expect(batch.done + batch.cancelled).toBe(200);
  const { total } = await customer.api.get('listSites', { query: { domain_name: word } });
  expect(total).toBe(batch.done);
  const cancelled = await customer.api.get('listSiteBatchLines', { params, query: { status: 'cancelled' } });
  expect(cancelled.total).toBe(batch.cancelled);
  expect(await customer.api.get('retrySiteBatch', { params })).toEqual({ lines: batch.cancelled });
  expect(await customer.api.get('cancelSiteBatch', { params })).toMatchObject({ id });
  await over(id);
}, 60_000);

it('counts tasks by status and type, and lists what is under way', async () => {
  const site = await makeSite(world.admin);
  const waiting = await taskOf(site.id);
  const stats = await reader.get('getTaskStats', {});
  const { actions } = await reader.get('getTaskActions', {});
  const { total } = await reader.get('listTasks', { query: {} });
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  expect(sum(Object.values(stats.statuses))).toBe(total);
  expect(sum(actions.map((action) => action.total))).toBe(total);
  const created = stats.types.find(({ type }) => type === 'site_create')!;
  expect(created.statuses.pending).toBeGreaterThan(0);
  const running = await reader.get('listRunningTasks', { query: { page_size: 200 } });
  expect(running.list.map(({ id }) => id)).toContain(waiting.id);
  expect(running.list.every(({ status }) => status === 'pending' || status === 'running')).toBe(true);
  expect(running.total).toBe(stats.statuses.pending + stats.statuses.running);
});

it('shows work by the clock', async () => {
  const { schedules } = await reader.get('getSchedules', {});
  expect(schedules.map(({ name }) => name)).toContain('log-retention');
  for (const { next_at, every_seconds } of schedules)
    expect(Date.parse(next_at) - Date.now()).toBeLessThanOrEqual(every_seconds * 1000 + 60_000);
});

it('deletes by day what is over, and nothing else', async () => {
  const make = async (days: number, state: 'done' | 'failed' | 'pending') => {
    const id = await createOperation(db(), {
      kind: 'site_sync',
      title: 'old',
      subjectKind: 'site',
      subjectId: 1,
      createdBy: 'test',
    });
    const finishedAt = state === 'pending' ? null : new Date(Date.now() - days * 86_400_000);
    await db().update(operation).set({ state, finishedAt }).where(eq(operation.id, id));
    await db().insert(operationItem).values({ operationId: id, nodeId, kind: 'site', key: '1', revision: 1 });
    return id;
  };
  const old: number[] = [];
  for (let n = 0; n < 45; n++) old.push(await make(10, n % 2 === 0 ? 'done' : 'failed'));
  const kept = [await make(10, 'pending'), await make(3, 'done')];
  const before = new Date(Date.now() - 5 * 86_400_000).toISOString();
  const { total } = await world.admin.get('listTasks', { query: { finished_before: before } });
  expect(total).toBe(45);
  for (const expected of [44, 46])
    expect(
      await world.admin.call('removeTasks', { query: { before, expected_total: expected } }),
    ).toMatchObject({
      status: 409,
      code: errors.selection_changed.code,
      errors: [{ path: 'expected_total', message: `${expected} when selected, 45 now` }],
    });
  expect(await world.admin.call('removeTasks', { query: { before } as never })).toMatchObject({
    status: 400,
    errors: [{ path: 'expected_total' }],
  });
  expect(await world.admin.get('listTasks', { query: { finished_before: before } })).toMatchObject({ total });
  const { id } = await world.admin.get('removeTasks', { query: { before, expected_total: total } });
  expect(await over(id)).toMatchObject({ type: 'task_removal', status: 'done' });
  const left = (await db().select({ id: operation.id }).from(operation)).map((row) => row.id);
  expect(left.filter((one) => old.includes(one))).toEqual([]);
  expect(left).toEqual(expect.arrayContaining(kept));
});

describe('who may', () => {
  it('read, and who may change', async () => {
    const id = await batchOf(world.admin);
    await over(id);
    const params = { id };
    const query = { before: new Date().toISOString(), expected_total: 0 };
    expect((await reader.call('retryTask', { params })).status).toBe(403);
    expect((await reader.call('cancelTask', { params })).status).toBe(403);
    expect((await reader.call('removeTasks', { query })).status).toBe(403);
    const { api: writer } = await makeAdministrator(world, ['task.read', 'task.write']);
    // Whoever does a batch again has to be one who could have started it.
    expect((await writer.call('retryTask', { params })).status).toBe(403);
    expect((await writer.call('cancelTask', { params })).status).toBe(403);
    expect((await writer.call('removeTasks', { query })).status).toBe(403);
    expect((await writer.call('retryTask', { params: { id: 2_000_000_000 } })).status).toBe(404);
    const site = await makeSite(world.admin);
    const { id: delivery } = await taskOf(site.id);
    expect((await writer.call('retryTask', { params: { id: delivery } })).status).toBe(200);
    const { api: none } = await makeAdministrator(world, ['site.read']);
    expect((await none.call('getTaskStats', {})).status).toBe(403);
    expect((await none.call('getSchedules', {})).status).toBe(403);
  });

  it('is no customer, and nobody without a session', async () => {
    const customer = await makeCustomer(world);
    const params = { id: 1 };
    const query = { before: new Date().toISOString(), expected_total: 0 };
    for (const [api, status] of [
      [customer.api, 404],
      [world.anonymous, 401],
    ] as const) {
      expect((await api.call('getTaskStats', {})).status).toBe(status);
      expect((await api.call('getTaskActions', {})).status).toBe(status);
      expect((await api.call('listRunningTasks', { query: {} })).status).toBe(status);
      expect((await api.call('getSchedules', {})).status).toBe(status);
      expect((await api.call('retryTask', { params })).status).toBe(status);
      expect((await api.call('cancelTask', { params })).status).toBe(status);
      expect((await api.call('removeTasks', { query })).status).toBe(status);
    }
    expect((await world.anonymous.call('cancelSiteBatch', { params })).status).toBe(401);
  });
});
