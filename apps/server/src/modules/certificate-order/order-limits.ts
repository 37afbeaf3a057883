import { acmeLimitHours, type AcmeLimit } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { getDomain } from 'tldts';
import type { Db, Transaction } from '../../db/database.ts';
import { acmeAccount, acmeUsage } from '../../db/schema.ts';
import { integers, rowsOf, texts } from '../../delivery/queryable.ts';
import { directoryOf } from '../acme-account/acme-account.service.ts';
import type { OrderRow } from './certificate-order.store.ts';
import { OrderProblem } from './order-problem.ts';

/** What authorities allow, counted here: an order that would pass a limit waits, and the authority never has to say so. */

type Account = typeof acmeAccount.$inferSelect;

interface Counted {
  kind: AcmeLimit;
  subject: string;
  most: number;
  /** The subject, for people. */
  shown: string;
}

/** Public suffixes include those where everybody has a name of their own below one (`github.io`), as authorities count. */
const registeredDomain = (name: string): string =>
  getDomain(bareOf(name), { allowPrivateDomains: true }) ?? bareOf(name);

const bareOf = (name: string): string => name.replace(/^\*\./, '');

const failuresOf = ({ id }: Account, name: string): string => `${id} ${bareOf(name)}`;

/** Without those that the account does not count. */
function countedFor(account: Account, names: readonly string[]): Counted[] {
  const set = createHash('sha256').update(names.toSorted().join('\n')).digest('hex');
  const domains = [...new Set(names.map(registeredDomain))];
  const counted: Counted[] = [
    ...domains.map((subject) => ({
      kind: 'domain_certificates' as const,
      subject,
      most: account.limitDomainCertificates,
      shown: subject,
    })),
    { kind: 'orders', subject: String(account.id), most: account.limitOrders, shown: account.name },
    ...[...new Set(names.map(bareOf))].map((name) => ({
      kind: 'failures' as const,
      subject: failuresOf(account, name),
      most: account.limitFailures,
      shown: name,
    })),
    { kind: 'duplicates', subject: set, most: account.limitDuplicates, shown: names.join(', ') },
  ];
  return counted.filter(({ most }) => most > 0);
}

/**
 * Counts an order that is about to be made; what it counts for its certificate is taken back where that does not come. Throws
 * `limit_reached` with the time at which the authority allows it, and counts nothing then.
 */
export async function takeRoom(db: Db, row: OrderRow, account: Account): Promise<void> {
  const authority = directoryOf(account);
  const counted = countedFor(account, row.domains);
  await db.transaction(async (tx) => {
    // Of two orders for the last place one finds it taken.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`acme_usage ${authority}`}, 0))`);
    await giveRoomBack(tx, row.id);
    const full = await findFull(tx, authority, counted);
    if (full) throw new LimitReached(full.limit, full.until);
    const asked = counted.filter(({ kind }) => kind !== 'failures');
    if (asked.length === 0) return;
    await tx.insert(acmeUsage).values(
      asked.map(({ kind, subject }) => ({
        authority,
        kind,
        subject,
        orderId: kind === 'orders' ? null : row.id,
      })),
    );
  });
}

/** The limit that lasts longest of those that are used up. */
async function findFull(tx: Transaction, authority: string, counted: readonly Counted[]) {
  const [full] = await rowsOf<{ place: string; until: string }>(
    tx,
    sql`SELECT c.place, extract(epoch FROM u.at + make_interval(hours => c.hours)) * 1000 AS until
        FROM unnest(${texts(counted.map(({ kind }) => kind))}, ${texts(counted.map(({ subject }) => subject))},
            ${integers(counted.map(({ most }) => most))}, ${integers(counted.map(({ kind }) => acmeLimitHours[kind]))})
          WITH ORDINALITY AS c (kind, subject, most, hours, place),
          LATERAL (SELECT at FROM acme_usage WHERE authority = ${authority} AND kind = c.kind AND subject = c.subject
            AND at > now() - make_interval(hours => c.hours) ORDER BY at DESC OFFSET c.most - 1 LIMIT 1) u
        ORDER BY until DESC LIMIT 1`,
  );
  return full && { limit: counted[Number(full.place) - 1]!, until: new Date(Math.ceil(Number(full.until))) };
}

/** The certificate of an order is there: what was counted for it stays. */
export const keepRoom = (tx: Transaction, orderId: number) =>
  tx
    .update(acmeUsage)
    .set({ orderId: null, at: sql`now()` })
    .where(eq(acmeUsage.orderId, orderId));

/** No certificate came of the order. */
export const giveRoomBack = (tx: Transaction, orderId: number) =>
  tx.delete(acmeUsage).where(eq(acmeUsage.orderId, orderId));

/** The authority could not validate these names. */
export async function countFailures(
  tx: Transaction,
  accountId: number,
  names: readonly string[],
): Promise<void> {
  const [account] = await tx.select().from(acmeAccount).where(eq(acmeAccount.id, accountId));
  if (!account || account.limitFailures === 0 || names.length === 0) return;
  const authority = directoryOf(account);
  const subjects = [...new Set(names.map((name) => failuresOf(account, name)))];
  await tx
    .insert(acmeUsage)
    .values(subjects.map((subject) => ({ authority, kind: 'failures' as const, subject })));
}

const daysMax = Math.max(...Object.values(acmeLimitHours)) / 24 + 1;

/** What counts no more. */
export const forgetUsage = (db: Db) =>
  db.execute(sql`DELETE FROM acme_usage WHERE at < now() - make_interval(days => ${daysMax}::integer)`);

export class LimitReached extends OrderProblem {
  constructor({ kind, most, shown }: Counted, until: Date) {
    super('limit_reached', `${shown}: ${most} / ${acmeLimitHours[kind]} h`, {
      retryAt: until,
      facts: { limit: kind, subject: shown.slice(0, 500), most: String(most) },
    });
  }
}
