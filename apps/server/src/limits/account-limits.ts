import { callCosts, type AccountLimits as Limits, type CallCost } from '@breakwater/contract';
import { lt, sql } from 'drizzle-orm';
import { ApiError } from '../api-error.ts';
import type { Db } from '../db/database.ts';
import { accountUsage } from '../db/schema.ts';
import { readAccountLimits } from '../modules/setting/setting.store.ts';

/**
 * How much one account may ask for, whatever sessions and tokens it asks by; the members of a
 * customer's account ask for the customer. Plain requests are counted in each process, for
 * what they are kept from is its processor, and a count in the database would cost as much as the request. What costs more is
 * counted in the database, for all servers together: log store, disk and other people's servers are there once.
 */

const windowSeconds = { expensive: 60, upload: 3600, refresh: 3600 } as const satisfies Record<
  CallCost,
  number
>;
const requestWindowMs = 60_000;
/** So old a setting may be in a process. */
const settingMs = 5000;

export const limitKinds = ['request', ...callCosts] as const;
type Kind = (typeof limitKinds)[number];

export class AccountLimits {
  /** Calls that were refused since the start of this process. */
  readonly refused: Record<Kind, number> = { request: 0, expensive: 0, upload: 0, refresh: 0 };
  readonly #db: Db;
  #requests = new Map<string, number>();
  #requestsEnd = 0;
  #limits: { value: Limits; until: number } | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Counts a call before its body is read. Throws `too_many_requests` with the seconds until the next window. */
  async take(account: string, cost: CallCost | undefined): Promise<void> {
    const limits = await this.#read();
    this.#takeRequest(account, limits.requests_per_minute);
    if (cost === undefined) return;
    const max = {
      expensive: limits.expensive_per_minute,
      upload: limits.uploads_per_hour,
      refresh: limits.refreshes_per_hour,
    }[cost];
    const { used, seconds } = await this.#count(account, cost);
    if (used > max) this.#refuse(cost, seconds);
  }

  #takeRequest(account: string, max: number): void {
    const now = Date.now();
    if (now >= this.#requestsEnd) {
      this.#requests = new Map();
      this.#requestsEnd = now + requestWindowMs;
    }
    const used = (this.#requests.get(account) ?? 0) + 1;
    this.#requests.set(account, used);
    if (used > max) this.#refuse('request', Math.ceil((this.#requestsEnd - now) / 1000));
  }

  async #count(account: string, cost: CallCost): Promise<{ used: number; seconds: number }> {
    const isOver = sql`${accountUsage.endsAt} <= now()`;
    const end = sql`now() + make_interval(secs => ${windowSeconds[cost]})`;
    const [row] = await this.#db
      .insert(accountUsage)
      .values({ account, cost, used: 1, endsAt: end })
      .onConflictDoUpdate({
        target: [accountUsage.account, accountUsage.cost],
        set: {
          used: sql`CASE WHEN ${isOver} THEN 1 ELSE ${accountUsage.used} + 1 END`,
          endsAt: sql`CASE WHEN ${isOver} THEN ${end} ELSE ${accountUsage.endsAt} END`,
        },
      })
      .returning({
        used: accountUsage.used,
        seconds: sql<number>`greatest(1, ceil(extract(epoch FROM ${accountUsage.endsAt} - now())))::int`,
      });
    return row!;
  }

  #refuse(kind: Kind, seconds: number): never {
    this.refused[kind] += 1;
    throw new ApiError('too_many_requests', [], seconds);
  }

  async #read(): Promise<Limits> {
    if (this.#limits === undefined || this.#limits.until <= Date.now())
      this.#limits = { value: await readAccountLimits(this.#db), until: Date.now() + settingMs };
    return this.#limits.value;
  }
}

/** Forgets windows that are over. */
export async function pruneAccountUsage(db: Db): Promise<void> {
  await db.delete(accountUsage).where(lt(accountUsage.endsAt, sql`now()`));
}
