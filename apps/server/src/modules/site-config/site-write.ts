import {
  siteSectionNames,
  type SiteRevision,
  type SiteSection,
  type SiteSnapshot,
  type TaskType,
} from '@breakwater/contract';
import { and, count, eq, inArray, isNull, notInArray } from 'drizzle-orm';
import { ApiError, invalid, notFound, type FieldIssue } from '../../api-error.ts';
import type { Config } from '../../config.ts';
import type { Db, Transaction } from '../../db/database.ts';
import {
  certificate,
  order,
  product,
  site,
  siteCertificate,
  siteDomain,
  siteRevision,
} from '../../db/schema.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Secrets } from '../../secrets.ts';
import { ownFields, withSection } from '../../site-values.ts';
import { listsOf, useAddressLists } from '../address-list/address-list.service.ts';
import { readAbove, type Above } from '../site-level/site-level.store.ts';
import { checkAuthorities } from '../certificate/certificate.service.ts';
import { findLoopingOrigins, findPrivateOrigins } from '../site-section/origin-loop.ts';
import { claimDomains, followsProof, newProofs, proofStatus } from '../site-claim/site-proof.ts';
import { lockSite, publishSite, siteTask, toPublished, type PublishedSite } from '../site-publish/site-publish.ts';
import { orderOfNewSite } from '../site/site-order.ts';
import { checkPorts } from '../site-section/listen-port.section.ts';
import { hashPasswords, sealSecrets, visitorsOf } from '../site-section/section-secrets.ts';
import { newSnapshot, type NewSite } from '../site/site.rules.ts';
import { checkSnippet } from './site-snippet.ts';
import { siteWithin } from '../site/site.store.ts';

/** Every change of a site: one transaction with its revision, its edge documents and the task that follows them. */

/** The database may be a transaction: what is written is then part of it. */
export interface SiteWriter {
  db: Db;
  secrets: Secrets;
  config: Pick<Config, 'privateOrigins'>;
}

export interface Saved {
  version: number;
  task_id: number | null;
}
export interface Author {
  session: Session;
  scope: Scope;
}
/** Whom a revision and a task name: a person, or the platform itself. */
export type RevisionAuthor = Pick<Session, 'id' | 'name' | 'kind'> | typeof systemAuthor;
export const systemAuthor = { kind: 'system', id: null, name: 'system' } as const;

export async function createSite(
  { db, secrets, config }: SiteWriter,
  { session, scope }: Author,
  input: NewSite,
): Promise<{ id: number; taskId: number | null }> {
  return db.transaction(async (tx) => {
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
    const taskId = await publishSite(tx, secrets, published, siteTask('site_create', published, session));
    return { id: published.id, taskId };
  });
}

export interface Change {
  section: Exclude<SiteRevision['section'], 'status'>;
  /** The version the caller built on; without one the change goes on top of whatever is there. */
  version?: number | undefined;
  /** Where in the body the changed value stands, for field errors. */
  path: string;
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
    const wanted = hashPasswords(change.apply(before, above), services.secrets);
    const after = sealSecrets(wanted, services.secrets);
    if (JSON.stringify(before) === JSON.stringify(after)) return { version: row.site.version, task_id: null };
    await checkChange(tx, services.config, row.site, before, after, change, author);
    const status = followsProof(after.status) ? await proofStatus(tx, id) : after.status;
    return commitChange(tx, services, row, { ...after, status }, change.section, author.session);
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
): Promise<Saved> {
  const version = row.site.version + 1;
  const published = { ...toPublished(row), snapshot: after };
  const { status, status_reason: statusReason } = after;
  await tx
    .update(site)
    .set({ config: after, own: after.own, status, statusReason, version })
    .where(eq(site.id, row.site.id));
  await writeRevision(tx, published, version, section, author);
  const taskId = await publishSite(tx, secrets, published, siteTask('site_update', published, author), {
    formerCertificateIds: row.site.config.certificate_settings.certificate_ids,
    formerAddressLists: listsOf(row.site.config),
  });
  return { version, task_id: taskId };
}

async function checkChange(
  tx: Transaction,
  config: SiteWriter['config'],
  row: typeof site.$inferSelect,
  before: SiteSnapshot,
  after: SiteSnapshot,
  change: Change,
  { session }: Author,
): Promise<void> {
  if (differs(before.domains, after.domains)) {
    const bought = await readOrder(tx, row.orderId);
    await checkLimits(tx, bought, after, false);
    const added = after.domains.filter((domain) => !before.domains.includes(domain));
    const proofs = await newProofs(tx, session, row.clientId, added);
    await tx
      .delete(siteDomain)
      .where(and(eq(siteDomain.siteId, row.id), notInArray(siteDomain.domain, after.domains)));
    await claimDomains(tx, row, after.domains, proofs);
  }
  if (
    differs(before.origin_server_config, after.origin_server_config) ||
    differs(before.domains, after.domains)
  )
    await checkOrigins(tx, config, after, (index) => `${change.path}.origins.${index}.address`);
  // A file holds no secrets: what it brings stays without until one is set.
  const storage = after.origin_server_config.object_storage;
  if (storage && storage.secret_access_key === undefined && change.section === 'origin_server_config')
    throw invalid(`${change.path}.object_storage.secret_access_key`, 'required');
  checkDirectives(before, after, change);
  if (differs(before.listen_port, after.listen_port))
    await checkPorts(tx, row, before.listen_port, after.listen_port, change.path);
  const visitors = after.certificate_settings.client_certificate;
  if (visitors.mode !== 'off' && visitors.ca !== before.certificate_settings.client_certificate.ca)
    checkAuthorities(visitors.ca, `${change.path}.client_certificate.ca`);
  checkSecrets(after, change);
  if (differs(listsOf(before), listsOf(after)))
    await useAddressLists(tx, row, before, after, {
      isAdmin: session.kind === 'admin',
      path: change.path,
      section: isSection(change.section) ? after[change.section] : undefined,
    });
  if (differs(before.certificate_settings, after.certificate_settings))
    await useCertificates(
      tx,
      row,
      after.certificate_settings.certificate_ids,
      `${change.path}.certificate_ids`,
    );
}

/** What was allowed once is told with the next change of its section; until then nodes leave that line out. */
function checkDirectives(before: SiteSnapshot, after: SiteSnapshot, { section, path }: Change): void {
  const { snippet } = after.advanced_config;
  if (section === 'advanced_config' || before.advanced_config.snippet !== snippet)
    checkSnippet(snippet, `${path}.snippet`);
}

/** A file holds no secrets: what it brings stays without until one is set. */
function checkSecrets(after: SiteSnapshot, { section, path }: Change): void {
  const { signing, basic_auth: login } = after.access_control;
  const missing = (at: string) => invalid(section === 'access_control' ? `${path}.${at}` : path, 'required');
  if (signing.enabled && (signing.secret ?? '') === '') throw missing('signing.secret');
  const bare = visitorsOf(after).findIndex(({ password }) => (password ?? '') === '');
  if (bare >= 0 && login.enabled) throw missing(`basic_auth.users.${bare}.password`);
}

const isSection = (section: Change['section']): section is SiteSection =>
  (siteSectionNames as string[]).includes(section);

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Sends the site to its nodes again, as it is. */
export async function forceSync(
  { db, secrets }: SiteWriter,
  { session, scope }: Author,
  id: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const published = toPublished(await lockSite(tx, siteWithin(scope, id)));
    const type: TaskType = 'site_sync';
    const taskId = await publishSite(tx, secrets, published, siteTask(type, published, session), {
      force: true,
    });
    return taskId!;
  });
}

/** The configuration after a revision, except its status with its reason: a rollback puts no site online. */
export async function rollbackSite(
  services: SiteWriter,
  author: Author,
  id: number,
  input: { version: number; revision_id: number; section?: 'domains' | SiteSection | undefined },
): Promise<Saved> {
  const [revision] = await services.db
    .select()
    .from(siteRevision)
    .innerJoin(site, eq(site.id, siteRevision.siteId))
    .where(and(siteWithin(author.scope, id), eq(siteRevision.id, input.revision_id)));
  if (!revision) throw notFound();
  const { snapshot } = revision.site_revision;
  return changeSite(services, author, id, {
    section: 'rollback',
    version: input.version,
    path: 'revision_id',
    apply: (before) => {
      const { section } = input;
      if (section === 'domains') return { ...before, domains: snapshot.domains };
      if (section !== undefined)
        return withSection(before, section, snapshot[section], ownFields(snapshot, section));
      const { status, status_reason, status_note } = before;
      return { ...snapshot, status, status_reason, status_note };
    },
  });
}

type Bought = Awaited<ReturnType<typeof readOrder>>;

/** The order a new site goes to, locked so that two new sites cannot both take its last place. */
async function lockOrder(tx: Transaction, scope: Scope, wanted: number | undefined): Promise<Bought> {
  const id = await orderOfNewSite(tx, scope, wanted);
  if (id === undefined) throw invalid('order_id', 'required');
  const [locked] = await tx.select().from(order).where(eq(order.id, id)).for('update');
  const visible = locked && ('all' in scope || locked.clientId === scope.clientId);
  if (!visible || locked.status !== 'active' || locked.endAt.getTime() <= Date.now())
    throw invalid('order_id', 'does_not_exist');
  return readOrder(tx, id);
}

async function readOrder(tx: Transaction, id: number) {
  const [row] = await tx
    .select({ order, limits: product.limits })
    .from(order)
    .innerJoin(product, eq(product.id, order.productId))
    .where(eq(order.id, id));
  return row!;
}

async function checkLimits(
  tx: Transaction,
  bought: Bought,
  snapshot: SiteSnapshot,
  adds: boolean,
): Promise<void> {
  const { sites, domains_per_site: domains } = bought.limits;
  if (domains !== null && snapshot.domains.length > domains) throw new ApiError('limit_reached');
  if (!adds || sites === null) return;
  const [counted] = await tx
    .select({ total: count() })
    .from(site)
    .where(and(eq(site.orderId, bought.order.id), isNull(site.removedAt)));
  if ((counted?.total ?? 0) >= sites) throw new ApiError('limit_reached');
}

async function checkOrigins(
  tx: Transaction,
  { privateOrigins }: SiteWriter['config'],
  snapshot: SiteSnapshot,
  pathOf: (index: number) => string,
): Promise<void> {
  const refused = privateOrigins ? [] : findPrivateOrigins(snapshot.origin_server_config);
  if (refused.length > 0)
    throw new ApiError(
      'invalid_input',
      refused.map((index) => ({ path: pathOf(index), issue: 'origin_private' as const })),
    );
  const looping = await findLoopingOrigins(tx, snapshot.origin_server_config, snapshot.domains);
  const fields = looping.map((index): FieldIssue => ({ path: pathOf(index), issue: 'origin_cyclic' }));
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

/** A site uses certificates of its own customer only. */
async function useCertificates(
  tx: Transaction,
  row: typeof site.$inferSelect,
  ids: readonly number[],
  path: string,
) {
  const owned = await tx
    .select({ id: certificate.id })
    .from(certificate)
    .where(and(inArray(certificate.id, [...ids]), eq(certificate.clientId, row.clientId)))
    .for('share');
  const known = new Set(owned.map((found) => found.id));
  const fields = ids.flatMap((id, index): FieldIssue[] =>
    known.has(id) ? [] : [{ path: `${path}.${index}`, issue: 'does_not_exist' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
  await tx.delete(siteCertificate).where(eq(siteCertificate.siteId, row.id));
  const rows = [...known].map((certificateId) => ({ siteId: row.id, certificateId }));
  if (rows.length > 0) await tx.insert(siteCertificate).values(rows);
}

async function writeRevision(
  tx: Transaction,
  of: PublishedSite,
  version: number,
  section: string,
  author: RevisionAuthor,
) {
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
