import {
  siteBatchLinePart,
  type Language,
  type SiteBatchInput,
  type SiteBatchKind,
  type SiteBatchLineStatus,
} from '@breakwater/contract';
import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { operation, operationItem, siteBatch } from '../../db/schema.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { recordEvent } from '../../events/record-event.ts';
import { errorSentence } from '../../jobs/item-error.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';
import type { Session } from '../../plugins/session.ts';
import { authorName, owned, ownerOfNew, type Scope } from '../../scope.ts';

const within = (scope: Scope, id?: number): SQL | undefined =>
  and(owned(operation, scope), id === undefined ? undefined : eq(siteBatch.operationId, id));

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
    selectBatches(db).where(where).orderBy(desc(siteBatch.operationId)).limit(limit).offset(offset),
    countBatches(db, where),
  ]);
  return listPage(query, await present(db, scope, rows), total);
}

export async function getBatch(db: Db, scope: Scope, id: number) {
  const [row] = await present(db, scope, await selectBatches(db).where(within(scope, id)));
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
  const where = and(eq(operationItem.operationId, id), query.status && lineState(query.status));
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(operationItem).where(where).orderBy(asc(operationItem.id)).limit(limit).offset(offset),
    db.$count(operationItem, where),
  ]);
  const keys = rows.flatMap(({ key }) => (key === '' ? [] : [key]));
  const deliveries = await summariseDeliveries(db, 'site', keys);
  const list = rows.map((row) => {
    const status = lineStatusOf(row);
    return {
      id: row.id,
      position: row.position ?? 0,
      text: row.title ?? '',
      site_id: siteIdOf(row),
      status,
      reason: reasonOf(row, kind, language),
      delivery: status === 'pending' ? null : (deliveries.get(row.key) ?? null),
    };
  });
  return listPage(query, list, total);
}

type Line = typeof operationItem.$inferSelect;

/** Null while the site is still to be made. */
export const siteIdOf = ({ key }: Line): number | null => (key === '' ? null : Number(key));

/** A line that is being done waits, to whoever reads it. */
const lineStatusOf = ({ state }: Line): SiteBatchLineStatus =>
  state === 'running' || state === 'superseded' ? 'pending' : state;

const lineState = (status: SiteBatchLineStatus): SQL =>
  status === 'pending'
    ? inArray(operationItem.state, ['pending', 'running'])
    : eq(operationItem.state, status);

export async function exportFailedLines(db: Db, scope: Scope, id: number, language: Language) {
  const { kind } = await getBatch(db, scope, id);
  const rows = await db
    .select()
    .from(operationItem)
    .where(and(eq(operationItem.operationId, id), eq(operationItem.state, 'failed')))
    .orderBy(asc(operationItem.id));
  return rows.map((row) => ({
    position: row.position ?? 0,
    text: row.title ?? '',
    reason: reasonOf(row, kind, language) ?? '',
  }));
}

export interface NewLine {
  position: number;
  text: string;
  siteId: number | null;
}

/** Stores a batch with its lines, for the workers. */
export async function insertBatch(
  tx: Transaction,
  scope: Scope,
  session: Session,
  input: SiteBatchInput,
  lines: readonly NewLine[],
): Promise<number> {
  const others = lines.length > 1 ? ` (+${lines.length - 1})` : '';
  const id = await createOperation(tx, {
    kind: 'site_batch',
    title: `${lines[0]?.text ?? ''}${others}`,
    subjectKind: 'site_batch',
    clientId: ownerOfNew(scope) ?? undefined,
    author: { type: session.kind, id: session.id },
    createdBy: session.name,
  });
  await tx.insert(siteBatch).values({ operationId: id, kind: input.kind, input });
  const items = lines.map(({ position, text, siteId }) => ({
    position,
    title: text,
    kind: 'site',
    ...(siteId === null ? {} : { key: String(siteId) }),
  }));
  await addItems(tx, id, items);
  await recordEvent(tx, {
    kind: 'started',
    subject: { kind: 'site_batch', id, name: lines[0]?.text ?? '' },
    clientId: ownerOfNew(scope),
    actor: session,
    data: { facts: { batch: input.kind, sites: lines.length } },
  });
  return id;
}

/** What a batch of the scope does. Throws `not_found`. */
export async function batchKind(db: Db, scope: Scope, id: number): Promise<SiteBatchKind> {
  const [batch] = await selectBatches(db).where(within(scope, id));
  if (!batch) throw notFound();
  return batch.batch.kind;
}

/** Why a line failed: each field by what stands there, since a line has no fields to mark. */
const reasonOf = (line: Line, kind: SiteBatchKind, language: Language): string | null =>
  errorSentence(line.error, language, (path) =>
    kind === 'create' ? siteBatchLinePart(line.title ?? '', path) : path,
  );

function selectBatches(db: Db) {
  return db
    .select({ batch: siteBatch, operation })
    .from(siteBatch)
    .innerJoin(operation, eq(operation.id, siteBatch.operationId))
    .$dynamic();
}

async function countBatches(db: Db, where: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(siteBatch)
    .innerJoin(operation, eq(operation.id, siteBatch.operationId))
    .where(where);
  return row?.total ?? 0;
}

async function present(db: Db, scope: Scope, rows: Awaited<ReturnType<typeof selectBatches>>) {
  const counted = await db
    .select({
      batchId: operationItem.operationId,
      state: operationItem.state,
      lines: sql<number>`count(*)::int`,
    })
    .from(operationItem)
    .where(
      inArray(
        operationItem.operationId,
        rows.map(({ batch }) => batch.operationId),
      ),
    )
    .groupBy(operationItem.operationId, operationItem.state);
  return rows.map(({ batch: { operationId, kind, input }, operation: row }) => {
    const lines = counted.filter(({ batchId }) => batchId === operationId);
    const of = (state: Line['state']) => lines.find((count) => count.state === state)?.lines ?? 0;
    return {
      id: operationId,
      kind,
      section: input.kind === 'section' ? input.section : null,
      fields: input.kind === 'section' ? input.fields : [],
      status:
        row.finishedAt === null
          ? ('running' as const)
          : of('cancelled') > 0
            ? ('cancelled' as const)
            : ('done' as const),
      total: lines.reduce((sum, count) => sum + count.lines, 0),
      done: of('done'),
      unchanged: of('unchanged'),
      failed: of('failed'),
      cancelled: of('cancelled'),
      author_name: authorName(scope, row.authorType, row.createdBy),
      created_at: iso(row.createdAt),
      finished_at: isoOrNull(row.finishedAt),
    };
  });
}
