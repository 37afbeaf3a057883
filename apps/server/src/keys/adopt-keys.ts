import { inArray, eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../db/database.ts';
import { installationKey } from '../db/schema.ts';
import type { Secrets } from '../secrets.ts';
import { keyVariables, placeOfKeys, type KeyConfig } from './key-file.ts';
import { keysIn, rowsAfter, sealedColumns } from './sealed-columns.ts';

/**
 * Holds the keys of this server against those that the database needs, before anything is read or written with them. The first
 * server of a database says which they are; of two that start at once the second is held against the first.
 * Throws what is to be done where they do not fit.
 */
export async function adoptKeys({ db }: Database, secrets: Secrets, config: KeyConfig): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE ${installationKey} IN SHARE ROW EXCLUSIVE MODE`);
    const needed = await tx.select().from(installationKey);
    const refuse = (what: string): never => {
      throw new Error(`${what}\n${remedy(config)}`);
    };
    const has = [...secrets.encryptionIds, ...secrets.sessionIds];
    for (const { id, purpose } of needed)
      if (!has.includes(id))
        refuse(`This database needs the ${purpose} key ${id}; this server has ${has.join(', ')}.`);
    if (needed.length === 0 && (await holdsForeign(tx, secrets)))
      refuse('This database contains values encrypted with keys that this server does not have.');
    await note(tx, secrets);
  });
}

function remedy(config: KeyConfig): string {
  return (
    `The keys come from ${placeOfKeys(config)}. Copy keys/secrets.json from the data folder of another server of this ` +
    `database, or from your backup, to the data folder of this server and start it again; or set ${keyVariables} to the same values. ` +
    'See "Keys" in docs/operations.md.'
  );
}

/** A database from before keys were noted: one value of each column tells. */
async function holdsForeign(tx: Transaction, secrets: Secrets): Promise<boolean> {
  for (const column of sealedColumns) {
    const [row] = await rowsAfter(tx, column, '', 1);
    // In JSON a customer's own text may look sealed and be none.
    if (row && column.form === 'text' && keysIn(column, row.content, secrets).length === 0) return true;
  }
  return false;
}

async function note(tx: Transaction, { encryptionIds, sessionIds }: Secrets): Promise<void> {
  const [session] = sessionIds;
  await tx.delete(installationKey).where(eq(installationKey.purpose, 'session'));
  await tx
    .insert(installationKey)
    .values([
      ...encryptionIds.map((id) => ({ id, purpose: 'encryption' as const })),
      { id: session!, purpose: 'session' as const },
    ])
    .onConflictDoNothing();
}

/** To be called once nothing is sealed with it any more. */
export async function forgetKeys({ db }: Database, ids: readonly string[]): Promise<void> {
  await db.delete(installationKey).where(inArray(installationKey.id, [...ids]));
}
