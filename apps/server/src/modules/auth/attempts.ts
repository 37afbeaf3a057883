import { setTimeout as sleep } from 'node:timers/promises';
import { parseAddress, visitorKey } from '@breakwater/policy/ip';
import { eq, inArray, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { signInAttempt } from '../../db/schema.ts';

/**
 * Wrong sign-ins are refused by account and address together, and by address: so nobody can keep another from signing in
 * by being wrong in their name. Tries for one account from everywhere are only slowed down.
 */
const windowMinutes = 15;
const failuresMax = { pair: 5, address: 30 };
/** Milliseconds before the third, fourth and fifth try of an account from one address. */
const pairDelays = [0, 0, 500, 1000, 2000];
/** So many of an account, from everywhere, and each further one waits. */
const accountFailuresFree = 20;
const accountDelay = 2000;

/** Who is counted: the account that is tried, and the address that tries. */
export interface Attempt {
  account: string;
  address: string;
}

/** One subscriber has a /64 of IPv6, so that is one address. */
function keysOf({ account, address }: Attempt) {
  const parsed = parseAddress(address);
  const from = parsed ? visitorKey(parsed) : address;
  const name = account.toLowerCase();
  return { pair: `pair:${name} ${from}`, account: `account:${name}`, address: `address:${from}` };
}

/**
 * Counts a sign-in before its password is looked at, so that tries in parallel count too, and waits where there were many.
 * Throws `too_many_attempts` past 5 failures of an account from an address, or 30 from an address, within 15 minutes.
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<void> {
  const keys = keysOf(attempt);
  const expired = sql`${signInAttempt.windowStart} < now() - make_interval(mins => ${windowMinutes})`;
  const rows = await db
    .insert(signInAttempt)
    // In one order, so that two at once do not wait for each other.
    .values(
      Object.values(keys)
        .sort()
        .map((key) => ({ key, failed: 1, windowStart: sql`now()` })),
    )
    .onConflictDoUpdate({
      target: signInAttempt.key,
      set: {
        failed: sql`CASE WHEN ${expired} THEN 1 ELSE ${signInAttempt.failed} + 1 END`,
        windowStart: sql`CASE WHEN ${expired} THEN now() ELSE ${signInAttempt.windowStart} END`,
      },
    })
    .returning();
  const failed = new Map(rows.map((row) => [row.key, row.failed]));
  const of = (key: string) => failed.get(key) ?? 0;
  if (of(keys.pair) > failuresMax.pair || of(keys.address) > failuresMax.address)
    throw new ApiError('too_many_attempts');
  const delay = of(keys.account) > accountFailuresFree ? accountDelay : 0;
  await sleep(Math.max(delay, pairDelays[of(keys.pair) - 1] ?? 0));
}

/** A success clears what the address got wrong of the account, and gives both their one try back. */
export async function clearAttempts(db: Db, attempt: Attempt): Promise<void> {
  const { pair, account, address } = keysOf(attempt);
  await db.delete(signInAttempt).where(eq(signInAttempt.key, pair));
  await db
    .update(signInAttempt)
    .set({ failed: sql`greatest(${signInAttempt.failed} - 1, 0)` })
    .where(inArray(signInAttempt.key, [account, address]));
}

/** Forgets windows that are over. */
export async function pruneAttempts(db: Db): Promise<void> {
  await db.execute(
    sql`DELETE FROM ${signInAttempt} WHERE window_start < now() - make_interval(mins => ${windowMinutes})`,
  );
}
