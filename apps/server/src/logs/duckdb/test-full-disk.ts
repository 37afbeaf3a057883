/**
 * Run as a program of its own, whose files may be made to grow no further: `node test-full-disk.ts FOLDER`. Writes to the store of
 * FOLDER, checkpoints where there is no room for it, and says as JSON what was answered then and after there was room again.
 */
import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckdbLogStore } from '../duckdb-log-store.ts';
import { makeLines, toBytes } from '../test-lines.ts';

const [folder = ''] = process.argv.slice(2);
const keepAll = { record_days: 3650, rollup_days: 3650 };
const all = { clients: 'all' } as const;
const store = await openDuckdbLogStore({ folder });
let files = 0;
function ingest(count: number): Promise<unknown> {
  files += 1;
  const lines = makeLines(count, new Date(Date.UTC(2026, 2, files)), { seed: files });
  return store.ingest({ nodeId: 1, file: `access.${files}`, offset: 0, lines: toBytes(lines) });
}
const tidy = () => store.applyRetention(keepAll, new Date());
const limitFiles = (bytes: number | 'unlimited') =>
  spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );
const found = async () => (await store.search(all, {}, { current_page: 1, page_size: 1 })).total;

await ingest(20_000);
await tidy();
limitFiles((await stat(store.connection.address)).size + 200_000);
await ingest(8000);
const checkpoint = await nameOf(tidy());
const foundWhenFull = await found();
const again = await nameOf(tidy());
limitFiles('unlimited');
let refusals = 0;
while ((await nameOf(ingest(100))) !== 'done') {
  refusals += 1;
  files -= 1;
  await sleep(50);
}
await tidy();
const { requests } = await store.summary(all, 'cdn', {
  start_time: '2026-03-01T00:00:00Z',
  end_time: '2026-04-01T00:00:00Z',
});
process.stdout.write(
  JSON.stringify({ checkpoint, foundWhenFull, again, refusals, foundLater: await found(), requests }),
);
await store.close();
