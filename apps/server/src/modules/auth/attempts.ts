import { inArray, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { signInAttempt } from '../../db/schema.ts';

const windowMinutes = 15;
const failuresMax = { account: 5, address: 30 };

/** Who is counted: the account that is tried, and the address that tries. */
export interface Attempt {
  account: string;
  address: string;
}

const keysOf = ({ account, address }: Attempt) => ({
  account: `account:${account.toLowerCase()}`,
  address: `address:${address}`,
});

/**
 * Counts a sign-in before its password is looked at, so that tries in parallel count too. Throws `too_many_attempts`
 * past 5 failures of an account or 30 from an address within 15 minutes.
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { account, address } = keysOf(attempt);
  const expired = sql`${signInAttempt.windowStart} < now() - make_interval(mins => ${windowMinutes})`;
  const rows = await db
    .insert(signInAttempt)
    .values([account, address].sort().map((key) => ({ key, failed: 1, windowStart: sql`now()` })))
    .onConflictDoUpdate({
      target: signInAttempt.key,
      set: {
        failed: sql`CASE WHEN ${expired} THEN 1 ELSE ${signInAttempt.failed} + 1 END`,
        windowStart: sql`CASE WHEN ${expired} THEN now() ELSE ${signInAttempt.windowStart} END`,
      },
    })
    .returning();
  const failed = new Map(rows.map((row) => [row.key, row.failed]));
  if ((failed.get(account) ?? 0) > failuresMax.account || (failed.get(address) ?? 0) > failuresMax.address)
    throw new ApiError('too_many_attempts');
}

/** A success clears the account, and gives the address its one try back. */
export async function clearAttempts(db: Db, attempt: Attempt): Promise<void> {
  const { account, address } = keysOf(attempt);
  await db.delete(signInAttempt).where(inArray(signInAttempt.key, [account]));
  await db.execute(
    sql`UPDATE ${signInAttempt} SET failed = failed - 1 WHERE key = ${address} AND failed > 0`,
  );
}

/** Forgets windows that are over. */
export async function pruneAttempts(db: Db): Promise<void> {
  await db.execute(
    sql`DELETE FROM ${signInAttempt} WHERE window_start < now() - make_interval(mins => ${windowMinutes})`,
  );
}
