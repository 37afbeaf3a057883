import { setTimeout as sleep } from 'node:timers/promises';
import { parseAddress, visitorKey } from '@breakwater/policy/address/ip';
import { eq, inArray, or, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { signInAttempt } from '../../db/schema.ts';
import type { Account } from './session.store.ts';

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
/**
 * Codes of an authenticator app have six digits, of which three count at any time: an account takes so many wrong ones from
 * everywhere together. Only who has the password gets as far as this.
 */
const codeFailuresMax = 10;

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
  const of = await count(db, Object.values(keys));
  if (of(keys.pair) > failuresMax.pair || of(keys.address) > failuresMax.address)
    throw new ApiError('too_many_attempts', [], windowMinutes * 60);
  const delay = of(keys.account) > accountFailuresFree ? accountDelay : 0;
  await sleep(Math.max(delay, pairDelays[of(keys.pair) - 1] ?? 0));
}

/** Counts each key once more; answers how often each was counted in its window. */
async function count(db: Db, keys: readonly string[]): Promise<(key: string) => number> {
  const expired = sql`${signInAttempt.windowStart} < now() - make_interval(mins => ${windowMinutes})`;
  const rows = await db
    .insert(signInAttempt)
    // In one order, so that two at once do not wait for each other.
    .values(keys.toSorted().map((key) => ({ key, failed: 1, windowStart: sql`now()` })))
    .onConflictDoUpdate({
      target: signInAttempt.key,
      set: {
        failed: sql`CASE WHEN ${expired} THEN 1 ELSE ${signInAttempt.failed} + 1 END`,
        windowStart: sql`CASE WHEN ${expired} THEN now() ELSE ${signInAttempt.windowStart} END`,
      },
    })
    .returning();
  const failed = new Map(rows.map((row) => [row.key, row.failed]));
  return (key) => failed.get(key) ?? 0;
}

/** A right password whose code is yet to come is no failure, and clears none. */
export async function returnAttempt(db: Db, attempt: Attempt): Promise<void> {
  await giveBack(db, Object.values(keysOf(attempt)));
}

const codeKey = ({ kind, id }: Account) => `code:${kind} ${id}`;

/** Counts a code of an authenticator app before it is looked at. Throws `too_many_attempts` past 10 failures of an account. */
export async function countCode(db: Db, owner: Account): Promise<void> {
  const key = codeKey(owner);
  if ((await count(db, [key]))(key) > codeFailuresMax)
    throw new ApiError('too_many_attempts', [], windowMinutes * 60);
}

export async function clearCodes(db: Db, owner: Account): Promise<void> {
  await db.delete(signInAttempt).where(eq(signInAttempt.key, codeKey(owner)));
}

/** A success clears what the address got wrong of the account, and gives both their one try back. */
export async function clearAttempts(db: Db, attempt: Attempt): Promise<void> {
  const { pair, account, address } = keysOf(attempt);
  await db.delete(signInAttempt).where(eq(signInAttempt.key, pair));
  await giveBack(db, [account, address]);
}

async function giveBack(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .update(signInAttempt)
    .set({ failed: sql`greatest(${signInAttempt.failed} - 1, 0)` })
    .where(inArray(signInAttempt.key, [...keys]));
}

/** A sign-in name is one of a console: customers and their members have theirs together. */
export const triedName = (kind: Account['kind'], signInName: string): string =>
  `${kind === 'admin' ? 'admin' : 'client'}:${signInName.toLowerCase()}`;

/** Forgets what was got wrong of an account, wherever it came from. */
export async function forgetAttempts(db: Db, owner: Account, signInName: string): Promise<void> {
  const account = triedName(owner.kind, signInName);
  await db
    .delete(signInAttempt)
    .where(
      or(
        sql`starts_with(${signInAttempt.key}, ${`pair:${account} `})`,
        inArray(signInAttempt.key, [`account:${account}`, codeKey(owner)]),
      ),
    );
}

/** Forgets windows that are over. */
export async function pruneAttempts(db: Db): Promise<void> {
  await db.execute(
    sql`DELETE FROM ${signInAttempt} WHERE window_start < now() - make_interval(mins => ${windowMinutes})`,
  );
}
