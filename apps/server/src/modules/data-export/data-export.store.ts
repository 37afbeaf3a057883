import {
  exportDays,
  exportsMax,
  type DataExport,
  type DataExportInput,
  type ExportStatus,
} from '@breakwater/contract';
import { desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { dataExport } from '../../db/schema.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';

const dayMs = 24 * 3_600_000;

const columns = {
  id: dataExport.id,
  format: dataExport.format,
  status: dataExport.status,
  filters: dataExport.filters,
  recordsTotal: dataExport.recordsTotal,
  recordsDone: dataExport.recordsDone,
  sizeBytes: dataExport.sizeBytes,
  createdBy: dataExport.createdBy,
  createdAt: dataExport.createdAt,
  finishedAt: dataExport.finishedAt,
};

export async function listDataExports(
  db: Db,
  query: { current_page: number; page_size: number; status?: ExportStatus | undefined },
) {
  const where = query.status && eq(dataExport.status, query.status);
  const { limit, offset } = pageOf(query);
  const [rows, [counted]] = await Promise.all([
    db.select(columns).from(dataExport).where(where).orderBy(desc(dataExport.id)).limit(limit).offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(dataExport)
      .where(where),
  ]);
  return listPage(query, rows.map(present), counted?.total ?? 0);
}

type Row = Omit<typeof dataExport.$inferSelect, 'content'>;

function present(row: Row): DataExport {
  return {
    id: row.id,
    format: row.format,
    status: row.status,
    filters: row.filters,
    records_total: row.recordsTotal,
    records_done: row.recordsDone,
    size_bytes: row.sizeBytes,
    created_by: row.createdBy,
    created_at: iso(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
    expires_at: iso(new Date(row.createdAt.getTime() + exportDays * dayMs)),
  };
}

/** Fails with `too_many` while as many are kept as may be. */
export async function createDataExport(
  tx: Transaction,
  input: Pick<DataExportInput, 'format' | 'filters'> & { recordsTotal: number; createdBy: string },
): Promise<number> {
  // One at a time, so that two do not both find room for one.
  await tx.execute(sql`LOCK TABLE ${dataExport} IN SHARE ROW EXCLUSIVE MODE`);
  const [counted] = await tx.select({ total: sql<number>`count(*)::int` }).from(dataExport);
  if ((counted?.total ?? 0) >= exportsMax) throw new ApiError('too_many');
  const [row] = await tx.insert(dataExport).values(input).returning({ id: dataExport.id });
  return row!.id;
}

export async function readDataExport(db: Db, id: number) {
  const [row] = await db.select().from(dataExport).where(eq(dataExport.id, id));
  if (!row) throw notFound();
  return row;
}

/** Returns whether it is still there. */
export async function markDataExport(
  db: Db,
  id: number,
  change: Partial<typeof dataExport.$inferInsert>,
): Promise<boolean> {
  const rows = await db
    .update(dataExport)
    .set(change)
    .where(eq(dataExport.id, id))
    .returning({ id: dataExport.id });
  return rows.length > 0;
}

export async function removeDataExport(db: Db, id: number): Promise<void> {
  const rows = await db.delete(dataExport).where(eq(dataExport.id, id)).returning({ id: dataExport.id });
  if (rows.length === 0) throw notFound();
}

export async function removeOldDataExports(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - exportDays * dayMs);
  const rows = await db
    .delete(dataExport)
    .where(lt(dataExport.createdAt, before))
    .returning({ id: dataExport.id });
  return rows.length;
}

export async function unfinishedDataExports(db: Db): Promise<number[]> {
  const rows = await db
    .select({ id: dataExport.id })
    .from(dataExport)
    .where(inArray(dataExport.status, ['pending', 'running']));
  return rows.map(({ id }) => id);
}
