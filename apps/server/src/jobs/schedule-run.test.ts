import { startWorld, waitFor, type World } from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import { schedule } from '../db/schema.ts';
import type { Services } from '../services.ts';
import type { Schedule } from './define-job.ts';
import { startWorker, type Worker } from './worker.ts';

let world: World;
const others: Database[] = [];
const workers: Worker[] = [];
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()));
  await world.close();
});
beforeEach(() => db().execute(sql`TRUNCATE schedule`));
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

const db = () => world.server.services.db;

/** A server of its own as far as the database can tell: with connections of its own. */
function otherServer(): Services {
  const database = openDatabase(world.server.services.database.url, { connections: 6 });
  others.push(database);
  return { ...world.server.services, database, db: database.db };
}

const clock = async (schedules: Schedule[]) => {
  const worker = await startWorker(otherServer(), { jobs: [], schedules });
  workers.push(worker);
  return worker;
};
const row = async (name: Schedule['name']) =>
  (await db().select().from(schedule).where(eq(schedule.name, name)))[0]!;

it('work by the clock runs on one of several servers at a time, and at the times of the clock', async () => {
  const runs: number[] = [];
  let running = 0;
  let most = 0;
  const one: Schedule = {
    name: 'log-sums',
    everySeconds: 1,
    run: async () => {
      runs.push(Date.now());
      running += 1;
      most = Math.max(most, running);
      await sleep(300);
      running -= 1;
    },
  };
  await Promise.all([clock([one]), clock([one]), clock([one])]);
  await waitFor('four runs', async () => runs.length >= 4);
  expect(most).toBe(1);
  const seconds = runs.map((at) => Math.floor(at / 1000));
  expect(new Set(seconds).size).toBe(seconds.length);
  await waitFor('the time between two runs', async () => {
    const { claim, nextAt } = await row('log-sums');
    return claim === null && nextAt.getMilliseconds() === 0;
  });
});

it('what fails says so, holds up no other, and runs again', async () => {
  let fails = true;
  const schedules: Schedule[] = [
    {
      name: 'log-sums',
      everySeconds: 1,
      run: ({ db: own }) =>
        fails ? own.execute(sql`SELECT ${'a secret'}::text, no_such_column`) : Promise.resolve(),
    },
    { name: 'node-nonces', everySeconds: 1, run: async () => {} },
  ];
  await clock(schedules);
  await waitFor('a failure', async () => (await row('log-sums')).lastError !== null);
  const failed = await row('log-sums');
  expect(failed.lastError).toContain('no_such_column');
  expect(failed.lastError).not.toContain('a secret');
  await waitFor('the other', async () => (await row('node-nonces')).lastAt !== null);
  fails = false;
  await waitFor('a good end', async () => (await row('log-sums')).lastError === null);
});

it('what a server that died held runs on another when the lease ends', async () => {
  await db()
    .insert(schedule)
    .values({
      name: 'log-sums',
      claim: '00000000-0000-4000-8000-000000000000',
      nextAt: new Date(Date.now() + 1500),
    });
  let runs = 0;
  await clock([{ name: 'log-sums', everySeconds: 3600, run: async () => (runs += 1) }]);
  await waitFor('it runs', async () => runs > 0, 10);
});

it('what a server that stops was doing is told to end, and runs on another at once', async () => {
  let told = false;
  const heeds: Schedule = {
    name: 'log-sums',
    everySeconds: 3600,
    run: async (_, signal) => {
      await sleep(60_000, undefined, { signal }).catch(() => (told = true));
      throw new Error('broken off');
    },
  };
  await db().insert(schedule).values({ name: 'log-sums', nextAt: new Date() });
  const stopped = await clock([heeds]);
  await waitFor('it runs', async () => (await row('log-sums')).claim !== null);
  const since = Date.now();
  await stopped.stop();
  expect(told).toBe(true);
  expect(Date.now() - since).toBeLessThan(4000);
  let runs = 0;
  await clock([{ ...heeds, run: async () => (runs += 1) }]);
  await waitFor('it runs again', async () => runs > 0, 5);
});
