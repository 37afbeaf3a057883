import { changesOf, recordEvent } from '../../events/record-event.ts';
import { checkLimits, writeRevision } from '../site-config/site-config.service.ts';
import { claimDomains, newProofs } from '../site-claim/site-claim.service.ts';
import {
  publishSite,
  siteSubject,
  siteTask,
  type Author,
  type PublishedSite,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';
import { checkOrigins } from '../site-section/site-section.service.ts';
import { lockOrder } from './site-order.ts';
import { newSnapshot, type NewSite } from './site.rules.ts';
import type { Transaction } from '../../db/database.ts';
import { site } from '../../db/schema.ts';

/** A new site with its domains and origins, everything else by default. */
export async function createSite(
  services: SiteWriter,
  author: Author,
  input: NewSite,
): Promise<{ id: number; taskId: number | null }> {
  return services.db.transaction(async (tx) => {
    const made = await insertSite(tx, services, author, input);
    return { id: made.id, taskId: await publishNew(tx, services, author, made) };
  });
}

/** To be followed by its publication in the same transaction: what is done between the two may still wait for locks. */
export async function insertSite(
  tx: Transaction,
  { config }: SiteWriter,
  { session, scope }: Author,
  input: NewSite,
): Promise<PublishedSite> {
  const bought = await lockOrder(tx, scope, input.order_id);
  const { clientId } = bought.order;
  const proofs = await newProofs(tx, session, clientId, input.domains);
  const snapshot = {
    ...newSnapshot(input),
    ...([...proofs.values()].includes('given') ? {} : { status: 'checking' as const }),
  };
  await checkLimits(tx, bought, snapshot, true);
  await checkOrigins(tx, config, snapshot, (index) =>
    index === 0 ? 'origin' : `other_origins.${index - 1}.address`,
  );
  const [row] = await tx
    .insert(site)
    .values({
      clientId,
      orderId: bought.order.id,
      lineGroupId: bought.order.lineGroupId,
      config: snapshot,
      own: snapshot.own,
      status: snapshot.status,
    })
    .returning({ id: site.id });
  const published: PublishedSite = {
    id: row!.id,
    clientId,
    orderId: bought.order.id,
    productId: bought.order.productId,
    lineGroupId: bought.order.lineGroupId,
    snapshot,
  };
  await claimDomains(tx, published, snapshot.domains, proofs);
  await writeRevision(tx, published, 1, 'site', session);
  await recordEvent(tx, {
    kind: 'created',
    subject: siteSubject(published),
    clientId,
    actor: session,
    data: { changes: changesOf(undefined, { order_id: published.orderId, domains: snapshot.domains }) },
  });
  return published;
}

export const publishNew = (
  tx: Transaction,
  { secrets }: SiteWriter,
  { session }: Author,
  made: PublishedSite,
): Promise<number | null> => publishSite(tx, secrets, made, siteTask('site_create', made, session));
