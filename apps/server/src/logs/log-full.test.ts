import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeLines, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore, setReadOnly } from './test-store.ts';

const start = new Date('2026-03-01T10:00:00Z');
const all = { clients: 'all' } as const;
const wholeDay = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-02T00:00:00Z' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
});
afterEach(() => removeTestStore(folder));

/** No file of the program may grow beyond so many bytes, until it is told otherwise: a disk that is full. */
const roomBytes = 4_000_000;
/** OpenSearch makes its indices read-only when its disk is nearly full. */
const fullFrom = 3_000_000;

const makeRoom = (child: ChildProcess) =>
  isDuckdb
    ? void spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
    : setReadOnly(folder, false);

test('a full store takes nothing by halves, and goes on when there is room', async () => {
  const lines = makeLines(20_000, start);
  const bytes = toBytes(lines);
  const file = join(folder, 'access.log');
  await writeFile(file, bytes);
  const program = [process.execPath, join(import.meta.dirname, 'test-ship.ts'), folder, file, '1000000'];
  const [command = '', ...args] = isDuckdb
    ? ['prlimit', `--fsize=${roomBytes}:unlimited`, ...program]
    : program;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let acknowledged = 0;
  let refusals = 0;
  let isLocked = false;
  for await (const text of child.stdout)
    for (const line of String(text).trim().split('\n')) {
      if (line === 'full') refusals += 1;
      else acknowledged = Number(line);
      if (!isDuckdb && !isLocked && acknowledged > fullFrom) {
        isLocked = true;
        await setReadOnly(folder, true);
      }
      if (line === 'full' && refusals === 3) {
        expect(acknowledged).toBeGreaterThan(0);
        expect(acknowledged).toBeLessThan(bytes.length);
        await makeRoom(child);
      }
    }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  expect(refusals).toBeGreaterThanOrEqual(3);
  expect(acknowledged).toBe(bytes.length);
  const store = await openTestStore({ folder });
  expect((await store.stats()).records).toBe(lines.length);
  const summary = await store.summary(all, 'cdn', wholeDay);
  expect(summary).toMatchObject({
    requests: lines.length,
    flux: lines.reduce((sum, line) => sum + line.bytes_sent, 0),
  });
  await store.close();
});

test.runIf(isDuckdb)(
  'a checkpoint that finds no room ends nothing for good: what is stored is answered, and it goes on when there is room',
  () => {
    const program = join(import.meta.dirname, 'duckdb', 'test-full-disk.ts');
    const { stdout } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
    const { refusals, ...rest } = JSON.parse(stdout) as { refusals: number };
    expect(rest).toEqual({
      checkpoint: 'LogStoreFullError',
      foundWhenFull: 28_000,
      again: 'LogStoreFullError',
      foundLater: 28_100,
      requests: 28_100,
    });
    // The file is not opened again and again.
    expect(refusals).toBeGreaterThan(0);
  },
  120_000,
);
