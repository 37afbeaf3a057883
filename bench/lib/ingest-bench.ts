/**
 * Rows per second from a shipped gzip batch to queryable (unpacked, stored, summed up, position moved), against
 * DuckDB's own appender that writes the same rows, ready parsed, into a file of its own: turn by turn, medians.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBDataChunk, DuckDBInstance, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api';
import type { AccessLogLine } from '../../packages/contract/src/access-log.ts';
import { lineColumns, placeColumns, schema } from '../../apps/server/src/logs/duckdb/schema.ts';
import { defaultThreads, openDuckdbLogStore } from '../../apps/server/src/logs/duckdb-log-store.ts';
import { makeLines, toBytes } from '../../apps/server/src/logs/test-lines.ts';
import { unpackBatch } from '../../apps/server/src/logs/unpack-batch.ts';
import { median } from './result.ts';

const rowsPerBatch = 20_000;
const rounds = 21;
const chunkRows = 2048;
const start = Date.now() - 6 * 3600 * 1000;

/** Works in a folder that the caller removes. `toAppender` is the ratio to the faster of the appender's two ways. */
export async function measureIngest(root: string) {
  const store = await openDuckdbLogStore({ folder: join(root, 'store') });
  const appender = await openAppender(join(root, 'appender.duckdb'));
  const seconds = { ingest: [] as number[], appenderRows: [] as number[], appenderChunks: [] as number[] };
  let offset = 0;
  for (let round = 0; round < rounds; round++) {
    const lines = makeLines(rowsPerBatch, new Date(start + round * 600_000), {
      seed: round,
      perMinute: 2000,
    });
    const rows = lines.map(toRow);
    const bytes = toBytes(lines);
    const body = gzipSync(bytes);
    const turns = {
      ingest: async () => {
        const batch = { nodeId: 1, file: 'access.1', offset, lines: await unpackBatch(body) };
        ({ offset } = await store.ingest(batch));
      },
      appenderRows: () => appender.writeRows(rows),
      appenderChunks: () => appender.writeChunks(rows),
    };
    for (const [name, turn] of Object.entries(turns)) {
      const before = performance.now();
      await turn();
      seconds[name as keyof typeof turns].push((performance.now() - before) / 1000);
    }
  }
  const { total } = await store.search({ clients: 'all' }, {}, { current_page: 1, page_size: 10 });
  if (total !== rounds * rowsPerBatch)
    throw new Error(`${total} rows can be queried, ${rounds * rowsPerBatch} were sent`);
  await store.close();
  appender.close();
  // The first turn of each warms up.
  const speedOf = (all: number[]) => rowsPerBatch / median(all.slice(1));
  const ingest = speedOf(seconds.ingest);
  const appenderRows = speedOf(seconds.appenderRows);
  const appenderChunks = speedOf(seconds.appenderChunks);
  return {
    toAppender: ingest / Math.max(appenderRows, appenderChunks),
    figures: {
      rows_per_second: Math.round(ingest),
      appender_rows_per_second: Math.round(appenderRows),
      appender_chunks_rows_per_second: Math.round(appenderChunks),
    },
  };
}

/** With the settings of the store; a row is the node's id and the columns of the line. */
async function openAppender(path: string) {
  const instance = await DuckDBInstance.create(path, {
    threads: String(defaultThreads()),
    memory_limit: '1GB',
    checkpoint_threshold: '64MB',
  });
  const connection = await instance.connect();
  for (const statement of schema) await connection.run(statement);
  const types = ['INTEGER', ...Object.values(lineColumns), ...Object.values(placeColumns)];
  return {
    async writeRows(rows: DuckDBValue[][]) {
      const appender = await connection.createAppender('access_log');
      for (const row of rows) {
        for (let column = 0; column < types.length; column++) {
          const value = row[column];
          const type = types[column];
          if (type === 'VARCHAR') appender.appendVarchar(value as string);
          else if (type === 'INTEGER') appender.appendInteger(value as number);
          else if (type === 'BIGINT') appender.appendBigInt(value as bigint);
          else if (type === 'DOUBLE') appender.appendDouble(value as number);
          else appender.appendTimestamp(value as DuckDBTimestampValue);
        }
        appender.endRow();
      }
      appender.closeSync();
    },
    async writeChunks(rows: DuckDBValue[][]) {
      const appender = await connection.createAppender('access_log');
      const columnTypes = Array.from({ length: appender.columnCount }, (_, column) =>
        appender.columnType(column),
      );
      for (let first = 0; first < rows.length; first += chunkRows) {
        const chunk = DuckDBDataChunk.create(columnTypes);
        chunk.setRows(rows.slice(first, first + chunkRows));
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function toRow(line: AccessLogLine): DuckDBValue[] {
  const values = Object.entries(lineColumns).map(([name, type]) => {
    const value = line[name as keyof AccessLogLine];
    if (type === 'BIGINT') return BigInt(value);
    return type === 'TIMESTAMP' ? new DuckDBTimestampValue(BigInt(Date.parse(String(value))) * 1000n) : value;
  });
  return [1, ...values, ...Object.values(placeColumns).map((type) => (type === 'BIGINT' ? 0n : ''))];
}
