import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, operationItem, site } from '../../db/schema.ts';
import { startWorkerProcess, workThrough } from '../../jobs/test-work.ts';

let world: World;
let home: number;
let abroad: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  home = (await world.admin.get('listLineGroups', { query: { name: 'Default' } })).list[0]!.id;
  abroad = await newGroup();
});
afterAll(() => world.close());

const db = () => world.server.services.db;
const newGroup = async () =>
  (await world.admin.get('createLineGroup', { body: { name: unique('group') } })).id;
const move = (orderId: number, line_group_id: number) =>
  world.admin.get('changeOrderLineGroup', { params: { id: orderId }, body: { line_group_id } });
const work = (taskId: number | null, workers = 1) => workThrough(world.server.services, taskId!, workers);
const task = (id: number | null) => world.admin.get('getTask', { params: { id: id! } });
const order = (id: number) => world.admin.get('getOrder', { params: { id } });

async function customerWith(sites: number): Promise<{ customer: Customer; ids: number[] }> {
  const customer = await makeCustomer(world);
  const ids = [];
  for (let n = 0; n < sites; n++) ids.push((await makeSite(customer.api)).id);
  return { customer, ids };
}

/** Where each site is, by its row. Fails where its nodes are told otherwise: one place has it, and no other. */
async function places(ids: readonly number[]): Promise<number[]> {
  const rows = await db()
    .select()
    .from(site)
    .where(inArray(site.id, [...ids]))
    .orderBy(site.id);
  for (const { id, lineGroupId } of rows) {
    const live = and(
      eq(edgeDocument.key, String(id)),
      eq(edgeDocument.kind, 'site'),
      eq(edgeDocument.deleted, false),
    );
    const documents = await db().select({ at: edgeDocument.lineGroupId }).from(edgeDocument).where(live);
    expect(documents).toEqual([{ at: lineGroupId }]);
  }
  return rows.map(({ lineGroupId }) => lineGroupId);
}

describe('an order that moves', () => {
  it('takes new sites in the new line group at once, and brings the others after one by one', async () => {
    const { customer, ids } = await customerWith(3);
    const begun = await move(customer.orderId, abroad);
    expect(begun).toEqual({ task_id: expect.any(Number), sites: 3, unfiled_domains: [] });
    expect(await order(customer.orderId)).toMatchObject({
      line_group_id: abroad,
      site_count: 3,
      sites_elsewhere: 3,
    });
    const fresh = await makeSite(customer.api);
    expect(await places([...ids, fresh.id])).toEqual([home, home, home, abroad]);
    // A change in between reaches the nodes that serve the site.
    await world.admin.get('forceSiteSync', { params: { id: ids[0]! } });
    expect(await places([ids[0]!])).toEqual([home]);
    await work(begun.task_id);
    expect(await places(ids)).toEqual([abroad, abroad, abroad]);
    expect(await order(customer.orderId)).toMatchObject({ sites_elsewhere: 0 });
    expect(await task(begun.task_id)).toMatchObject({
      type: 'order_move',
      object_kind: 'order',
      object_id: customer.orderId,
      status: 'done',
      total: 3,
      done: 3,
    });
    const { list } = await world.admin.get('listTasks', { query: { type: 'site_move', object_id: ids[0]! } });
    expect(list).toHaveLength(1);
    const seen = await customer.api.get('getSite', { params: { id: ids[0]! } });
    expect(seen.line_group_id).toBe(abroad);
    const { list: events } = await world.admin.get('listActivity', {
      query: { subject_kind: 'site', subject_id: ids[0]! },
    });
    expect(events[0]).toMatchObject({ kind: 'line_group_changed', actor_name: 'admin' });
  });

  it('goes on where a worker was killed: each site is wholly here or wholly there', async () => {
    const { customer, ids } = await customerWith(6);
    const begun = await move(customer.orderId, abroad);
    const released = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = db().transaction(async (tx) => {
      await tx.select().from(site).where(eq(site.id, ids[3]!)).for('update');
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const child = startChild();
    await waitFor('three sites moved', async () => (await order(customer.orderId)).sites_elsewhere === 3, 60);
    await waitFor('the fourth is under way', async () => (await running(begun.task_id!)) === 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await places(ids)).toEqual([abroad, abroad, abroad, home, home, home]);
    released.resolve();
    await lock;
    await work(begun.task_id, 2);
    expect(await places(ids)).toEqual(ids.map(() => abroad));
    expect(await task(begun.task_id)).toMatchObject({ status: 'done', done: 6, failed: 0 });
    const { total } = await world.admin.get('listTasks', {
      query: { type: 'site_move', object_id: ids[3]! },
    });
    expect(total).toBe(1);
  });

  it('can be cancelled: what has moved stays, what has not stays as well, until it is done again', async () => {
    const { customer, ids } = await customerWith(2);
    const begun = await move(customer.orderId, abroad);
    await world.admin.get('cancelTask', { params: { id: begun.task_id! } });
    const fresh = await makeSite(customer.api);
    expect(await task(begun.task_id)).toMatchObject({ status: 'cancelled' });
    expect(await places([...ids, fresh.id])).toEqual([home, home, abroad]);
    expect(await world.admin.get('retryTask', { params: { id: begun.task_id! } })).toEqual({ parts: 2 });
    await world.admin.get('cancelTask', { params: { id: begun.task_id! } });
    const again = await move(customer.orderId, abroad);
    expect(again.sites).toBe(2);
    await work(again.task_id);
    expect(await places([...ids, fresh.id])).toEqual([abroad, abroad, abroad]);
    expect(await move(customer.orderId, abroad)).toEqual({ task_id: null, sites: 0, unfiled_domains: [] });
  });

  it('goes where it was told last: the move before ends, and its sites go on from where they are', async () => {
    const { customer, ids } = await customerWith(3);
    const first = await move(customer.orderId, abroad);
    expect(await move(customer.orderId, abroad)).toEqual({
      task_id: first.task_id,
      sites: 3,
      unfiled_domains: [],
    });
    const third = await newGroup();
    const second = await move(customer.orderId, third);
    expect(await task(first.task_id)).toMatchObject({ status: 'cancelled', done: 0 });
    await work(second.task_id);
    expect(await places(ids)).toEqual([third, third, third]);
    // Done again, the former one finds nothing to do: it brings sites to their order, which is elsewhere by now.
    await world.admin.get('retryTask', { params: { id: first.task_id! } });
    await work(first.task_id);
    expect(await places(ids)).toEqual([third, third, third]);
    const back = await move(customer.orderId, abroad);
    expect(await move(customer.orderId, third)).toEqual({ task_id: null, sites: 0, unfiled_domains: [] });
    expect(await task(back.task_id)).toMatchObject({ status: 'cancelled' });
  });

  it('told two places at once goes to one of them, with one task', async () => {
    const { customer, ids } = await customerWith(3);
    const third = await newGroup();
    const answers = await Promise.all([move(customer.orderId, abroad), move(customer.orderId, third)]);
    const { line_group_id: goal } = await order(customer.orderId);
    const tasks = await Promise.all(answers.map(({ task_id }) => task(task_id)));
    expect(tasks.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'pending']);
    await work(tasks.find(({ status }) => status === 'pending')!.id, 2);
    expect(await places(ids)).toEqual([goal, goal, goal]);
  });

  it('leaves a site behind whose port was taken meanwhile, and says why', async () => {
    const { customer, ids } = await customerWith(2);
    const there = await customerWith(1);
    await work((await move(there.customer.orderId, abroad)).task_id);
    const put = (site_id: number, version: number, value: object) =>
      world.admin.get('updateListenPort', {
        query: { site_id },
        body: { version, value: { http_ports: [], https_ports: [], ...value } },
      });
    await put(ids[0]!, 1, { http_ports: [9700] });
    const begun = await move(customer.orderId, abroad);
    await put(there.ids[0]!, 1, { https_ports: [9700] });
    await work(begun.task_id);
    expect(await places(ids)).toEqual([home, abroad]);
    const { list } = await world.admin.get('listSubTasks', {
      query: { task_id: begun.task_id!, status: 'failed' },
    });
    expect(list).toMatchObject([{ key: String(ids[0]), error: expect.stringContaining('9700') }]);
    await put(there.ids[0]!, 2, {});
    await world.admin.get('retryTask', { params: { id: begun.task_id! } });
    await work(begun.task_id);
    expect(await places(ids)).toEqual([abroad, abroad]);
  });

  it('keeps the line group that still serves one of its sites', async () => {
    const from = await newGroup();
    const { customer } = await customerWith(1);
    await work((await move(customer.orderId, from)).task_id);
    const begun = await move(customer.orderId, abroad);
    const params = { id: from };
    expect(await world.admin.get('getLineGroup', { params })).toMatchObject({ site_count: 1 });
    expect(await world.admin.call('removeLineGroup', { params })).toMatchObject({ status: 409 });
    await work(begun.task_id);
    expect(await world.admin.call('removeLineGroup', { params })).toMatchObject({ status: 200 });
  });

  it('of an installation that was there before has its sites where it is', async () => {
    const { customer, ids } = await customerWith(1);
    await work((await move(customer.orderId, abroad)).task_id);
    const { rows } = await db()
      .execute(sql`INSERT INTO operation (kind, title, subject_kind, created_by, state)
      VALUES ('order_move', 'old', 'site', '', 'done') RETURNING id`);
    await db().execute(sql`ALTER TABLE site ALTER COLUMN line_group_id DROP NOT NULL`);
    await db().execute(sql`UPDATE site SET line_group_id = NULL`);
    const folder = new URL('../../db/migrations/', import.meta.url);
    const file = readdirSync(folder).find((name) => name.endsWith('_site_line_group.sql'))!;
    const statements = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint');
    for (const statement of statements.slice(1, 4)) await db().execute(sql.raw(statement));
    expect(await places(ids)).toEqual([abroad]);
    expect(await task(rows[0]!['id'] as number)).toMatchObject({ type: 'site_move' });
  });

  it('is not moved by who saw it elsewhere, before somebody else moved it', async () => {
    const customer = await makeCustomer(world);
    const { version } = await order(customer.orderId);
    await move(customer.orderId, abroad);
    const body = { line_group_id: home, version };
    const params = { id: customer.orderId };
    expect(await world.admin.call('changeOrderLineGroup', { params, body })).toMatchObject({ code: 40_901 });
    expect(await order(customer.orderId)).toMatchObject({ line_group_id: abroad, version: version + 1 });
  });

  it('is moved by those alone who may', async () => {
    const { customer } = await customerWith(1);
    const other = await makeCustomer(world);
    const call = { params: { id: customer.orderId }, body: { line_group_id: abroad } };
    const { api } = await makeAdministrator(world, ['order.write', 'order.read', 'task.read', 'task.write']);
    expect(await world.anonymous.call('changeOrderLineGroup', call)).toMatchObject({ status: 401 });
    expect(await api.call('changeOrderLineGroup', call)).toMatchObject({ status: 403 });
    for (const each of [customer, other])
      expect((await each.api.call('changeOrderLineGroup', call)).status).toSatisfy(refused);
    expect(await order(customer.orderId)).toMatchObject({ line_group_id: home });
    const { task_id } = await move(customer.orderId, abroad);
    const params = { id: task_id! };
    expect(await api.call('cancelTask', { params })).toMatchObject({ status: 403 });
    expect(await api.call('retryTask', { params })).toMatchObject({ status: 403 });
    expect((await other.api.call('getTask', { params })).status).toSatisfy(refused);
  });
});

/** Customers have no such call at all on their port. */
const refused = (status: number) => status === 403 || status === 404;

const running = (taskId: number) =>
  db().$count(operationItem, and(eq(operationItem.operationId, taskId), eq(operationItem.state, 'running')));

const startChild = () =>
  startWorkerProcess(world, { file: new URL('order-move.job.ts', import.meta.url), name: 'orderMoveJob' });
