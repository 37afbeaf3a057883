import { tagsMax, type SiteSelection, type tagInput } from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, mapConstraints, notFound, type FieldIssue } from '../../api-error.ts';
import type { Database, Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { client, siteTag, tag } from '../../db/schema.ts';
import { integers, rowsOf } from '../../delivery/queryable.ts';
import type { Scope } from '../../scope.ts';
import { siteIdsOf } from '../site/site.service.ts';

type TagInput = z.infer<typeof tagInput>;
const constraints = { tag_client_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;
const within = (scope: Scope): SQL | undefined =>
  'all' in scope ? undefined : eq(tag.clientId, scope.clientId);

export async function listTags(
  db: Db,
  scope: Scope,
  query: {
    current_page: number;
    page_size: number;
    name?: string | undefined;
    client_id?: number | undefined;
  },
) {
  const where = and(
    within(scope),
    contains(tag.name, query.name),
    query.client_id ? eq(tag.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({
        tag,
        clientName: client.name,
        siteCount: sql<number>`(SELECT count(*)::int FROM ${siteTag} WHERE ${siteTag.tagId} = ${tag.id})`,
      })
      .from(tag)
      .leftJoin(client, eq(client.id, tag.clientId))
      .where(where)
      .orderBy(sql`${tag.clientId} NULLS FIRST`, asc(tag.name))
      .limit(limit)
      .offset(offset),
    db.$count(tag, where),
  ]);
  const list = rows.map(({ tag: row, clientName, siteCount }) => ({
    id: row.id,
    name: row.name,
    color: row.color,
    client_id: row.clientId,
    client_name: clientName,
    site_count: siteCount,
    created_at: iso(row.createdAt),
  }));
  return listPage(query, list, total);
}

export async function createTag(db: Db, scope: Scope, input: TagInput): Promise<number> {
  const clientId = 'all' in scope ? null : scope.clientId;
  const owned = await db.$count(tag, clientId === null ? isNull(tag.clientId) : eq(tag.clientId, clientId));
  if (owned >= tagsMax) throw new ApiError('too_many');
  const [row] = await mapConstraints(constraints, () =>
    db
      .insert(tag)
      .values({ ...input, clientId })
      .returning({ id: tag.id }),
  );
  return row!.id;
}

export async function updateTag(db: Db, scope: Scope, id: number, input: TagInput): Promise<void> {
  const rows = await mapConstraints(constraints, () =>
    db
      .update(tag)
      .set(input)
      .where(and(eq(tag.id, id), within(scope)))
      .returning({ id: tag.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function removeTag(db: Db, scope: Scope, id: number): Promise<void> {
  const rows = await db
    .delete(tag)
    .where(and(eq(tag.id, id), within(scope)))
    .returning({ id: tag.id });
  if (rows.length === 0) throw notFound();
}

interface Tagging {
  sites: SiteSelection;
  add: readonly number[];
  remove: readonly number[];
}

/** Puts tags on sites and takes others away, for all sites or for none. Answers how many sites there are. */
export async function tagSites(db: Database['db'], scope: Scope, tagging: Tagging): Promise<number> {
  return db.transaction(async (tx) => {
    await checkTags(tx, scope, tagging);
    const ids = await siteIdsOf(tx, scope, tagging.sites);
    const foreign = await rowsOf<{ id: number }>(
      tx,
      sql`SELECT t.id FROM tag t WHERE t.id = ANY(${integers(tagging.add)}) AND t.client_id IS NOT NULL
          AND EXISTS (SELECT FROM site s WHERE s.id = ANY(${integers(ids)}) AND s.client_id <> t.client_id)`,
    );
    if (foreign.length > 0)
      throw refused('add', tagging.add, new Set(foreign.map(({ id }) => id)), 'tag_owner');
    await tx.execute(
      sql`DELETE FROM site_tag WHERE site_id = ANY(${integers(ids)}) AND tag_id = ANY(${integers(tagging.remove)})`,
    );
    await tx.execute(
      sql`INSERT INTO site_tag (site_id, tag_id) SELECT s, t FROM unnest(${integers(ids)}) s, unnest(${integers(tagging.add)}) t
          ORDER BY s, t ON CONFLICT DO NOTHING`,
    );
    return ids.length;
  });
}

/** What is named has to be there and within the scope. */
async function checkTags(tx: Db, scope: Scope, { add, remove }: Tagging): Promise<void> {
  const wanted = [...new Set([...add, ...remove])];
  const found = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(inArray(tag.id, wanted), within(scope)));
  const known = new Set(found.map(({ id }) => id));
  const missing = new Set(wanted.filter((id) => !known.has(id)));
  if (add.some((id) => missing.has(id))) throw refused('add', add, missing, 'does_not_exist');
  if (remove.some((id) => missing.has(id))) throw refused('remove', remove, missing, 'does_not_exist');
}

function refused(
  path: string,
  ids: readonly number[],
  bad: ReadonlySet<number>,
  issue: FieldIssue['issue'],
): ApiError {
  const fields = ids.flatMap((id, index): FieldIssue[] =>
    bad.has(id) ? [{ path: `${path}.${index}`, issue }] : [],
  );
  return new ApiError('invalid_input', fields);
}
