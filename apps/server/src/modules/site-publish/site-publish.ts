import { isDeepStrictEqual } from 'node:util';
import {
  maintenance as maintenanceSchema,
  siteSections,
  type SiteDocument,
  type SiteSnapshot,
  type TaskType,
} from '@breakwater/contract';
import { asc, eq, sql, type SQL } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { certificate, order, site, siteCertificate } from '../../db/schema.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Secrets } from '../../secrets.ts';
import { listsOf, publishAddressList } from '../address-list/address-list.service.ts';
import { compileOwn, publishMissingLevels } from '../site-level/site-level-publish.ts';
import { compileDevelopment } from '../site-section/cache-rule.section.ts';
import { asksForPlaces, publishIpData } from '../ip-data/ip-data.service.ts';
import { compileOrigins } from '../site-section/origin-server-config.section.ts';
import { isServed, isWithheld } from '../site-claim/site-overlap.ts';
import { openSecrets, visitorsOf } from '../site-section/section-secrets.ts';

/** Turning a site and its certificates into edge documents, always inside the transaction of the change. */

export interface PublishedSite {
  id: number;
  clientId: number;
  orderId: number;
  productId: number;
  lineGroupId: number;
  snapshot: SiteSnapshot;
}

export function siteTask(type: TaskType, published: PublishedSite, author: { name: string }): NewTask {
  return {
    type,
    title: published.snapshot.domains[0] ?? String(published.id),
    objectKind: 'site',
    objectId: published.id,
    clientId: published.clientId,
    createdBy: author.name,
  };
}

/** Publishes a site after its levels and certificates, so that a node never has the one without the others. */
export async function publishSite(
  tx: Transaction,
  secrets: Secrets,
  published: PublishedSite,
  newTask: NewTask,
  options: { force?: boolean; formerCertificateIds?: readonly number[]; formerAddressLists?: number[] } = {},
): Promise<number | null> {
  const { certificate_ids: certificateIds } = published.snapshot.certificate_settings;
  let task = await publishMissingLevels(tx, published, newTask);
  for (const id of certificateIds) {
    const { taskId } = await publishCertificate(tx, secrets, id, task);
    if (taskId !== null) task = { id: taskId };
  }
  const lists = listsOf(published.snapshot);
  for (const id of lists) {
    const taskId = await publishAddressList(tx, id, task);
    if (taskId !== null) task = { id: taskId };
  }
  if (asksForPlaces(published.snapshot)) {
    const taskId = await publishIpData(tx, [published.lineGroupId], task);
    if (taskId !== null) task = { id: taskId };
  }
  const { taskId } = await publishDocument(tx, {
    kind: 'site',
    key: String(published.id),
    lineGroupIds: [published.lineGroupId],
    body: compileSite(
      { ...published, snapshot: openSecrets(published.snapshot, secrets) },
      await publishedDomains(tx, published),
    ),
    task,
    ...(holdsSecrets(published.snapshot) ? { encrypt: secrets.encrypt } : {}),
    ...(options.force === undefined ? {} : { force: options.force }),
  });
  if (taskId !== null) task = { id: taskId };
  for (const id of options.formerCertificateIds ?? [])
    if (!certificateIds.includes(id)) await publishCertificate(tx, secrets, id, task);
  for (const id of options.formerAddressLists ?? [])
    if (!lists.includes(id)) await publishAddressList(tx, id, task);
  return 'id' in task ? task.id : null;
}

/** Its document is kept encrypted. */
const holdsSecrets = (snapshot: SiteSnapshot): boolean =>
  snapshot.origin_server_config.object_storage !== undefined ||
  (snapshot.access_control.signing.secret ?? '') !== '' ||
  visitorsOf(snapshot).length > 0;

export async function unpublishSite(
  tx: Transaction,
  secrets: Secrets,
  published: PublishedSite,
  task: NewTask,
): Promise<number | null> {
  const removed = await removeDocument(tx, { kind: 'site', key: String(published.id), task });
  const followUp = removed.taskId === null ? task : { id: removed.taskId };
  for (const id of published.snapshot.certificate_settings.certificate_ids)
    await publishCertificate(tx, secrets, id, followUp);
  for (const id of listsOf(published.snapshot)) await publishAddressList(tx, id, followUp);
  return removed.taskId;
}

interface PublishedDomain {
  domain: string;
  served: boolean;
}

/** The names that nodes are told of: none that would take visitors from another customer. */
async function publishedDomains(
  tx: Transaction,
  { id, clientId }: PublishedSite,
): Promise<PublishedDomain[]> {
  const name = sql`d`;
  return rowsOf<PublishedDomain>(
    tx,
    sql`SELECT d.domain, ${isServed(name)} AS served FROM site_domain d
        WHERE d.site_id = ${id} AND NOT ${isWithheld(name, sql`${clientId}`)} ORDER BY d.position`,
  );
}

/** What is not set on the site itself is left out: its levels say it, and every node holds all documents in memory. */
function compileSite(published: PublishedSite, names: PublishedDomain[]): SiteDocument {
  const { snapshot } = published;
  const waiting = names.filter(({ served }) => !served).map(({ domain }) => domain);
  const own = compileOwn(snapshot);
  const cache = { ...own.cache_settings, ...compileDevelopment(snapshot.cache_rule) };
  const advanced = { ...own.advanced_config, ...compileAlone(snapshot.advanced_config) };
  return {
    site_id: published.id,
    client_id: published.clientId,
    order_id: published.orderId,
    product_id: published.productId,
    status: snapshot.status,
    ...(snapshot.status_reason === 'none' ? {} : { status_reason: snapshot.status_reason }),
    domains: names.map(({ domain }) => domain),
    ...(waiting.length === 0 ? {} : { waiting_domains: waiting }),
    origin_server_config: compileOrigins(snapshot.origin_server_config),
    ...own,
    ...(Object.keys(cache).length === 0 ? {} : { cache_settings: cache }),
    certificate_settings: {
      ...own.certificate_settings,
      certificate_ids: snapshot.certificate_settings.certificate_ids,
    },
    ...(hasPorts(snapshot) ? { listen_port: snapshot.listen_port } : {}),
    ...(snapshot.backend_health_check.enabled ? { backend_health_check: snapshot.backend_health_check } : {}),
    ...(Object.keys(advanced).length === 0 ? {} : { advanced_config: advanced }),
    ...unlessDefault(snapshot, 'access_control'),
  };
}

const openForAll = maintenanceSchema.parse({});

/** What no site inherits of the advanced settings. */
function compileAlone({
  maintenance,
  snippet,
}: SiteSnapshot['advanced_config']): SiteDocument['advanced_config'] {
  return {
    ...(isDeepStrictEqual(maintenance, openForAll) ? {} : { maintenance }),
    ...(snippet === '' ? {} : { snippet }),
  };
}

const hasPorts = ({ listen_port: ports }: SiteSnapshot): boolean =>
  ports.http_ports.length + ports.https_ports.length > 0;

/** A section that says nothing beyond its defaults is left out: every node holds all documents in memory. */
function unlessDefault<Section extends 'access_control'>(
  snapshot: SiteSnapshot,
  section: Section,
): Partial<Pick<SiteSnapshot, Section>> {
  const byDefault = siteSections[section].parse(undefined);
  if (isDeepStrictEqual(snapshot[section], byDefault)) return {};
  return { [section]: snapshot[section] } as Pick<SiteSnapshot, Section>;
}

/** A certificate goes wherever a site that uses it is served, and nowhere else. */
async function publishCertificate(
  tx: Transaction,
  secrets: Secrets,
  id: number,
  task: NewTask | { id: number },
) {
  const [row] = await tx.select().from(certificate).where(eq(certificate.id, id));
  if (!row) throw notFound();
  const groups = await tx
    .selectDistinct({ id: order.lineGroupId })
    .from(siteCertificate)
    .innerJoin(site, eq(site.id, siteCertificate.siteId))
    .innerJoin(order, eq(order.id, site.orderId))
    .where(eq(siteCertificate.certificateId, id))
    .orderBy(asc(order.lineGroupId));
  return publishDocument(tx, {
    kind: 'certificate',
    key: String(id),
    lineGroupIds: groups.map((group) => group.id),
    body: {
      certificate_id: id,
      domains: row.domains,
      certificate: row.certificate,
      private_key: secrets.decrypt(row.privateKey),
    },
    task,
    encrypt: secrets.encrypt,
  });
}

/** The site with what publishing needs, locked until the transaction ends. One that is being deleted takes no change. */
export async function lockSite(tx: Transaction, where: SQL | undefined) {
  const row = await lockSiteAnyhow(tx, where);
  if (row.site.removedAt !== null) throw new ApiError('site_removing');
  return row;
}

/** As `lockSite`, with nothing in place of an error where there is no such site any more. */
export async function lockSiteIfThere(tx: Transaction, id: number) {
  const row = await findAndLock(tx, eq(site.id, id));
  return row?.site.removedAt === null ? row : undefined;
}

export async function lockSiteAnyhow(tx: Transaction, where: SQL | undefined) {
  const row = await findAndLock(tx, where);
  if (!row) throw notFound();
  return row;
}

async function findAndLock(tx: Transaction, where: SQL | undefined) {
  const [row] = await tx
    .select({ site, lineGroupId: order.lineGroupId, productId: order.productId })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .where(where)
    .for('update', { of: site });
  return row;
}

export const toPublished = (row: {
  site: typeof site.$inferSelect;
  lineGroupId: number;
  productId: number;
}): PublishedSite => ({
  id: row.site.id,
  clientId: row.site.clientId,
  orderId: row.site.orderId,
  productId: row.productId,
  lineGroupId: row.lineGroupId,
  snapshot: row.site.config,
});
