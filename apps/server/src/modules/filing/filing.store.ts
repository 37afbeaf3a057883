import type { filingRoutes, UnfiledDomain, UnfiledState } from '@breakwater/contract';
import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { getDomain } from 'tldts';
import type * as z from 'zod';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { containsDomain, listPage, pageOf } from '../../db/page.ts';
import { client, filing, lineGroup, site, siteDomain } from '../../db/schema.ts';
import { recordEvent, type Actor } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';
import { lacksFiling } from '../site-claim/site-claim.service.ts';

/** Numbers are of registrable domains: one of `com.cn` would stand for everybody's. */
export function checkRegistrable(name: string): void {
  const zone = getDomain(name);
  if (zone === name) return;
  const detail = zone === null ? '' : `: ${zone}`;
  throw new ApiError('invalid_input', [{ path: 'name', issue: 'filing_name', detail }]);
}

type Query = z.output<typeof filingRoutes.listUnfiledDomains.query>;

const lacking = sql<boolean>`${lacksFiling(sql`site_domain`, sql`${site.clientId}`)}`;
const stateOfName: SQL<UnfiledState> = sql`coalesce((SELECT f.state FROM filing f
  WHERE f.client_id = ${site.clientId} AND f.name = ANY(site_domain.lineage) ORDER BY f.state LIMIT 1), 'missing')`;

/** Domains without a confirmed number, whether their line group asks for one or not. */
export async function listUnfiledDomains(db: Db, scope: Scope, query: Query) {
  const where = and(
    owned(site, scope),
    isNull(site.removedAt),
    lacking,
    containsDomain(siteDomain.domain, query.domain),
    query.site_id ? eq(site.id, query.site_id) : undefined,
    query.order_id ? eq(site.orderId, query.order_id) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
    query.line_group_id ? eq(site.lineGroupId, query.line_group_id) : undefined,
    query.required && eq(lineGroup.filingRequired, true),
  );
  const from = db
    .select({
      domain: siteDomain.domain,
      site_id: site.id,
      site_name: sql<string>`coalesce(${site.config} -> 'domains' ->> 0, '')`,
      client_id: site.clientId,
      client_name: client.name,
      state: stateOfName,
      required: lineGroup.filingRequired,
    })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .innerJoin(lineGroup, eq(lineGroup.id, site.lineGroupId))
    .innerJoin(client, eq(client.id, site.clientId))
    .where(where)
    .$dynamic();
  const { limit, offset } = pageOf(query);
  const [total, rows] = await Promise.all([
    db.$count(from),
    from.orderBy(asc(siteDomain.domain), asc(site.id)).limit(limit).offset(offset),
  ]);
  const list = rows.map((row): UnfiledDomain => ({ ...row, zone: getDomain(row.domain) ?? '' }));
  return listPage(query, list, total);
}

interface Decision {
  version: number;
  state: 'confirmed' | 'rejected';
  holder: string;
  note: string;
}

/** An operator's word stands until the number is changed: providers are not asked about it by themselves any more. */
export function decideFiling(
  db: Db,
  actor: Actor,
  scope: Scope,
  id: number,
  { version, state, holder, note }: Decision,
): Promise<void> {
  return db.transaction(async (tx) => {
    const where = and(eq(filing.id, id), owned(filing, scope));
    const [row] = await tx.select().from(filing).where(where).for('update');
    if (!row) throw notFound();
    if (row.version !== version) throw new ApiError('stale_version');
    await tx
      .update(filing)
      .set({
        state,
        reason: state === 'rejected' ? 'operator' : 'none',
        holder: holder === '' ? row.holder : holder,
        note,
        foundNumber: '',
        decidedBy: actor.name,
        decidedAt: new Date(),
        nextCheckAt: null,
        lastError: '',
        version: version + 1,
      })
      .where(where);
    await recordEvent(tx, {
      kind: 'filing_decided',
      subject: { kind: 'filing', id, name: row.name },
      clientId: row.clientId,
      actor,
      data: { facts: { number: row.number, state } },
    });
  });
}
