import { and, eq, ne } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { sealProgress } from '../db/schema.ts';
import type { Secrets } from '../secrets.ts';
import type { Services } from '../services.ts';
import {
  keysIn,
  replaceContent,
  resealed,
  rowsAfter,
  sealedColumns,
  type SealedColumn,
} from './sealed-columns.ts';

/**
 * Sealing every value anew with the key that stands first, in small transactions. Each writes how far it came, so that
 * whoever takes over from a killed server goes on there.
 */

const rowsPerTransaction = 100;
/** One run of the job: the next one goes on. */
const runMilliseconds = 45_000;

/** Returns how many rows were sealed anew; undefined where nothing was left to do. */
export async function resealValues(
  { db, secrets, log }: Pick<Services, 'db' | 'secrets' | 'log'>,
  until = Date.now() + runMilliseconds,
): Promise<number | undefined> {
  const keyId = secrets.encryptionIds[0]!;
  const found = await db.select().from(sealProgress).where(eq(sealProgress.keyId, keyId));
  const isDone = (place: string) => found.some((each) => each.place === place && each.done);
  const left = sealedColumns.filter(({ place }) => !isDone(place));
  if (left.length === 0) return undefined;
  let rows = 0;
  for (const column of left) {
    while (Date.now() < until) {
      const step = await resealSome(db, secrets, column);
      rows += step.rows;
      if (step.done) break;
    }
    if (Date.now() >= until) break;
    log.info({ key: keyId, place: column.place, rows }, 'values are sealed with the first key');
  }
  await db.delete(sealProgress).where(ne(sealProgress.keyId, keyId));
  return rows;
}

/** One transaction. Done once a round found nothing: what a writer brought back behind its position is found by the next. */
function resealSome(
  db: Db,
  secrets: Secrets,
  column: SealedColumn,
): Promise<{ rows: number; done: boolean }> {
  const keyId = secrets.encryptionIds[0]!;
  const mine = and(eq(sealProgress.keyId, keyId), eq(sealProgress.place, column.place));
  return db.transaction(async (tx) => {
    await tx.insert(sealProgress).values({ keyId, place: column.place }).onConflictDoNothing();
    const [progress] = await tx.select().from(sealProgress).where(mine).for('update');
    const { position, rowsSealed } = progress!;
    const found = await rowsAfter(tx, column, position, rowsPerTransaction, keyId);
    let rows = 0;
    for (const row of found) {
      const content = resealed(column, row.content, secrets);
      // One that was changed meanwhile is looked at again in the next round.
      if (content !== row.content && (await replaceContent(tx, column, row, content))) rows++;
    }
    const done = found.length === 0 && (position === '' || !(await isAnyLeft(tx, secrets, column)));
    await tx
      .update(sealProgress)
      .set({ position: found.at(-1)?.position ?? '', rowsSealed: rowsSealed + rows, done })
      .where(mine);
    return { rows, done };
  });
}

async function isAnyLeft(db: Db, secrets: Secrets, column: SealedColumn): Promise<boolean> {
  for await (const id of oldKeysIn(db, secrets, column)) if (id) return true;
  return false;
}

/** The ids of the keys of all values that are not sealed with the first, one for each value. */
async function* oldKeysIn(db: Db, secrets: Secrets, column: SealedColumn): AsyncGenerator<string> {
  const [current] = secrets.encryptionIds;
  let position = '';
  for (;;) {
    const rows = await rowsAfter(db, column, position, 1000, current);
    for (const { content } of rows)
      for (const id of keysIn(column, content, secrets))
        if (id !== current || resealed(column, content, secrets) !== content) yield id;
    if (rows.length === 0) return;
    position = rows.at(-1)!.position;
  }
}

/** How many values are sealed with each key that is not the first, by key and place. */
export async function countOldValues(db: Db, secrets: Secrets): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  for (const column of sealedColumns)
    for await (const id of oldKeysIn(db, secrets, column)) {
      const places = counts.get(id) ?? new Map<string, number>();
      counts.set(id, places.set(column.place, (places.get(column.place) ?? 0) + 1));
    }
  return counts;
}
