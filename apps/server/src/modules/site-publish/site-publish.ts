import type { SiteDocument } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { followed, replaceUses, withdrawUnused, type EdgeUser } from '../../delivery/edge-use.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Secrets } from '../../secrets.ts';
import { checkServedSoon } from '../served-certificate/served-certificate.service.ts';
import { isServed, isWithheld, noteUnfiled } from '../site-claim/site-claim.service.ts';
import { missingLevels, publishLevels } from '../site-level/site-level.service.ts';
import {
  compileSections,
  documentsUsedBy,
  holdsSecrets,
  openSecrets,
  supplyUses,
} from '../site-section/site-section.service.ts';
import { systemAuthor } from './site-author.ts';
import { siteSubject, type PublishedSite } from './site-row.ts';

/** Turning a site into its edge document, always inside the transaction of the change. */

/**
 * Publishes a site after its levels and what it uses, so that a node never has the one without the others, and takes away what
 * nothing uses any more where it was. `moved`: it was in another line group before.
 */
export async function publishSite(
  tx: Transaction,
  secrets: Secrets,
  published: PublishedSite,
  newTask: NewTask,
  { force, moved = false }: { force?: boolean; moved?: boolean } = {},
): Promise<number | null> {
  await noteFilings(tx, published);
  const uses = documentsUsedBy(published.snapshot);
  const levels = await missingLevels(tx, published);
  const former = await replaceUses(tx, userOf(published), uses, {
    also: levels.flatMap((level) => level.uses),
    ...(moved ? { mayWithdraw: uses } : {}),
  });
  if ([...uses, ...former].some(({ kind }) => kind === 'certificate'))
    await checkServedSoon(tx, published.id);
  let task = await publishLevels(tx, secrets, levels, newTask);
  task = await supplyUses(tx, secrets, uses, [published.lineGroupId], task);
  const { taskId } = await publishDocument(tx, {
    kind: 'site',
    key: String(published.id),
    lineGroupIds: [published.lineGroupId],
    body: compileSite(
      { ...published, snapshot: openSecrets(published.snapshot, secrets) },
      await publishedDomains(tx, published),
      await offlinePages(tx, published.id),
    ),
    task,
    ...(holdsSecrets(published.snapshot) ? { encrypt: secrets.encrypt } : {}),
    ...(force === undefined ? {} : { force }),
  });
  task = followed(taskId, task);
  await withdrawUnused(tx, moved ? [...former, ...uses] : former, task);
  return 'id' in task ? task.id : null;
}

/** Its customer is told of domains that nodes do not serve from now on. */
async function noteFilings(tx: Transaction, published: PublishedSite): Promise<void> {
  const domains = await noteUnfiled(tx, published);
  if (domains.length === 0) return;
  await recordEvent(tx, {
    kind: 'filing_lacking',
    subject: siteSubject(published),
    clientId: published.clientId,
    actor: systemAuthor,
    data: { facts: { domains: domains.slice(0, 20).join(', ') } },
  });
}

const userOf = ({ id }: PublishedSite): EdgeUser => ({ kind: 'site', id });

export async function unpublishSite(
  tx: Transaction,
  published: PublishedSite,
  task: NewTask,
): Promise<number | null> {
  const former = await replaceUses(tx, userOf(published), []);
  const { taskId } = await removeDocument(tx, { kind: 'site', key: String(published.id), task });
  await withdrawUnused(tx, former, followed(taskId, task));
  return taskId;
}

interface PublishedDomain {
  domain: string;
  served: boolean;
  unfiled: boolean;
}

/** The names that nodes are told of: none that would take visitors from another customer. */
async function publishedDomains(
  tx: Transaction,
  { id, clientId }: PublishedSite,
): Promise<PublishedDomain[]> {
  const name = sql`d`;
  return rowsOf<PublishedDomain>(
    tx,
    sql`SELECT d.domain, ${isServed(name)} AS served, d.unfiled FROM site_domain d
        WHERE d.site_id = ${id} AND NOT ${isWithheld(name, sql`${clientId}`)} ORDER BY d.position`,
  );
}

/** Pages that operators, or the setting of violations, took offline. */
async function offlinePages(tx: Transaction, siteId: number): Promise<string[]> {
  const rows = await rowsOf<{ page: string }>(
    tx,
    sql`SELECT DISTINCT host || request_uri AS page FROM site_violation
        WHERE site_id = ${siteId} AND action = 'blocked' ORDER BY 1`,
  );
  return rows.map(({ page }) => page);
}

/** What is not set on the site itself is left out: its levels say it, and every node holds all documents in memory. */
function compileSite(published: PublishedSite, names: PublishedDomain[], offline: string[]): SiteDocument {
  const { snapshot } = published;
  const waiting = names.filter(({ served }) => !served).map(({ domain }) => domain);
  const unfiled = names.filter((name) => name.unfiled).map(({ domain }) => domain);
  const sections = compileSections(snapshot);
  // An older node, which knows nothing of it, would serve what is not to be served.
  const kept = {
    ...(unfiled.length === 0 ? {} : { unfiled_domains: unfiled }),
    ...(offline.length === 0 ? {} : { offline_pages: offline }),
  };
  const needs = [...(sections.needs ?? []), ...Object.keys(kept).map((name) => `section.${name}`)];
  return {
    site_id: published.id,
    client_id: published.clientId,
    order_id: published.orderId,
    product_id: published.productId,
    status: snapshot.status,
    ...(snapshot.status_reason === 'none' ? {} : { status_reason: snapshot.status_reason }),
    domains: names.map(({ domain }) => domain),
    ...(waiting.length === 0 ? {} : { waiting_domains: waiting }),
    ...sections,
    ...kept,
    ...(needs.length === 0 ? {} : { needs: needs.toSorted() }),
  };
}
