import { banLengths, type SiteReject, type siteRejectRoutes } from '@breakwater/contract';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { siteReject } from '../../db/schema.ts';
import { siteNameOf } from '../../db/site-name.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { lockCounter } from '../../delivery/revisions.ts';
import { authorName, owned, type Scope } from '../../scope.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { ruleRefs } from '../statistics/rule-refs.store.ts';
import { publishSegments } from './site-reject-publish.ts';
import { spelledNetwork, taskOfRelease } from './site-reject.service.ts';

type Query = z.output<typeof siteRejectRoutes.listSiteRejects.query>;

const stateIs = (now: Date): Record<SiteReject['state'], SQL | undefined> => ({
  standing: and(isNull(siteReject.releasedAt), gt(siteReject.expiresAt, now)),
  ended: and(isNull(siteReject.releasedAt), lte(siteReject.expiresAt, now)),
  released: isNotNull(siteReject.releasedAt),
});

export async function listSiteRejects(db: Db, scope: Scope, query: Query, now: Date) {
  const { remote_addr: address } = query;
  const where = and(
    owned(siteReject, scope),
    query.scope && eq(siteReject.scope, query.scope),
    query.site_id ? eq(siteReject.siteId, query.site_id) : undefined,
    query.client_id ? eq(siteReject.clientId, query.client_id) : undefined,
    // In every network that it may lie in, so that the index finds it.
    address ? inArray(siteReject.remoteAddr, networksWith(address)) : undefined,
    query.decision
      ? or(
          eq(siteReject.decision, query.decision),
          sql`starts_with(${siteReject.decision}, ${`${query.decision} `})`,
        )
      : undefined,
    query.state && stateIs(now)[query.state],
  );
  const { limit, offset } = pageOf(query);
  const rows = await db
    .select({
      reject: siteReject,
      siteName: siteNameOf(siteReject.siteId),
    })
    .from(siteReject)
    .where(where)
    .orderBy(desc(siteReject.createdAt), desc(siteReject.id))
    .limit(limit)
    .offset(offset);
  return listPage(query, await present(db, scope, rows, now), await db.$count(siteReject, where));
}

function networksWith(address: string): string[] {
  const lengths = address.includes(':') ? banLengths.v6 : banLengths.v4;
  return lengths.map((length) => spelledNetwork(`${address}/${length}`));
}

interface RejectRow {
  reject: typeof siteReject.$inferSelect;
  siteName: string;
}

/** With the rules that the decisions name. */
async function present(db: Db, scope: Scope, rows: readonly RejectRow[], now: Date): Promise<SiteReject[]> {
  const rules = await ruleRefs(
    db,
    scope,
    rows.map(({ reject }) => ({
      site_id: reject.siteId ?? 0,
      decision: reject.decision,
      at: iso(reject.createdAt),
    })),
  );
  const segments = new Set(rows.flatMap(({ reject }) => reject.segmentId ?? []));
  const deliveries = await summariseDeliveries(db, 'ban', [...segments].map(String));
  return rows.map(({ reject, siteName }, index): SiteReject => ({
    id: reject.id,
    scope: reject.scope,
    site_id: reject.siteId,
    site_name: siteName,
    client_id: reject.clientId,
    remote_addr: reject.remoteAddr,
    decision: reject.decision,
    rule: rules[index] ?? null,
    reason: reject.reason,
    request_id: reject.requestId,
    created_by: reject.createdBy === null ? null : authorName(scope, reject.authorType, reject.createdBy),
    repeats: reject.repeats,
    kernel: reject.kernel,
    state: reject.releasedAt ? 'released' : reject.expiresAt > now ? 'standing' : 'ended',
    created_at: iso(reject.createdAt),
    expires_at: iso(reject.expiresAt),
    released_at: isoOrNull(reject.releasedAt),
    released_by:
      reject.releasedBy === null ? null : authorName(scope, reject.releaserType, reject.releasedBy),
    delivery: deliveries.get(String(reject.segmentId)) ?? {
      status: 'none',
      nodes_applied: 0,
      nodes_total: 0,
    },
  }));
}

interface Released {
  ids?: readonly number[];
  site_id?: number | undefined;
  expected_total?: number | undefined;
}

/** Ends those that stand, of these or of one site or of all in the scope, at every node; answers how many did. */
export function releaseSiteRejects(db: Db, author: Author, which: Released) {
  return db.transaction(async (tx) => {
    // Before any row: whoever removes a site holds the counter, and takes its bans with it.
    await lockCounter(tx);
    const rows = await endRejects(tx, author, which);
    const { expected_total: expected = rows.length } = which;
    if (rows.length > expected) {
      const issue = `total_differs:${expected}:${rows.length}` as const;
      throw new ApiError('selection_changed', [{ path: 'expected_total', issue }]);
    }
    const [first] = rows;
    if (!first) return { released: 0, task_id: null };
    const title = rows.length === 1 ? first.remoteAddr : `${first.remoteAddr} (+${rows.length - 1})`;
    const segments = [...new Set(rows.flatMap(({ segmentId }) => segmentId ?? []))];
    const taskId = await publishSegments(tx, segments, taskOfRelease(author, title));
    return { released: rows.length, task_id: taskId };
  });
}

function endRejects(tx: Transaction, { session, scope }: Author, which: Released) {
  const now = new Date();
  return tx
    .update(siteReject)
    .set({ releasedAt: now, releaserType: session.kind, releasedBy: session.name })
    .where(
      and(
        owned(siteReject, scope),
        stateIs(now).standing,
        which.ids && inArray(siteReject.id, [...which.ids]),
        which.site_id ? eq(siteReject.siteId, which.site_id) : undefined,
      ),
    )
    .returning({ remoteAddr: siteReject.remoteAddr, segmentId: siteReject.segmentId });
}
