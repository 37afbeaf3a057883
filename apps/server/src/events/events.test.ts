import { makeCustomer, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { asc, eq, sql } from 'drizzle-orm';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openDatabase, type Database, type Transaction } from '../db/database.ts';
import { event, eventConsumer, schedule } from '../db/schema.ts';
import { rowsOf } from '../delivery/queryable.ts';
import type { Schedule } from '../jobs/define-job.ts';
import { dueWorkConsumer } from '../jobs/due-work.consumer.ts';
import { startWorker, type Worker } from '../jobs/worker.ts';
import { pruneOldRows } from '../modules/retention/retention.service.ts';
import type { Services } from '../services.ts';
import { placeEvents } from './consume.ts';
import { defineConsumer, type EventConsumer } from './define-consumer.ts';
import { changesOf, recordEvent, recordEvents, systemActor } from './record-event.ts';

let world: World;
const others: Database[] = [];
const workers: Worker[] = [];
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await db().execute(sql`CREATE TABLE seen (position serial, subject integer, by text)`);
});
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()));
  await world.close();
});
beforeEach(() => db().execute(sql`TRUNCATE event, event_consumer, seen, schedule`));
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

const db = () => world.server.services.db;

/** A server of its own as far as the database can tell: with connections of its own. */
function otherServer(): Services {
  const database = openDatabase(world.server.services.database.url, { connections: 6 });
  others.push(database);
  return { ...world.server.services, database, db: database.db };
}

async function serve(consumers: readonly EventConsumer[], schedules: readonly Schedule[] = []) {
  const worker = await startWorker(otherServer(), { jobs: [], schedules, consumers });
  workers.push(worker);
  return worker;
}

const about = (id: number) =>
  ({ kind: 'updated', subject: { kind: 'area', id }, actor: systemActor }) as const;
const tell = (...ids: number[]) => recordEvents(db(), ids.map(about));
const note = (tx: Transaction, subject: number | null, by: string) =>
  tx.execute(sql`INSERT INTO seen (subject, by) VALUES (${subject}, ${by})`);
const noting = (by: string, milliseconds = 0): EventConsumer =>
  defineConsumer({
    name: 'noting',
    consume: async (tx, events) => {
      for (const { subjectId } of events) {
        await note(tx, subjectId, by);
        if (milliseconds > 0) await sleep(milliseconds);
      }
    },
  });
const seen = async (by?: string) =>
  (
    await rowsOf<{ subject: number; by: string }>(db(), sql`SELECT subject, by FROM seen ORDER BY position`)
  ).filter((row) => by === undefined || row.by === by);
const subjects = async (by?: string) => (await seen(by)).map(({ subject }) => subject);
const until = (what: string, ids: number[], by?: string) =>
  waitFor(what, async () => (await subjects(by)).length >= ids.length, 20).then(async () =>
    expect(await subjects(by)).toEqual(ids),
  );
const consumer = async (name: string) =>
  (await db().select().from(eventConsumer).where(eq(eventConsumer.name, name)))[0]!;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('events', () => {
  it('are there when what they tell is there, and are not when it is not', async () => {
    const failed = db().transaction(async (tx) => {
      await recordEvent(tx, about(1));
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await db().$count(event)).toBe(0);
    const site = await makeSite(world.admin);
    const rows = await db().select().from(event).where(eq(event.subjectKind, 'site'));
    expect(rows).toEqual([
      expect.objectContaining({
        kind: 'created',
        subjectId: site.id,
        siteId: site.id,
        subjectName: site.domain,
        actorType: 'admin',
        actorName: 'admin',
      }),
    ]);
  });

  it('say what changed, without secrets, and not more than finds room', async () => {
    const before = {
      name: 'a',
      password: 'kept-from-readers',
      made_up: 'kept-from-readers',
      url: 'http://h/kept',
    };
    expect(
      changesOf(before, { ...before, name: 'b', password: 'new', made_up: 1, url: 'http://h/kept2' }),
    ).toEqual([
      { path: 'name', before: 'a', after: 'b' },
      { path: 'password', before: '••••••', after: '••••••' },
      { path: 'made_up', before: '••••••', after: '••••••' },
      { path: 'url', before: 'http://h/***', after: 'http://h/***' },
    ]);
    const changes = changesOf({ domains: [] }, { domains: range(1, 500).map((n) => `${n}.example.com`) });
    await recordEvent(db(), { ...about(1), data: { changes } });
    const [row] = await db().select().from(event);
    expect(row!.data.changes).toHaveLength(100);
    expect(row!.data.more).toBe(400);
  });
});

describe('a consumer', () => {
  it('begins with what happens from then on, and sees each event once, in order', async () => {
    await tell(1, 2);
    await placeEvents(db());
    await serve([noting('one')]);
    await tell(...range(3, 500));
    await tell(501);
    await until('all', range(3, 501));
  });

  it('misses nothing of a transaction that commits late with lower ids', async () => {
    await serve([noting('one')]);
    const late = new pg.Client({ connectionString: world.server.services.database.url });
    await late.connect();
    const insert = (subject: number) =>
      late.query(
        `INSERT INTO event (kind, subject_kind, subject_id, actor_type, actor_name, data)
         VALUES ('updated', 'area', $1, 'system', 'system', '{}')`,
        [subject],
      );
    await late.query('BEGIN');
    await insert(1);
    await tell(2, 3);
    await until('what was committed', [2, 3]);
    await insert(4);
    await tell(5);
    await until('what was committed since', [2, 3, 5]);
    await late.query('COMMIT');
    await late.end();
    await until('what was late', [2, 3, 5, 1, 4]);
    const rows = await db().select().from(event).orderBy(asc(event.place));
    expect(rows.map(({ subjectId }) => subjectId)).toEqual([2, 3, 5, 1, 4]);
    // The ids say otherwise, which is why nobody reads by them.
    expect(rows.map(({ id }) => id)).not.toEqual(rows.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it('sees the changes of one row in the order in which they were made, whoever began first', async () => {
    await serve([noting('one')]);
    await db().execute(sql`CREATE TABLE IF NOT EXISTS one_row (id integer PRIMARY KEY, value integer)`);
    await db().execute(sql`INSERT INTO one_row VALUES (1, 0) ON CONFLICT DO NOTHING`);
    const change = (tx: Transaction, value: number) =>
      tx
        .execute(sql`UPDATE one_row SET value = ${value} WHERE id = 1`)
        .then(() => recordEvent(tx, about(value)));
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    // The older transaction writes last.
    const older = otherServer().db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_current_xact_id()`);
      begun.resolve();
      await go.promise;
      await change(tx, 2);
    });
    await begun.promise;
    await db().transaction((tx) => change(tx, 1));
    go.resolve();
    await older;
    await until('both', [1, 2]);
  });

  it('works on one of several servers at a time', async () => {
    await Promise.all(['one', 'two', 'three'].map((by) => serve([noting(by, 3)])));
    for (let n = 1; n <= 60; n++) await tell(n);
    await until('all', range(1, 60));
  });

  it('goes on elsewhere when its server is killed in the middle, and does nothing twice', async () => {
    const child = startChild();
    await waitFor('its row', async () => (await db().$count(eventConsumer)) === 1, 60);
    await tell(...range(1, 20));
    await waitFor('it is in the middle', () => isInTransaction('child'), 30);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await subjects()).toEqual([]);
    await serve([noting('after')]);
    await until('all', range(1, 20), 'after');
  });

  it('that fails at an event says so and tries again later; good ones before it and others go on', async () => {
    let isBad = true;
    const failing = defineConsumer({
      name: 'failing',
      consume: async (tx, events) => {
        for (const { subjectId } of events) {
          if (isBad && subjectId === 3) await tx.execute(sql`SELECT ${'a secret'}::text, no_such_column`);
          await note(tx, subjectId, 'failing');
        }
      },
    });
    await serve([failing, noting('other')]);
    await tell(1, 2, 3, 4);
    await until('the other', [1, 2, 3, 4], 'other');
    await until('what is before it', [1, 2], 'failing');
    await waitFor('two tries', async () => (await consumer('failing')).attempt >= 2, 20);
    const row = await consumer('failing');
    expect(row.lastError).toContain('no_such_column');
    expect(row.lastError).not.toContain('a secret');
    expect(row.nextAt.getTime()).toBeGreaterThan(Date.now() - 2000);
    expect((await consumer('noting')).lastError).toBeNull();
    isBad = false;
    await until('the rest', [1, 2, 3, 4], 'failing');
    expect(await consumer('failing')).toMatchObject({ attempt: 0, lastError: null });
  });
});

describe('old events', () => {
  const age = () => db().execute(sql`UPDATE event SET at = now() - interval '400 days'`);
  const prune = async (names: string[]) => {
    const consumers = names.map((name) => ({ ...noting(''), name }));
    const services = world.server.services;
    return (await pruneOldRows({ ...services, jobs: { ...services.jobs, consumers } }))['event'];
  };

  it('go once every consumer has passed them, and places go on from there', async () => {
    const behind = await serve([{ ...noting('behind'), name: 'behind' }]);
    await tell(1, 2);
    await until('the first', [1, 2]);
    await behind.stop();
    const ahead = await serve([noting('ahead')]);
    await tell(3, 4);
    await until('the rest', [3, 4], 'ahead');
    await age();
    expect(await prune(['noting', 'behind'])).toBe(2);
    expect(await db().$count(event)).toBe(2);
    expect(await prune(['noting'])).toBe(2);
    await tell(5);
    await until('one more', [3, 4, 5], 'ahead');
    await ahead.stop();
    // Without a place nobody has seen it.
    await tell(6);
    await age();
    expect(await prune(['noting'])).toBe(1);
    expect(await db().$count(event)).toBe(1);
  });
});

describe('work by the clock', () => {
  it('runs at once after the events that it follows, and once more after those that come meanwhile', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const schedules: Schedule[] = [
      {
        name: 'domain-checks',
        everySeconds: 86_400,
        after: ['area.updated'],
        run: async () => {
          runs += 1;
          if (runs === 1) await gate.promise;
        },
      },
      { name: 'log-sums', everySeconds: 86_400, run: async () => expect.unreachable() },
    ];
    await serve([dueWorkConsumer(schedules)], schedules);
    await tell(1);
    await waitFor('it runs', async () => runs === 1, 5);
    await tell(2);
    await waitFor(
      'it is noted',
      async () => (await db().$count(schedule, eq(schedule.again, true))) === 1,
      5,
    );
    gate.resolve();
    await waitFor('it runs again', async () => runs === 2, 5);
    await sleep(1500);
    expect(runs).toBe(2);
  });

  it('new domains are checked at once', async () => {
    const { jobs } = world.server.services;
    const schedules = jobs.schedules.filter(({ name }) => name === 'domain-checks');
    await serve(jobs.consumers!, schedules);
    const customer = await makeCustomer(world);
    const site = await makeSite(customer.api);
    const checked = async () => {
      const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id: site.id } });
      return domains[0]!.checked_at !== null;
    };
    await waitFor('a check', checked, 20);
  });
});

/** Whether a server of this name has written in a transaction that is open. */
async function isInTransaction(name: string): Promise<boolean> {
  const rows = await rowsOf(
    db(),
    sql`SELECT 1 FROM pg_stat_activity
        WHERE application_name = ${name} AND state = 'idle in transaction' AND backend_xid IS NOT NULL`,
  );
  return rows.length > 0;
}

/** A process whose consumer notes the first ten events of a page, and hangs in the next. */
function startChild(): ChildProcess {
  const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { sql } from 'drizzle-orm';
    const { openDatabase } = await import(${here('../db/database.ts')});
    const { startWorker } = await import(${here('../jobs/worker.ts')});
    const database = openDatabase(process.env.DATABASE_URL, { connections: 6 });
    const log = { debug() {}, info() {}, warn: console.error, error: console.error };
    const consume = async (tx, events) => {
      await tx.execute(sql\`SET LOCAL application_name = 'child'\`);
      for (const { subjectId } of events) {
        if (subjectId > 10) await new Promise((resolve) => setTimeout(resolve, 600_000));
        await tx.execute(sql\`INSERT INTO seen (subject, by) VALUES (\${subjectId}, 'child')\`);
      }
    };
    await startWorker({ database, db: database.db, log }, { jobs: [], schedules: [], consumers: [{ name: 'noting', consume }] });
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, DATABASE_URL: world.server.services.database.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
