import type { LogIndex } from '@breakwater/contract/log-store';
import type { Database } from './database.ts';
import { figureTableNames } from './figures.ts';

const blockBytes = 262_144;

/** Records by the day, and the tables of sums: the newest first. */
export async function listParts(database: Database): Promise<LogIndex[]> {
  const [days, bytes, tables] = await Promise.all([
    database.query(
      `SELECT strftime(day, '%Y-%m-%d') AS name, count(*) AS rows, day AS begins
       FROM (SELECT date_trunc('day', time)::TIMESTAMP AS day FROM access_log) GROUP BY day ORDER BY day DESC`,
      {},
    ),
    bytesOf(database, 'access_log'),
    Promise.all(figureTableNames.map((table) => readTable(database, table))),
  ]);
  const rows = days.reduce((sum, day) => sum + Number(day.rows), 0);
  const records = days.map((day) => ({
    name: String(day.name),
    kind: 'records' as const,
    rows: Number(day.rows),
    bytes: bytes === null ? null : Math.round((bytes * Number(day.rows)) / rows),
    begins: String(day.begins),
    health: 'green' as const,
  }));
  return [...records, ...tables];
}

async function readTable(database: Database, table: string): Promise<LogIndex> {
  const [[row], bytes] = await Promise.all([
    database.query(`SELECT count(*) AS rows, min(time) AS begins FROM ${table}`, {}),
    bytesOf(database, table),
  ]);
  return {
    name: table,
    kind: 'figures',
    rows: Number(row?.rows ?? 0),
    bytes,
    begins: row?.begins ? String(row.begins) : null,
    health: 'green',
  };
}

/** Of what has been moved into the file: rows of the last minutes may still stand beside it, perhaps all of them. */
async function bytesOf(database: Database, table: string): Promise<number | null> {
  const [row] = await database.query(
    `SELECT count(DISTINCT block_id) AS blocks FROM pragma_storage_info('${table}') WHERE block_id >= 0`,
    {},
  );
  const blocks = Number(row?.blocks ?? 0);
  return blocks === 0 ? null : blocks * blockBytes;
}
