import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../db/database.ts';
import { event, eventConsumer } from '../db/schema.ts';
import { doubling } from '../jobs/define-job.ts';
import { failureSentence } from '../jobs/failure-sentence.ts';
import type { Services } from '../services.ts';
import type { EventConsumer, StoredEvent } from './define-consumer.ts';

/**
 * What stands in the database of consumers and of the order of events: docs/decisions/0027-….
 *
 * Ids are given while transactions run, which commit in any order. So events get their place in a second step, when they
 * can be seen: one server at a time gives places to all that it sees, from the last one on. Whoever sees a place sees all
 * before it, and of two events of one row, which is locked while it changes, the first has the lower place.
 */

const placesLock = 728_141_906;
const placedAtOnce = 5000;

/** The last place that was ever given: also when the events up to it are gone. */
const lastPlace = sql`greatest((SELECT max(place) FROM event), (SELECT max(position) FROM event_consumer), 0)`;

/** Gives places to events that have none. Returns how many. */
export async function placeEvents(db: Db): Promise<number> {
  const waiting = await db.execute(sql`SELECT FROM event WHERE place IS NULL LIMIT 1`);
  if (waiting.rowCount === 0) return 0;
  return db.transaction(async (tx) => {
    // A statement of its own: the next one sees what was committed by whoever had the lock before.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${placesLock})`);
    const { rowCount } = await tx.execute(
      sql`UPDATE event e SET place = l.place + n.number
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS number
                FROM (SELECT id FROM event WHERE place IS NULL ORDER BY id LIMIT ${placedAtOnce}) w) n,
               (SELECT ${lastPlace} AS place) l
          WHERE e.id = n.id`,
    );
    return rowCount ?? 0;
  });
}

/** One that is new begins with what happens from now on. */
export async function registerConsumers(db: Db, consumers: readonly EventConsumer[]): Promise<void> {
  for (const { name } of consumers)
    await db.execute(
      sql`INSERT INTO event_consumer (name, position) SELECT ${name}, ${lastPlace} ON CONFLICT DO NOTHING`,
    );
}

const pageRows = 200;
const backoffSeconds = doubling(300);
/** A server that vanished in the middle lets go of its consumer after this. */
const silentSeconds = 60;

/**
 * Gives a consumer the next page of events. False where there is none, another server works at it, or it waits after
 * a failure.
 */
export async function consumePage(services: Services, consumer: EventConsumer): Promise<boolean> {
  let given: { row: typeof eventConsumer.$inferSelect; events: StoredEvent[] } | undefined;
  try {
    return await services.db.transaction(async (tx) => {
      given = await takePage(tx, consumer);
      if (!given) return false;
      await consumer.consume(tx, given.events);
      await tx
        .update(eventConsumer)
        .set({ position: given.events.at(-1)!.place!, attempt: 0, lastError: null })
        .where(eq(eventConsumer.name, consumer.name));
      return true;
    });
  } catch (error) {
    if (!given) throw error;
    await noteFailure(services, given.row, given.events, error);
    return false;
  }
}

async function takePage(tx: Transaction, { name }: EventConsumer) {
  const [row] = await tx
    .select()
    .from(eventConsumer)
    .where(and(eq(eventConsumer.name, name), lte(eventConsumer.nextAt, sql`now()`)))
    .for('update', { skipLocked: true });
  if (!row) return undefined;
  // Of a page that failed one event after the other: what is good goes on, up to the one that is not.
  const limit = row.position < row.carefulUntil ? 1 : pageRows;
  const events = await tx
    .select()
    .from(event)
    .where(gt(event.place, row.position))
    .orderBy(asc(event.place))
    .limit(limit);
  if (events.length === 0) return undefined;
  const silent = `${silentSeconds}s`;
  await tx.execute(
    sql`SELECT set_config('idle_in_transaction_session_timeout', ${silent}, true), set_config('statement_timeout', ${silent}, true)`,
  );
  return { row, events };
}

/** The first failure of a page finds the event that it is about; the others are of that one. */
async function noteFailure(
  { db, log }: Services,
  row: typeof eventConsumer.$inferSelect,
  events: readonly StoredEvent[],
  error: unknown,
): Promise<void> {
  const isPage = events.length > 1;
  const attempt = isPage ? 0 : row.attempt + 1;
  log.error(
    { err: error, consumer: row.name, event: events[0]!.id, events: events.length, attempt },
    'a consumer of events failed',
  );
  const seconds = isPage ? 0 : backoffSeconds(attempt);
  await db
    .update(eventConsumer)
    .set({
      attempt,
      carefulUntil: isPage ? events.at(-1)!.place! : row.carefulUntil,
      nextAt: sql`now() + make_interval(secs => ${seconds})`,
      lastError: failureSentence(error),
    })
    .where(and(eq(eventConsumer.name, row.name), eq(eventConsumer.position, row.position)));
}
