import { adminPermissions, type AdminPermission } from '@breakwater/contract';
import { and, arrayContains, eq, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { adminGroup, adminUser } from '../../db/schema.ts';

const administratorsLock = 728_141_903;

/** Two who change administrators or groups take turns: what each checks stays true until it is written. */
export const lockAdministrators = (tx: Transaction) =>
  tx.execute(sql`SELECT pg_advisory_xact_lock(${administratorsLock})`);

/**
 * Changes administrators or their groups. `change` gets what its author holds by now, which a change before it may have
 * taken. Throws `last_owner` where nobody who is enabled would hold every permission: since one cannot grant what one
 * does not hold, nobody could give it back.
 */
export async function changeAdministrators<Result>(
  { db }: Database,
  author: { id: number },
  change: (tx: Transaction, held: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const result = await change(tx, await heldBy(tx, author.id));
    const [owner] = await tx
      .select({ id: adminUser.id })
      .from(adminUser)
      .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
      .where(and(eq(adminUser.enabled, true), arrayContains(adminGroup.permissions, adminPermissions)))
      .limit(1);
    if (!owner) throw new ApiError('last_owner');
    return result;
  });
}

async function heldBy(tx: Transaction, id: number): Promise<ReadonlySet<string>> {
  const [row] = await tx
    .select({ permissions: adminGroup.permissions })
    .from(adminUser)
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
    .where(and(eq(adminUser.id, id), eq(adminUser.enabled, true)));
  if (!row) throw new ApiError('session_revoked');
  return new Set(row.permissions);
}

/** Those of the catalogue, in its order, each once. */
export const inCatalogue = (names: readonly string[]): AdminPermission[] =>
  adminPermissions.filter((name) => names.includes(name));

export const holdsAll = (held: ReadonlySet<string>, names: readonly string[]): boolean =>
  inCatalogue(names).every((name) => held.has(name));
