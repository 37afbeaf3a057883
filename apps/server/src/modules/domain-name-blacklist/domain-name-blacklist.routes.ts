import { domainNameBlacklistRoutes } from '@breakwater/contract';
import { and, desc, eq } from 'drizzle-orm';
import { crud, type Change } from '../../crud.ts';
import type { Transaction } from '../../db/database.ts';
import { containsDomain, countOf } from '../../db/page.ts';
import { domainNameBlacklist, domainNameBlacklistHit, siteDomain } from '../../db/schema.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';
import { implement } from '../../plugins/implement.ts';
import { lockClaims } from '../site-claim/site-claim.service.ts';
import { decideBlacklistHit, listBlacklistHits } from './blacklist-hit.store.ts';

type Row = typeof domainNameBlacklist.$inferSelect;

const plain = crud(domainNameBlacklistRoutes, 'DomainNameBlacklistEntry', 'DomainNameBlacklist', {
  table: domainNameBlacklist,
  subject: 'domain_name_blacklist',
  orderBy: [desc(domainNameBlacklist.id)],
  filter: ({ name, kind }) =>
    and(containsDomain(domainNameBlacklist.name, name), kind && eq(domainNameBlacklist.kind, kind)),
  constraints: { domain_name_blacklist_name_unique: ['name', 'name_taken'] },
  fields: {
    open_count: countOf(
      domainNameBlacklistHit,
      and(
        eq(domainNameBlacklistHit.blacklistId, domainNameBlacklist.id),
        eq(domainNameBlacklistHit.state, 'open'),
      )!,
    ),
  },
  follow,
});

/** What is found by an entry is of the entry as it was: it is searched for anew when that changes. */
async function follow(
  tx: Transaction,
  { kind, before, after }: Change<Row>,
  { session }: { session: { name: string } },
) {
  if (kind === 'removed') return;
  if (kind === 'updated') {
    const same = before.name === after.name && before.kind === after.kind && before.enabled === after.enabled;
    if (same) return;
    await tx.delete(domainNameBlacklistHit).where(eq(domainNameBlacklistHit.blacklistId, after.id));
  } else
    await tx
      .update(domainNameBlacklist)
      .set({ createdBy: session.name })
      .where(eq(domainNameBlacklist.id, after.id));
  if (!after.enabled) return;
  // Whoever is adding a domain is waited for, and found; whoever comes after sees the entry.
  await lockClaims(tx);
  const operation = await createOperation(tx, {
    kind: 'blacklist_scan',
    title: after.name,
    subjectKind: 'domain_name_blacklist',
    subjectId: after.id,
    total: await tx.$count(siteDomain),
    createdBy: session.name,
  });
  await addItems(tx, operation, [{ kind: 'domain_name_blacklist', key: String(after.id) }]);
}

export const domainNameBlacklistModule = implement(domainNameBlacklistRoutes, {
  ...plain,
  listBlacklistHits: ({ services, scope, session, query }) =>
    listBlacklistHits(services.db, scope, query, session.kind === 'admin'),
  decideBlacklistHit: async ({ services, scope, session, params, body }) => {
    await decideBlacklistHit(services, { session, scope }, params.id, body);
    return {};
  },
});
