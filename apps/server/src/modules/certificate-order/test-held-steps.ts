import { waitFor } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import type { Database } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';

/** No other lock of the database has it. */
const lock = 1_728_141_940;

/**
 * Holds whoever is about to write a step of an order, so that it can be killed between what it did and the row. `ordered`, `sent` and so
 * on are the phases of a try, `issued` its end, `bound` that its site uses the certificate.
 */
interface HeldSteps {
  hold(step: string): Promise<void>;
  /** Whether somebody is held. */
  isHeld(): Promise<boolean>;
  /** Nobody is held any more, and what was held is over. */
  letGo(): Promise<void>;
  close(): void;
}

async function holdSteps({ db, pool }: Database): Promise<HeldSteps> {
  await db.execute(sql`CREATE TABLE held_step (step text NOT NULL)`);
  await db.execute(sql`
    CREATE FUNCTION hold_step(step text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM held_step h WHERE h.step = hold_step.step) THEN
        PERFORM pg_advisory_xact_lock(${sql.raw(String(lock))});
      END IF;
    END $$`);
  await db.execute(sql`
    CREATE FUNCTION hold_phase() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.phase <> '' AND NEW.phase <> OLD.phase THEN PERFORM hold_step(NEW.phase); END IF;
      IF NEW.state = 'valid' AND OLD.state <> 'valid' THEN PERFORM hold_step('issued'); END IF;
      RETURN NEW;
    END $$`);
  await db.execute(sql`
    CREATE FUNCTION hold_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.kind = 'bound' THEN PERFORM hold_step('bound'); END IF;
      RETURN NEW;
    END $$`);
  await db.execute(sql`
    CREATE TRIGGER held BEFORE UPDATE ON certificate_order FOR EACH ROW EXECUTE FUNCTION hold_phase()`);
  await db.execute(sql`
    CREATE TRIGGER held BEFORE INSERT ON certificate_step FOR EACH ROW EXECUTE FUNCTION hold_line()`);
  const holder: pg.PoolClient = await pool.connect();
  const waiting = () =>
    rowsOf(db, sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`);
  return {
    hold: async (step) => {
      await holder.query('SELECT pg_advisory_lock($1)', [lock]);
      await db.execute(sql`INSERT INTO held_step VALUES (${step})`);
    },
    isHeld: async () => (await waiting()).length > 0,
    letGo: async () => {
      await db.execute(sql`DELETE FROM held_step`);
      await holder.query('SELECT pg_advisory_unlock($1)', [lock]);
      // Who was held has it until its transaction is over.
      await holder.query('SELECT pg_advisory_lock($1), pg_advisory_unlock($1)', [lock]);
    },
    close: () => holder.release(),
  };
}

/**
 * Has a worker killed before each of these steps is written, one after the other: the next begins where the one before was. Answers when
 * the last of them was killed.
 */
export async function killBeforeEach(
  database: Database,
  steps: readonly string[],
  startWorker: () => ChildProcess,
): Promise<void> {
  const held = await holdSteps(database);
  try {
    for (const step of steps) {
      await held.hold(step);
      const worker = startWorker();
      await waitFor(`a worker about to write ${step}`, held.isHeld);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      await held.letGo();
      // As if its lease had run out; and no task is given up for being interrupted so often.
      await database.db.execute(
        sql`UPDATE operation_item SET next_at = now(), attempt = 0 WHERE state = 'running'`,
      );
      await database.db.execute(sql`UPDATE operation SET next_at = now() WHERE state = 'running'`);
    }
  } finally {
    held.close();
  }
}
