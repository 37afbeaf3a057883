import type { ScheduleName } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { rowsOf, texts } from '../delivery/queryable.ts';
import type { Services } from '../services.ts';
import type { Schedule } from './define-job.ts';
import { failureSentence } from './failure-sentence.ts';
import { jobsChannel } from './operation.store.ts';

/** Work by the clock, as rows: whoever claims one runs it, and the next run is due at a whole multiple of its interval. */

/** As a clock shows it, not so long after the last: with several servers and restarts the times stay the same. */
const nextRound = (everySeconds: number) =>
  sql`to_timestamp((floor(extract(epoch FROM now()) / ${everySeconds}::integer) + 1) * ${everySeconds}::integer)`;

/** Rows for what this version runs; an interval that has become shorter holds at once. */
export async function registerSchedules(db: Db, schedules: readonly Schedule[]): Promise<void> {
  for (const { name, everySeconds } of schedules)
    await db.execute(
      sql`INSERT INTO schedule AS s (name, next_at) VALUES (${name}, ${nextRound(everySeconds)})
          ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE s.claim IS NULL AND s.next_at > excluded.next_at`,
    );
}

export interface ClaimedSchedule {
  claim: string;
  schedule: Schedule;
}

/** One that is due, whose worker is gone included. */
export async function claimSchedule(
  db: Db,
  schedules: readonly Schedule[],
  leaseSeconds: number,
): Promise<ClaimedSchedule | undefined> {
  const claim = randomUUID();
  const [row] = await rowsOf<{ name: string }>(
    db,
    sql`UPDATE schedule SET claim = ${claim}, again = false, next_at = now() + make_interval(secs => ${leaseSeconds})
        WHERE name = (
          SELECT name FROM schedule WHERE next_at <= now() AND name = ANY(${texts(schedules.map(({ name }) => name))})
          ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING name`,
  );
  const schedule = schedules.find(({ name }) => name === row?.name);
  return schedule && { claim, schedule };
}

/** Prolongs leases. Answers those that stand. */
export async function renewSchedules(
  db: Db,
  claims: readonly string[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await rowsOf<{ claim: string }>(
    db,
    sql`UPDATE schedule SET next_at = now() + make_interval(secs => ${leaseSeconds})
        WHERE claim = ANY(${texts(claims)}::uuid[]) RETURNING claim`,
  );
  return new Set(rows.map(({ claim }) => claim));
}

/** At once on another server: this one stops. */
export async function releaseSchedules(db: Db, claims: readonly string[]): Promise<void> {
  await db.execute(
    sql`UPDATE schedule SET next_at = now(), claim = NULL WHERE claim = ANY(${texts(claims)}::uuid[])`,
  );
}

/** Makes work by the clock due: something happened that it follows. What runs just now runs once more. */
export async function runSoon(db: Db, names: readonly ScheduleName[]): Promise<void> {
  await db.execute(
    sql`UPDATE schedule SET again = claim IS NOT NULL, next_at = CASE WHEN claim IS NULL THEN now() ELSE next_at END
        WHERE name = ANY(${texts(names)})`,
  );
  await db.execute(sql`SELECT pg_notify(${jobsChannel}, 'work')`);
}

const hour = 3600;
/** Why a run is told to end whose server stops. */
export const stopping = Symbol('the server stops');

/** Runs it and writes how it ended, unless another server has it by then. Its failure is its own. */
export async function runSchedule(
  services: Services,
  { claim, schedule }: ClaimedSchedule,
  controller: AbortController,
): Promise<void> {
  const { db, log } = services;
  const started = Date.now();
  let failure: string | null = null;
  try {
    const result = await withTimeout(
      schedule.run(services, controller.signal),
      schedule.timeoutSeconds ?? hour,
      controller,
    );
    log.debug({ schedule: schedule.name, result }, 'work by the clock is done');
  } catch (error) {
    if (controller.signal.reason === stopping) return releaseSchedules(db, [claim]);
    log.error({ err: error, schedule: schedule.name }, 'work by the clock failed');
    failure = failureSentence(error);
  }
  await db.execute(
    sql`UPDATE schedule SET claim = NULL, last_at = now(),
          next_at = CASE WHEN again THEN now() ELSE ${nextRound(schedule.everySeconds)} END,
          last_milliseconds = ${Date.now() - started}, last_error = ${failure}
        WHERE claim = ${claim}`,
  );
}

async function withTimeout<Result>(
  run: Promise<Result>,
  seconds: number,
  controller: AbortController,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`not done after ${seconds} s`));
    }, seconds * 1000);
  });
  return Promise.race([run, late]).finally(() => clearTimeout(timer));
}
