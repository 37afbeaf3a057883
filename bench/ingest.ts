/**
 * How fast shipped batches are stored (lib/ingest-bench.ts). Then a process that ingests is killed several times; what is
 * stored in the end is counted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openDuckdbLogStore } from '../apps/server/src/logs/duckdb-log-store.ts';
import { makeLines, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { measureIngest } from './lib/ingest-bench.ts';
import { printResult } from './lib/result.ts';

const kills = 5;
const start = Date.now() - 6 * 3600 * 1000;
const root = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));

try {
  const { toAppender, figures } = await measureIngest(root);
  const { lost, doubled, killed } = await killAndCount();
  printResult(
    'ingest',
    { to_appender: toAppender },
    { ...figures, rows_lost: lost, rows_doubled: doubled, kills: killed },
  );
} finally {
  await rm(root, { recursive: true });
}

/** Ships one file through processes that are killed in the middle, each a little further, and one that is not. */
async function killAndCount(): Promise<{ lost: number; doubled: number; killed: number }> {
  const folder = join(root, 'killed');
  const file = join(root, 'access.log');
  const rows = 200_000;
  const bytes = toBytes(makeLines(rows, new Date(start), { perMinute: 2000 }));
  await writeFile(file, bytes);
  const batchBytes = 1024 * 1024;
  const program = join(import.meta.dirname, '../apps/server/src/logs/test-ship.ts');
  let killed = 0;
  for (let kill = 1; kill <= kills + 1; kill++) {
    const child = spawn(process.execPath, [program, folder, file, String(batchBytes)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const killAt = (bytes.length * kill) / (kills + 1);
    child.stdout.on('data', (positions: Buffer) => {
      const position = Number(positions.toString().trim().split('\n').at(-1));
      // Not at once: somewhere within the batch that follows.
      if (kill <= kills && position >= killAt - batchBytes) setTimeout(() => child.kill('SIGKILL'), kill * 7);
    });
    const [, signal] = await ended;
    if (signal === 'SIGKILL') killed++;
  }
  const store = await openDuckdbLogStore({ folder });
  const { records } = await store.stats();
  const summary = await store.summary({ clients: 'all' }, 'cdn', {
    start_time: new Date(start - 60_000).toISOString(),
    end_time: new Date(start + 24 * 3600 * 1000).toISOString(),
  });
  await store.close();
  const kept = await countDistinct(join(folder, 'logs.duckdb'));
  if (summary.requests !== records)
    throw new Error(`${records} rows, but the rollups count ${summary.requests}`);
  return { lost: rows - kept, doubled: records - kept, killed };
}

async function countDistinct(path: string): Promise<number> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll('SELECT count(DISTINCT request_id) FROM access_log');
  const count = Number(reader.getRows()[0]?.[0]);
  connection.closeSync();
  instance.closeSync();
  return count;
}
