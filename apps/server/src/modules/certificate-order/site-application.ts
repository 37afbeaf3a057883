import { and, eq, inArray, isNull } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { acmeAccount, site } from '../../db/schema.ts';
import { owned } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { lockSiteIfThere, siteWithin, type Author } from '../site-publish/site-publish.service.ts';
import { beginTries } from './certificate-order.service.ts';
import { divideNames, furtherOrders } from './order-division.ts';
import { readProvenNames } from './order-names.ts';
import { addOrder, lockOrdersOfSite, shareOf } from './site-orders.ts';

/** Certificates for sites: all their verified domains, followed from then on. By http-01, which asks for nothing to be set up. */

interface Application {
  /** All that the site has by now. */
  ids: number[];
  /** Those that were made here. */
  begun: number[];
  /** Those that have no certificate that is good, and of which nothing is under way. */
  waiting: number[];
}

export async function applyForSite(
  { db }: Services,
  author: Author,
  siteId: number,
): Promise<{ id: number }> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select({ id: site.id }).from(site).where(siteWithin(author.scope, siteId));
    if (!row) throw notFound();
    const made = await apply(tx, author, siteId);
    if (made === undefined) throw new ApiError('certificate_names_unproven');
    const { name: by } = author.session;
    if (made.begun.length > 0) await beginTries(tx, made.begun, { by });
    // Whoever asks again does not wait for the next attempt.
    if (made.waiting.length > 0)
      await beginTries(tx, made.waiting, { by, steps: [{ kind: 'asked', facts: { by } }] });
    return { id: made.ids[0]! };
  });
}

export async function applyForSites({ db }: Services, author: Author, siteIds: readonly number[]) {
  const ids = [...new Set(siteIds)];
  const rows = await db
    .select({ id: site.id })
    .from(site)
    .where(and(inArray(site.id, ids), owned(site, author.scope), isNull(site.removedAt)))
    .orderBy(site.id);
  const missing = siteIds.findIndex((id) => !rows.some((row) => row.id === id));
  if (missing >= 0) throw invalid(`site_ids.${missing}`, 'does_not_exist');
  const counts = { begun: 0, already: 0, without_domains: 0 };
  // They wait for their turn: so many at once are no storm at the authority.
  for (const { id } of rows) {
    const made = await db.transaction((tx) => apply(tx, author, id));
    if (made === undefined) counts.without_domains += 1;
    else if (made.begun.length > 0) counts.begun += 1;
    else counts.already += 1;
  }
  return counts;
}

/** Makes what is missing, which is due at once. Undefined where the site has no domain that can be proven so. */
async function apply(tx: Transaction, { session }: Author, siteId: number): Promise<Application | undefined> {
  const row = await lockSiteIfThere(tx, siteId);
  if (!row) throw notFound();
  const names = await readProvenNames(tx, siteId, 'http-01');
  if (names.length === 0) return undefined;
  if ((await tx.$count(acmeAccount, eq(acmeAccount.enabled, true))) === 0)
    throw new ApiError('certificate_account_missing');
  const orders = await lockOrdersOfSite(tx, siteId);
  const waiting = orders.filter(({ state }) => state === 'waiting' || state === 'failed').map(({ id }) => id);
  const begun: number[] = [];
  // What one of them has room for it takes by itself.
  for (const domains of furtherOrders(divideNames(names, orders.map(shareOf)).rest)) {
    const values = {
      siteId,
      clientId: row.site.clientId,
      domains,
      challenge: 'http-01' as const,
      reuseKey: false,
    };
    const steps = [{ kind: 'asked' as const, facts: { by: session.name } }];
    begun.push((await addOrder(tx, orders, values, { actor: session, steps })).id);
  }
  return { ids: orders.map(({ id }) => id), begun, waiting };
}
