import { makeCustomer, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { openDatabase, type Database } from '../db/database.ts';
import { operation, operationItem } from '../db/schema.ts';
import type { Services } from '../services.ts';
import type { Job } from './define-job.ts';
import { addItems, cancelOperation, createOperation, retryItems } from './operation.store.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

let world: World;
const others: Database[] = [];
const workers: Worker[] = [];
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await db().execute(sql`CREATE TABLE effect (item bigint NOT NULL, by text NOT NULL)`);
});
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()));
  await world.close();
});
beforeEach(() => db().execute(sql`TRUNCATE effect, operation, operation_item CASCADE`));
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

const db = () => world.server.services.db;

/** A server of its own as far as the database can tell: with connections of its own. */
function otherServer(): Services {
  const database = openDatabase(world.server.services.database.url, { connections: 6 });
  others.push(database);
  return { ...world.server.services, database, db: database.db };
}

const job = (run: Job['run'], parts: Partial<Job> = {}): Job => ({
  kind: 'data_export',
  attempts: 3,
  backoffSeconds: () => 0,
  timeoutSeconds: 60,
  ...parts,
  run,
});

async function work(jobs: Job[], options: WorkerOptions = {}, services = otherServer()): Promise<Worker> {
  const worker = await startWorker(services, { jobs, schedules: [] }, options);
  workers.push(worker);
  return worker;
}

/** One operation with so many items. */
const begin = (items: number, clientId?: number): Promise<number> =>
  db().transaction(async (tx) => {
    const id = await createOperation(tx, {
      kind: 'data_export',
      title: unique('work'),
      subjectKind: 'test',
      clientId,
      createdBy: 'test',
    });
    await addItems(
      tx,
      id,
      Array.from({ length: items }, (_, n) => ({ position: n + 1, kind: 'test', key: String(n + 1) })),
    );
    return id;
  });

const read = async (id: number) => (await db().select().from(operation).where(eq(operation.id, id)))[0]!;
const itemsOf = (id: number) =>
  db().select().from(operationItem).where(eq(operationItem.operationId, id)).orderBy(operationItem.id);
const statesOf = async (id: number) => (await itemsOf(id)).map(({ state }) => state);
const over = (id: number, seconds = 30) =>
  waitFor(`operation ${id}`, async () => (await read(id)).finishedAt !== null && read(id), seconds);
const effects = async () =>
  (await db().execute(sql`SELECT item::int, by FROM effect ORDER BY item`)).rows as {
    item: number;
    by: string;
  }[];

/** Leaves a mark in the transaction of the item's result. */
const marking = (by: string, milliseconds = 0): Job =>
  job(({ item, transact }) =>
    transact(async (tx) => {
      await tx.execute(sql`INSERT INTO effect VALUES (${Number(item.key)}, ${by})`);
      await sleep(milliseconds);
      return { state: 'done' };
    }),
  );

describe('workers', () => {
  it('share the items of an operation, each done once, however many there are', async () => {
    await work([marking('one', 30)], { slots: 4 });
    await work([marking('two', 30)], { slots: 4 });
    const id = await begin(120);
    expect(await over(id)).toMatchObject({ state: 'done', nextAt: null });
    const done = await effects();
    expect(done.map(({ item }) => item)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
    expect(new Set(done.map(({ by }) => by))).toEqual(new Set(['one', 'two']));
    expect((await itemsOf(id)).every(({ attempt, claim }) => attempt === 1 && claim === null)).toBe(true);
  });

  it('give each operation its turn: a large one does not hold up a small one', async () => {
    const large = await begin(40);
    const small = await begin(2);
    await work([marking('', 20)], { slots: 1 });
    await over(small);
    expect((await statesOf(large)).filter((state) => state === 'done').length).toBeLessThan(10);
  });

  it('go on where a worker was killed, and do nothing twice', async () => {
    const id = await begin(30);
    const child = startChild();
    const running = async () => (await statesOf(id)).filter((state) => state === 'running').length;
    await waitFor(
      'its last items',
      async () => (await effects()).length === 3 && (await running()) === 2,
      60,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await effects()).toHaveLength(3);
    expect(await running()).toBe(2);
    await work([marking('after')], { leaseSeconds: 2 });
    expect(await over(id, 60)).toMatchObject({ state: 'done' });
    expect((await effects()).map(({ item }) => item)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    // What was being done when it was killed was begun twice, and done once.
    expect(Math.max(...(await itemsOf(id)).map(({ attempt }) => attempt))).toBe(2);
  });

  it('hand on what they hold when they are stopped, at once and as if it had not been tried', async () => {
    const id = await begin(1);
    const heeds = job(async ({ signal }) => {
      await sleep(60_000, undefined, { signal });
      return { state: 'done' };
    });
    const first = await work([heeds]);
    await waitFor('it runs', async () => (await statesOf(id))[0] === 'running');
    await first.stop();
    expect((await itemsOf(id))[0]).toMatchObject({ state: 'pending', attempt: 0, claim: null });
    await work([marking('next')]);
    expect(await over(id, 5)).toMatchObject({ state: 'done' });
  });

  it('write nothing of an item that another has taken over', async () => {
    const id = await begin(1);
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tried: string[] = [];
    const slow = job(async ({ transact }) => {
      tried.push('slow');
      await gates[0]!.promise;
      await transact(async (tx) => {
        await tx.execute(sql`INSERT INTO effect VALUES (1, 'slow')`);
        return { state: 'done' };
      }).catch((error: Error) => tried.push(error.constructor.name));
      gates[1]!.resolve();
      return { state: 'unchanged' };
    });
    await work([slow], { leaseSeconds: 3600, slots: 1 });
    await waitFor('it runs', async () => tried.length > 0);
    // As when its process stood still for longer than the lease.
    await db().execute(sql`UPDATE operation_item SET next_at = now() WHERE operation_id = ${id}`);
    await db().execute(sql`UPDATE operation SET next_at = now() WHERE id = ${id}`);
    await work([marking('second')]);
    await over(id);
    gates[0]!.resolve();
    await gates[1]!.promise;
    await sleep(200);
    expect(tried).toEqual(['slow', 'LeaseLost']);
    expect(await effects()).toEqual([{ item: 1, by: 'second' }]);
    expect((await itemsOf(id))[0]).toMatchObject({ state: 'done', attempt: 2 });
  });

  it('keep what they hold beyond the lease as long as they beat, in a transaction too', async () => {
    const id = await begin(2);
    await work([marking('one', 2500)], { leaseSeconds: 1 });
    await work([marking('two', 2500)], { leaseSeconds: 1 });
    await over(id);
    expect((await effects()).map(({ item }) => item)).toEqual([1, 2]);
    expect((await itemsOf(id)).map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});

describe('an item that fails', () => {
  it('stops none of its neighbours, and leaves nothing behind but its reason', async () => {
    const id = await begin(3);
    const bad = job(({ item, transact }) =>
      transact(async (tx) => {
        await tx.execute(sql`INSERT INTO effect VALUES (${Number(item.key)}, 'x')`);
        if (item.key === '2') throw new ApiError('invalid_input', [{ path: 'domains.0', issue: 'required' }]);
        return { state: 'done' };
      }),
    );
    await work([bad]);
    expect(await over(id)).toMatchObject({ state: 'failed' });
    expect(await statesOf(id)).toEqual(['done', 'failed', 'done']);
    expect((await effects()).map(({ item }) => item)).toEqual([1, 3]);
    const [, failed] = await itemsOf(id);
    expect(failed).toMatchObject({
      attempt: 1,
      error: { error: 'invalid_input', fields: [{ path: 'domains.0', issue: 'required' }] },
    });
  });

  it('is tried again after its back-off, so often and no more', async () => {
    const id = await begin(1);
    const times: number[] = [];
    const breaking = job(
      async () => {
        times.push(Date.now());
        throw new Error('the other side hung up');
      },
      { backoffSeconds: (attempt) => attempt * 0.5 },
    );
    await work([breaking]);
    expect(await over(id)).toMatchObject({ state: 'failed' });
    expect(times).toHaveLength(3);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(490);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(990);
    expect((await itemsOf(id))[0]).toMatchObject({ attempt: 3, error: { error: 'internal' } });
  });

  it('fails when it takes too long, also when it does not heed that', async () => {
    const id = await begin(1);
    const never = Promise.withResolvers<never>();
    await work([job(() => never.promise, { timeoutSeconds: 0.2, attempts: 1 })]);
    expect(await over(id)).toMatchObject({ state: 'failed' });
    expect((await itemsOf(id))[0]).toMatchObject({ error: { error: 'work_timed_out' } });
  });

  it('that ends its server each time is given up', async () => {
    const id = await begin(1);
    await db().execute(
      sql`UPDATE operation_item SET state = 'running', attempt = 3, claim = gen_random_uuid(), next_at = now() - interval '1 s'
          WHERE operation_id = ${id}`,
    );
    await work([marking('never')]);
    expect(await over(id)).toMatchObject({ state: 'failed' });
    expect((await itemsOf(id))[0]).toMatchObject({ error: { error: 'work_interrupted' } });
    expect(await effects()).toEqual([]);
  });

  it('is done again when somebody asks, and those that were done are not', async () => {
    const id = await begin(3);
    let broken = true;
    const mended = job(({ item, transact }) =>
      transact(async (tx) => {
        if (broken && item.key === '2') throw new ApiError('conflict');
        await tx.execute(sql`INSERT INTO effect VALUES (${Number(item.key)}, 'x')`);
        return { state: 'done' };
      }),
    );
    await work([mended]);
    await over(id);
    broken = false;
    expect(await db().transaction((tx) => retryItems(tx, id))).toBe(1);
    expect(await over(id)).toMatchObject({ state: 'done' });
    expect((await effects()).map(({ item }) => item)).toEqual([1, 2, 3]);
    expect(await db().transaction((tx) => retryItems(tx, id))).toBe(0);
  });
});

describe('cancelling', () => {
  const cancel = (id: number) => db().transaction((tx) => cancelOperation(tx, id));

  it('tells what runs at once, and what waits is not done', async () => {
    const id = await begin(3);
    const heeds = job(async ({ signal }) => {
      await sleep(60_000, undefined, { signal });
      return { state: 'done' };
    });
    await work([heeds], { slots: 1 });
    await waitFor('it runs', async () => (await statesOf(id)).includes('running'));
    const since = Date.now();
    await cancel(id);
    expect(await over(id)).toMatchObject({ state: 'cancelled' });
    expect(Date.now() - since).toBeLessThan(5000);
    expect(await statesOf(id)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await db().transaction((tx) => retryItems(tx, id))).toBe(3);
    expect(await read(id)).toMatchObject({ finishedAt: null, cancelRequestedAt: null });
    await cancel(id);
    expect(await over(id)).toMatchObject({ state: 'cancelled' });
  });

  it('reaches what a dead worker held', async () => {
    const id = await begin(2);
    await db().execute(
      sql`UPDATE operation_item SET state = 'running', attempt = 1, claim = gen_random_uuid(), next_at = now() + interval '1 s'
          WHERE operation_id = ${id} AND key = '1'`,
    );
    await cancel(id);
    expect(await statesOf(id)).toEqual(['running', 'cancelled']);
    await work([marking('never')]);
    expect(await over(id)).toMatchObject({ state: 'cancelled' });
    expect(await effects()).toEqual([]);
  });

  it('changes nothing of what is over', async () => {
    const id = await begin(1);
    await work([marking('x')]);
    await over(id);
    await cancel(id);
    expect(await read(id)).toMatchObject({ state: 'done', cancelRequestedAt: null });
  });
});

it('the work of a customer goes with the customer, what is being done too', async () => {
  const customer = await makeCustomer(world);
  const id = await begin(2, customer.id);
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  await work([
    job(async ({ transact }) => {
      begun += 1;
      await gate.promise;
      return transact(async (tx) => {
        await tx.execute(sql`INSERT INTO effect VALUES (1, 'late')`);
        return { state: 'done' };
      });
    }),
  ]);
  await waitFor('it runs', async () => begun > 0);
  await db().execute(sql`DELETE FROM "order" WHERE client_id = ${customer.id}`);
  await world.admin.get('removeClient', { params: { id: customer.id } });
  gate.resolve();
  await sleep(300);
  expect(await db().$count(operation, eq(operation.id, id))).toBe(0);
  expect(await effects()).toEqual([]);
});

/** A process with a worker of two slots that does three items, each in a transaction with its mark, and hangs in the next. */
function startChild(): ChildProcess {
  const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { sql } from 'drizzle-orm';
    const { openDatabase } = await import(${here('../db/database.ts')});
    const { startWorker } = await import(${here('./worker.ts')});
    const database = openDatabase(process.env.DATABASE_URL, { connections: 6 });
    const log = { debug() {}, info() {}, warn: console.error, error: console.error };
    const run = ({ item, transact }) => transact(async (tx) => {
      await tx.execute(sql\`INSERT INTO effect VALUES (\${Number(item.key)}, 'child')\`);
      // In the middle of the fourth and the fifth it stays until it is killed.
      await new Promise((resolve) => setTimeout(resolve, Number(item.key) > 3 ? 600_000 : 10));
      return { state: 'done' };
    });
    const jobs = [{ kind: 'data_export', attempts: 3, backoffSeconds: () => 0, timeoutSeconds: 600, run }];
    await startWorker({ database, db: database.db, log }, { jobs, schedules: [] }, { slots: 2, leaseSeconds: 3 });
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, DATABASE_URL: world.server.services.database.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
