import type { ListenPort } from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { lineGroup, operation, order, site } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { changesOf, recordEvent } from '../../events/record-event.ts';
import { addItems, cancelOperation, createOperation } from '../../jobs/operation.store.ts';
import type { Session } from '../../plugins/session.ts';
import { lacksFiling } from '../site-claim/site-claim.service.ts';
import { checkPortsIn } from '../site-section/site-section.service.ts';

/**
 * Says that an order is in another line group: its new sites go there from now on, those that it has follow as items of a task
 * (`order-move.job.ts`). The last word counts: a move that is under way ends where it is, unless it goes to the same place.
 * Throws `stale_version` where it is not the version that this was built on.
 */
export async function moveOrder(
  db: Db,
  session: Session,
  orderId: number,
  { line_group_id: lineGroupId, version }: { line_group_id: number; version?: number | undefined },
): Promise<{ task_id: number | null; sites: number; unfiled_domains: string[] }> {
  return db.transaction(async (tx) => {
    const [moved] = await tx.select().from(order).where(eq(order.id, orderId)).for('update');
    if (!moved) throw notFound();
    if (version !== undefined && moved.version !== version) throw new ApiError('stale_version');
    if ((await tx.$count(lineGroup, eq(lineGroup.id, lineGroupId))) === 0)
      throw invalid('line_group_id', 'does_not_exist');
    const sites = await sitesElsewhere(tx, orderId, lineGroupId);
    const running = await runningMove(tx, orderId);
    const unfiled = await unfiledIn(tx, orderId, lineGroupId);
    if (running !== undefined && moved.lineGroupId === lineGroupId)
      return { task_id: running, sites: sites.length, unfiled_domains: unfiled };
    await checkPorts(tx, sites, lineGroupId);
    if (moved.lineGroupId !== lineGroupId) await setLineGroup(tx, session, moved, lineGroupId);
    if (running !== undefined) await cancelOperation(tx, running);
    if (sites.length === 0) return { task_id: null, sites: 0, unfiled_domains: unfiled };
    const task = await createOperation(tx, {
      kind: 'order_move',
      title: moved.orderNo,
      subjectKind: 'order',
      subjectId: orderId,
      clientId: moved.clientId,
      author: { type: session.kind, id: session.id },
      createdBy: session.name,
    });
    await addItems(
      tx,
      task,
      sites.map(({ id, domain }) => ({ title: domain, kind: 'site', key: String(id) })),
    );
    return { task_id: task, sites: sites.length, unfiled_domains: unfiled };
  });
}

/** So many are told by name. */
const unfiledMax = 100;

/** Domains that the line group will not serve, as it asks for filing numbers. */
async function unfiledIn(tx: Transaction, orderId: number, lineGroupId: number): Promise<string[]> {
  const rows = await rowsOf<{ domain: string }>(
    tx,
    sql`SELECT DISTINCT d.domain FROM site_domain d JOIN site s ON s.id = d.site_id
          JOIN line_group g ON g.id = ${lineGroupId} AND g.filing_required
        WHERE s.order_id = ${orderId} AND s.removed_at IS NULL AND ${lacksFiling(sql`d`, sql`s.client_id`)}
        ORDER BY d.domain LIMIT ${unfiledMax}`,
  );
  return rows.map(({ domain }) => domain);
}

async function setLineGroup(
  tx: Transaction,
  actor: Session,
  { id, orderNo, clientId, lineGroupId: from, version }: typeof order.$inferSelect,
  to: number,
): Promise<void> {
  await tx
    .update(order)
    .set({ lineGroupId: to, version: version + 1 })
    .where(eq(order.id, id));
  await recordEvent(tx, {
    kind: 'line_group_changed',
    subject: { kind: 'order', id, name: orderNo },
    clientId,
    actor,
    data: { changes: changesOf({ line_group_id: from }, { line_group_id: to }) },
  });
}

interface SiteToMove {
  id: number;
  domain: string;
  ports: ListenPort;
}

/** Without their configurations, which are large. */
const sitesElsewhere = (tx: Transaction, orderId: number, lineGroupId: number): Promise<SiteToMove[]> =>
  tx
    .select({
      id: site.id,
      domain: sql<string>`coalesce(${site.config}->'domains'->>0, ${site.id}::text)`,
      ports: sql<ListenPort>`${site.config}->'listen_port'`,
    })
    .from(site)
    .where(and(eq(site.orderId, orderId), ne(site.lineGroupId, lineGroupId), isNull(site.removedAt)))
    .orderBy(asc(site.id));

async function runningMove(tx: Transaction, orderId: number): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: operation.id })
    .from(operation)
    .where(
      and(
        eq(operation.kind, 'order_move'),
        eq(operation.subjectKind, 'order'),
        eq(operation.subjectId, orderId),
        inArray(operation.state, ['pending', 'running']),
      ),
    );
  return row?.id;
}

/** Said at the field before anything moves; each port is asked for once. Each site is asked again as it moves. */
async function checkPorts(tx: Transaction, sites: readonly SiteToMove[], lineGroupId: number): Promise<void> {
  const asked = new Set<string>();
  for (const { ports, ...of } of sites) {
    const open = (field: keyof ListenPort) =>
      ports[field].filter((port) => !asked.has(`${field} ${port}`) && asked.add(`${field} ${port}`));
    const left = { http_ports: open('http_ports'), https_ports: open('https_ports') };
    await checkPortsIn(tx, { ...of, ports: left }, lineGroupId);
  }
}
