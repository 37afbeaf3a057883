import { isUtf8 } from 'node:buffer';
import { DuckDBBlobValue } from '@duckdb/node-api';
import { countLines, waitingBytesMax, wholeLines } from '../batch-lines.ts';
import {
  type IngestResult,
  type LogBatch,
  LogGapError,
  LogStoreBusyError,
  type Places,
} from '../log-store.ts';
import type { Coverage, Stretch } from '../coverage.ts';
import { type Database, type Run, timestamp } from './database.ts';
import { addFigures } from './figures.ts';
import { learnPlaces } from './places.ts';
import { columnNames, laterColumns, lineColumns } from './schema.ts';

const neededColumns = columnNames.filter((name) => !(name in laterColumns));

/**
 * The lines as rows of the table `line`; a field that is absent or does not convert is NULL. A line that is no JSON never
 * fails this statement as a whole, so none can keep its batch from being stored.
 */
const readLines = `
  CREATE OR REPLACE TEMP TABLE line AS
  SELECT *, TRY_CAST(time AS TIMESTAMP) AS moment FROM (
    SELECT unnest(TRY(from_json(text, '${JSON.stringify({ ...lineColumns, time: 'VARCHAR', sample_rate: 'INTEGER' })}')))
    FROM (SELECT unnest(string_split(decode($lines), chr(10))) AS text))`;

/**
 * Broken are also lines whose time is not in UTC or lies more than a day ahead, or whose sizes and states cannot be.
 * This is a statement of its own because as a condition above each term would parse the line again.
 */
const dropBroken = `
  DELETE FROM line WHERE (${neededColumns.map((name) => `${name} IS NOT NULL`).join(' AND ')}
    AND ends_with(time, 'Z')
    AND moment BETWEEN TIMESTAMP '2000-01-01' AND make_timestamp(epoch_us(now())) + INTERVAL 1 DAY
    AND status BETWEEN 0 AND 999 AND origin_status BETWEEN 0 AND 999
    AND least(request_length, bytes_sent, body_bytes_sent, origin_bytes, request_time, origin_time) >= 0
    AND greatest(request_length, bytes_sent, body_bytes_sent, origin_bytes) < 1::BIGINT << 47
    AND greatest(request_time, origin_time) < 1e9) IS NOT TRUE`;

/** With their node and the places of their visitors. The node is named here, for beside the lines it slows their parsing by a third. */
const placeLines = (nodeId: number) => `
  CREATE OR REPLACE TEMP VIEW batch AS
  SELECT ${nodeId} AS node_id, line.*, coalesce(country, '') AS country, coalesce(province, '') AS province, coalesce(carrier, '') AS carrier, coalesce(asn, 0) AS asn
  FROM line LEFT JOIN known_place ON remote_addr = address`;

/** Lines that a site wants fewer of are chosen by their request's number, so the same ones if they are sent again. */
const storeRecords = `
  INSERT INTO access_log BY NAME
  SELECT * EXCLUDE (sample_rate, moment) REPLACE (moment AS time,
    ${Object.entries(laterColumns)
      .map(([name, value]) => `coalesce(${name}, ${value}) AS ${name}`)
      .join(', ')}) FROM batch
  WHERE coalesce(sample_rate, 1) = 1 OR (sample_rate > 1 AND hash(request_id) % sample_rate = 0)`;

/** In one go: each statement by itself costs several trips between threads. */
const storeBatch = (nodeId: number) =>
  [
    placeLines(nodeId),
    storeRecords,
    ...addFigures,
    `SELECT count(*) AS stored, min(moment) AS first, max(moment) AS last FROM line`,
  ].join(';');

const movePosition = `
  INSERT INTO log_position VALUES ($nodeId, $file, $position, $broken, $now)
  ON CONFLICT DO UPDATE SET
    position = excluded.position,
    broken_lines = broken_lines + excluded.broken_lines,
    updated_at = excluded.updated_at`;

/** Stores batches one after another, each in one transaction with the file's new position. */
export class Ingester {
  readonly #database: Database;
  readonly #coverage: Coverage;
  readonly #places: Places | undefined;
  #waitingBytes = 0;

  constructor(database: Database, coverage: Coverage, places: Places | undefined) {
    this.#database = database;
    this.#coverage = coverage;
    this.#places = places;
  }

  async ingest(batch: LogBatch): Promise<IngestResult> {
    if (this.#waitingBytes + batch.lines.length > waitingBytesMax) throw new LogStoreBusyError();
    this.#waitingBytes += batch.lines.length;
    try {
      const { told, ...result } = await this.#database.write((run) => ingestBatch(run, batch, this.#places));
      if (told) await this.#coverage.tell(batch.nodeId, told.first, told.last);
      return result;
    } finally {
      this.#waitingBytes -= batch.lines.length;
    }
  }
}

export async function readPosition(run: Run, nodeId: number, file: string): Promise<number> {
  const [row] = await run('SELECT position FROM log_position WHERE node_id = $nodeId AND file = $file', {
    nodeId,
    file,
  });
  return Number(row?.position ?? 0);
}

/** As a batch without a line would, of no node: it reaches the disk. */
export async function writeProbe(run: Run): Promise<void> {
  await run(movePosition, { nodeId: 0, file: 'probe', position: 0, broken: 0, now: timestamp(Date.now()) });
}

async function ingestBatch(
  run: Run,
  { nodeId, file, offset, lines, foreign: findForeign }: LogBatch,
  places: Places | undefined,
): Promise<IngestResult & { told?: Stretch }> {
  const position = await readPosition(run, nodeId, file);
  if (offset > position) throw new LogGapError(position, offset);
  const fresh = wholeLines(lines.subarray(position - offset));
  if (fresh.length === 0) return { offset: position, stored: 0, broken: 0, foreign: 0 };

  // What is not UTF-8 (a visitor may send any byte) becomes U+FFFD, so that it cannot hide its line.
  const text = isUtf8(fresh) ? fresh : Buffer.from(fresh.toString('utf8'));
  await run(readLines, { lines: new DuckDBBlobValue(text.subarray(0, -1)) });
  await run(dropBroken);
  const foreign = findForeign ? await dropForeign(run, findForeign) : 0;
  await learnPlaces(run, places);
  const [count] = await run(storeBatch(nodeId));
  const stored = Number(count?.stored ?? 0);
  const broken = countLines(fresh) - stored - foreign;
  const next = position + fresh.length;
  await run(movePosition, { nodeId, file, position: next, broken, now: timestamp(Date.now()) });
  const told = count?.first
    ? { told: { first: Date.parse(String(count.first)), last: Date.parse(String(count.last)) } }
    : {};
  return { offset: next, stored, broken, foreign, ...told };
}

/** Takes the lines away that are not the node's to tell. Returns how many. */
async function dropForeign(run: Run, findForeign: NonNullable<LogBatch['foreign']>): Promise<number> {
  const claims = await run('SELECT DISTINCT site_id, client_id, order_id FROM line');
  const foreign = await findForeign(
    claims.map((row) => ({
      site_id: Number(row.site_id),
      client_id: Number(row.client_id),
      order_id: Number(row.order_id),
    })),
  );
  if (foreign.length === 0) return 0;
  const rows = foreign.map((claim) => `(${claim.site_id}, ${claim.client_id}, ${claim.order_id})`).join(', ');
  const [dropped] = await run(
    `DELETE FROM line WHERE (site_id, client_id, order_id) IN (SELECT * FROM (VALUES ${rows}))`,
  );
  return Number(dropped?.Count ?? 0);
}
