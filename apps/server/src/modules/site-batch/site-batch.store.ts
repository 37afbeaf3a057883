import {
  errors,
  siteBatchLinePart,
  type ErrorName,
  issueText,
  type IssueMessage,
  type Language,
  type SiteBatchInput,
  type SiteBatchKind,
  type SiteBatchLineStatus,
} from '@breakwater/contract';
import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { siteBatch, siteBatchLine } from '../../db/schema.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { integers, texts } from '../../delivery/queryable.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';

const within = (scope: Scope, id?: number): SQL | undefined =>
  and(
    'all' in scope ? undefined : eq(siteBatch.clientId, scope.clientId),
    id === undefined ? undefined : eq(siteBatch.id, id),
  );

interface Paging {
  current_page: number;
  page_size: number;
}

export async function listBatches(
  db: Db,
  scope: Scope,
  query: Paging & { kind?: SiteBatchKind | undefined },
) {
  const where = and(within(scope), query.kind ? eq(siteBatch.kind, query.kind) : undefined);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(siteBatch).where(where).orderBy(desc(siteBatch.id)).limit(limit).offset(offset),
    db.$count(siteBatch, where),
  ]);
  return listPage(query, await present(db, rows), total);
}

export async function getBatch(db: Db, scope: Scope, id: number) {
  const [row] = await present(db, await db.select().from(siteBatch).where(within(scope, id)));
  if (!row) throw notFound();
  return row;
}

export async function listLines(
  db: Db,
  scope: Scope,
  id: number,
  query: Paging & { status?: SiteBatchLineStatus | undefined },
  language: Language,
) {
  const { kind } = await getBatch(db, scope, id);
  const where = and(
    eq(siteBatchLine.batchId, id),
    query.status ? eq(siteBatchLine.status, query.status) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(siteBatchLine)
      .where(where)
      .orderBy(asc(siteBatchLine.position))
      .limit(limit)
      .offset(offset),
    db.$count(siteBatchLine, where),
  ]);
  const keys = rows.flatMap(({ siteId }) => (siteId === null ? [] : [String(siteId)]));
  const deliveries = await summariseDeliveries(db, 'site', keys);
  const list = rows.map((row) => ({
    id: row.id,
    position: row.position,
    text: row.text,
    site_id: row.siteId,
    status: row.status,
    reason: reasonOf(row, kind, language),
    delivery:
      row.siteId === null || row.status === 'pending' ? null : (deliveries.get(String(row.siteId)) ?? null),
  }));
  return listPage(query, list, total);
}

export async function exportFailedLines(db: Db, scope: Scope, id: number, language: Language) {
  const { kind } = await getBatch(db, scope, id);
  const rows = await db
    .select()
    .from(siteBatchLine)
    .where(and(eq(siteBatchLine.batchId, id), eq(siteBatchLine.status, 'failed')))
    .orderBy(asc(siteBatchLine.position));
  return rows.map((row) => ({
    position: row.position,
    text: row.text,
    reason: reasonOf(row, kind, language) ?? '',
  }));
}

export interface NewLine {
  position: number;
  text: string;
  siteId: number | null;
}

/** Stores a batch; it waits until its job is sent. */
export async function insertBatch(
  tx: Transaction,
  scope: Scope,
  session: Session,
  input: SiteBatchInput,
  lines: readonly NewLine[],
): Promise<number> {
  const [row] = await tx
    .insert(siteBatch)
    .values({
      clientId: 'all' in scope ? null : scope.clientId,
      kind: input.kind,
      input,
      authorType: session.kind,
      authorId: session.id,
      authorName: session.name,
    })
    .returning({ id: siteBatch.id });
  const columns = {
    positions: integers(lines.map((line) => line.position)),
    texts: texts(lines.map((line) => line.text)),
    sites: sql`${sql.param(lines.map((line) => line.siteId))}::integer[]`,
  };
  await tx.execute(
    sql`INSERT INTO site_batch_line (batch_id, position, text, site_id)
        SELECT ${row!.id}, l.* FROM unnest(${columns.positions}, ${columns.texts}, ${columns.sites}) l`,
  );
  return row!.id;
}

/** Lets the failed lines wait again. Answers how many there are, and what is done with them. */
export async function resetFailed(tx: Transaction, scope: Scope, id: number) {
  const [batch] = await tx.select().from(siteBatch).where(within(scope, id)).for('update');
  if (!batch) throw notFound();
  const rows = await tx
    .update(siteBatchLine)
    .set({ status: 'pending', error: null, finishedAt: null })
    .where(and(eq(siteBatchLine.batchId, id), eq(siteBatchLine.status, 'failed')))
    .returning({ id: siteBatchLine.id });
  if (rows.length > 0) await tx.update(siteBatch).set({ finishedAt: null }).where(eq(siteBatch.id, id));
  return { kind: batch.kind, lines: rows.length };
}

/** Why a line failed: each field by what stands there, since a line has no fields to mark. */
function reasonOf(
  row: typeof siteBatchLine.$inferSelect,
  kind: SiteBatchKind,
  language: Language,
): string | null {
  if (row.error === null) return null;
  const { error, fields } = row.error;
  const sentences = fields.map(({ path, issue, detail = '' }) => {
    const about = kind === 'create' ? siteBatchLinePart(row.text, path) : path;
    return `${about === '' ? '' : `${about}: `}${issueText(issue as IssueMessage, language)! + detail}`;
  });
  return sentences.length > 0 ? sentences.join(' · ') : errors[error as ErrorName][language];
}

async function present(db: Db, rows: readonly (typeof siteBatch.$inferSelect)[]) {
  const counted = await db
    .select({
      batchId: siteBatchLine.batchId,
      status: siteBatchLine.status,
      lines: sql<number>`count(*)::int`,
    })
    .from(siteBatchLine)
    .where(
      inArray(
        siteBatchLine.batchId,
        rows.map((row) => row.id),
      ),
    )
    .groupBy(siteBatchLine.batchId, siteBatchLine.status);
  return rows.map((row) => {
    const of = (status: SiteBatchLineStatus) =>
      counted.find((count) => count.batchId === row.id && count.status === status)?.lines ?? 0;
    const [done, unchanged, failed] = [of('done'), of('unchanged'), of('failed')];
    return {
      id: row.id,
      kind: row.kind,
      section: row.input.kind === 'section' ? row.input.section : null,
      fields: row.input.kind === 'section' ? row.input.fields : [],
      status: row.finishedAt === null ? ('running' as const) : ('done' as const),
      total: of('pending') + done + unchanged + failed,
      done,
      unchanged,
      failed,
      author_name: row.authorName,
      created_at: iso(row.createdAt),
      finished_at: isoOrNull(row.finishedAt),
    };
  });
}
