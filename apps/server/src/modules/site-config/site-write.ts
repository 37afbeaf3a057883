import {
  siteSectionNames,
  type DeliveryTaskType,
  type SiteRevision,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { and, eq, notInArray } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { site, siteDomain, siteRevision } from '../../db/schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { ownFields, withSection } from '../../site-values.ts';
import { claimDomains, followsProof, newProofs, proofStatus } from '../site-claim/site-claim.service.ts';
import { readAbove, type Above } from '../site-level/site-level.store.ts';
import {
  lockSite,
  publishSite,
  siteSubject,
  siteTask,
  siteWithin,
  toPublished,
  type Author,
  type PublishedSite,
  type RevisionAuthor,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';
import { checkSections, checkUses, configDiff } from '../site-section/site-section.service.ts';
import { readConfig } from './site-config.store.ts';
import { checkLimits, readOrder } from './site-limits.ts';

/** Every change of a site: one transaction with its revision, its edge documents and the task that follows them. */

export interface Saved {
  version: number;
  task_id: number | null;
}

export interface Change {
  section: Exclude<SiteRevision['section'], 'status'>;
  /** The version the caller built on; without one the change goes on top of whatever is there. */
  version?: number | undefined;
  /** Of its delivery; an update unless said. */
  task?: DeliveryTaskType;
  /** Where in the body the changed value stands, for field errors. */
  path: string;
  /** Gives the configuration afterwards. Secrets in it are sealed. */
  apply: (before: SiteSnapshot, above: Above) => SiteSnapshot;
}

/** Applies one change. A caller who built on an older version is told so, and nothing is written. */
export async function changeSite(
  services: SiteWriter,
  author: Author,
  id: number,
  change: Change,
): Promise<Saved> {
  return services.db.transaction(async (tx) => {
    const row = await lockSite(tx, siteWithin(author.scope, id));
    if (change.version !== undefined && row.site.version !== change.version)
      throw new ApiError('stale_version');
    const before = row.site.config;
    const above = await readAbove(tx, { clientId: row.site.clientId, productId: row.productId });
    const after = change.apply(before, above);
    if (JSON.stringify(before) === JSON.stringify(after)) return { version: row.site.version, task_id: null };
    await checkChange(tx, services.config, row.site, before, after, change, author);
    const status = followsProof(after.status) ? await proofStatus(tx, id) : after.status;
    return commitChange(tx, services, row, { ...after, status }, change.section, author.session, change.task);
  });
}

/** Writes what a site is from now on: its row, a revision, and what goes to the nodes. */
export async function commitChange(
  tx: Transaction,
  { secrets }: Pick<SiteWriter, 'secrets'>,
  row: Awaited<ReturnType<typeof lockSite>>,
  after: SiteSnapshot,
  section: Change['section'] | 'status',
  author: RevisionAuthor,
  task: DeliveryTaskType = 'site_update',
): Promise<Saved> {
  const version = row.site.version + 1;
  const published = { ...toPublished(row), snapshot: after };
  const { status, status_reason: statusReason } = after;
  await tx
    .update(site)
    .set({ config: after, own: after.own, status, statusReason, version })
    .where(eq(site.id, row.site.id));
  await writeRevision(tx, published, version, section, author);
  await recordEvent(tx, {
    kind: kindOf[section as keyof typeof kindOf] ?? 'section_changed',
    subject: siteSubject(published),
    clientId: published.clientId,
    actor: author,
    data: {
      section,
      facts: { version },
      changes: configDiff(row.site.config, after, secrets),
    },
  });
  const taskId = await publishSite(tx, secrets, published, siteTask(task, published, author));
  return { version, task_id: taskId };
}

/** What happens to a site when this is written, where it is not one of its sections. */
const kindOf = {
  domains: 'domains_changed',
  import: 'imported',
  rollback: 'rolled_back',
  status: 'status_changed',
} as const;

async function checkChange(
  tx: Transaction,
  config: SiteWriter['config'],
  row: typeof site.$inferSelect,
  before: SiteSnapshot,
  after: SiteSnapshot,
  change: Change,
  { session }: Author,
): Promise<void> {
  if (differs(before.domains, after.domains)) await changeDomains(tx, row, before, after, session);
  const { path } = change;
  const changed = isSection(change.section) ? change.section : undefined;
  await checkSections({ tx, config, site: row, before, after, path, changed });
  await checkUses(tx, row, before, after, {
    isAdmin: session.kind === 'admin',
    path,
    section: changed && after[changed],
  });
}

async function changeDomains(
  tx: Transaction,
  row: typeof site.$inferSelect,
  before: SiteSnapshot,
  after: SiteSnapshot,
  session: Session,
): Promise<void> {
  await checkLimits(tx, await readOrder(tx, row.orderId), after, false);
  const added = after.domains.filter((domain) => !before.domains.includes(domain));
  const proofs = await newProofs(tx, session, row.clientId, added);
  await tx
    .delete(siteDomain)
    .where(and(eq(siteDomain.siteId, row.id), notInArray(siteDomain.domain, after.domains)));
  await claimDomains(tx, row, after.domains, proofs);
}

const isSection = (section: Change['section']): section is SiteSection =>
  (siteSectionNames as string[]).includes(section);

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** The configuration after a revision, except its status with its reason: a rollback puts no site online. */
export async function rollbackSite(
  services: SiteWriter,
  author: Author,
  id: number,
  input: RollbackTarget & { version: number },
): Promise<Saved> {
  const snapshot = await readSnapshot(services.db, author.scope, id, input.revision_id);
  return changeSite(services, author, id, {
    section: 'rollback',
    version: input.version,
    path: 'revision_id',
    apply: (before) => rolledBack(before, snapshot, input.section),
  });
}

interface RollbackTarget {
  revision_id: number;
  section?: 'domains' | SiteSection | undefined;
}

/** What a rollback would change of what is in force now. */
export async function previewRollback(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  scope: Scope,
  id: number,
  { revision_id, section }: RollbackTarget,
) {
  const { version, config } = await readConfig(db, scope, id);
  const snapshot = await readSnapshot(db, scope, id, revision_id);
  return { version, diff: configDiff(config, rolledBack(config, snapshot, section), secrets) };
}

async function readSnapshot(db: Db, scope: Scope, id: number, revisionId: number): Promise<SiteSnapshot> {
  const [revision] = await db
    .select()
    .from(siteRevision)
    .innerJoin(site, eq(site.id, siteRevision.siteId))
    .where(and(siteWithin(scope, id), eq(siteRevision.id, revisionId)));
  if (!revision) throw notFound();
  return revision.site_revision.snapshot;
}

function rolledBack(
  before: SiteSnapshot,
  snapshot: SiteSnapshot,
  section: RollbackTarget['section'],
): SiteSnapshot {
  if (section === 'domains') return { ...before, domains: snapshot.domains };
  if (section !== undefined)
    return withSection(before, section, snapshot[section], ownFields(snapshot, section));
  const { status, status_reason, status_note } = before;
  return { ...snapshot, status, status_reason, status_note };
}

export async function writeRevision(
  tx: Transaction,
  of: PublishedSite,
  version: number,
  section: string,
  author: RevisionAuthor,
): Promise<void> {
  await tx.insert(siteRevision).values({
    siteId: of.id,
    version,
    section,
    authorType: author.kind,
    authorId: author.id,
    authorName: author.name,
    snapshot: of.snapshot,
  });
}
