import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { acmeAccount, certificateOrder, site } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvent } from '../../events/record-event.ts';
import { owned } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { siteWithin, type Author } from '../site-publish/site-publish.service.ts';
import { beginTries } from './certificate-order.service.ts';
import { addSteps } from './certificate-order.store.ts';
import { provenNames } from './order-names.ts';

/** Certificates for sites: all their verified domains, followed from then on. By http-01, which asks for nothing to be set up. */

interface Application {
  id: number;
  begun: boolean;
  /** There is an order already, which has no certificate that is good, and nothing is under way. */
  waits: boolean;
}

export async function applyForSite(
  { db }: Services,
  author: Author,
  siteId: number,
): Promise<{ id: number }> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(site).where(siteWithin(author.scope, siteId));
    if (!row || row.removedAt !== null) throw notFound();
    const made = await apply(tx, author, row);
    const { name: by } = author.session;
    if (made?.begun === true) await beginTries(tx, [made.id], { by });
    // Whoever asks again does not wait for the next attempt.
    else if (made?.waits === true)
      await beginTries(tx, [made.id], { by, steps: [{ kind: 'asked', facts: { by } }] });
    if (made === undefined) throw new ApiError('certificate_names_unproven');
    return { id: made.id };
  });
}

export async function applyForSites({ db }: Services, author: Author, siteIds: readonly number[]) {
  const ids = [...new Set(siteIds)];
  const rows = await db
    .select()
    .from(site)
    .where(and(inArray(site.id, ids), owned(site, author.scope), isNull(site.removedAt)))
    .orderBy(site.id);
  const missing = siteIds.findIndex((id) => !rows.some((row) => row.id === id));
  if (missing >= 0) throw invalid(`site_ids.${missing}`, 'does_not_exist');
  const counts = { begun: 0, already: 0, without_domains: 0 };
  // They wait for their turn: so many at once are no storm at the authority.
  for (const row of rows) {
    const made = await db.transaction((tx) => apply(tx, author, row));
    if (made === undefined) counts.without_domains += 1;
    else if (made.begun) counts.begun += 1;
    else counts.already += 1;
  }
  return counts;
}

/** Makes the order, which is due at once. Undefined where the site has no domain that can be proven so. */
async function apply(
  tx: Transaction,
  { session }: Author,
  { id: siteId, clientId }: typeof site.$inferSelect,
): Promise<Application | undefined> {
  const [{ names } = { names: null }] = await rowsOf<{ names: string[] | null }>(
    tx,
    sql`SELECT ${provenNames(sql`${siteId}`)} AS names`,
  );
  if (names === null) return undefined;
  if ((await tx.$count(acmeAccount, eq(acmeAccount.enabled, true))) === 0)
    throw new ApiError('certificate_account_missing');
  const [made] = await tx
    .insert(certificateOrder)
    .values({
      clientId,
      name: names[0]!,
      domains: names,
      challenge: 'http-01',
      reuseKey: false,
      siteId,
      nextAt: sql`now()`,
    })
    .onConflictDoNothing({ target: certificateOrder.siteId })
    .returning();
  if (!made) {
    const [known] = await tx.select().from(certificateOrder).where(eq(certificateOrder.siteId, siteId));
    return (
      known && { id: known.id, begun: false, waits: known.state !== 'valid' && known.state !== 'working' }
    );
  }
  const { id, name } = made;
  const subject = { kind: 'certificate_order', id, name } as const;
  await recordEvent(tx, { kind: 'created', subject, clientId, actor: session });
  await addSteps(tx, id, [{ kind: 'asked', facts: { by: session.name } }]);
  return { id, begun: true, waits: false };
}
