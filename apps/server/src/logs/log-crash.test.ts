import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogStoreLockedError } from './log-store.ts';
import { makeLines, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore } from './test-store.ts';

const start = new Date('2026-03-01T10:00:00Z');
const everything = { start_time: '2026-03-01T09:00:00Z', end_time: '2026-03-02T09:00:00Z' };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
});
afterEach(async () => {
  await removeTestStore(root);
});

/** Ships in a process of its own; `onPosition` hears each position that was acknowledged. */
async function ship(
  folder: string,
  file: string,
  onPosition: (position: number, child: ChildProcess) => void | Promise<void>,
) {
  const program = join(import.meta.dirname, 'test-ship.ts');
  const child = spawn(process.execPath, [program, folder, file, '100000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on(
    'data',
    (text: Buffer) => void onPosition(Number(text.toString().trim().split('\n').at(-1)), child),
  );
  await once(child, 'exit');
}

test('killed in the middle, several times: every acknowledged line is there, and each once', async () => {
  const lines = makeLines(20_000, start);
  const file = join(root, 'access.log');
  const bytes = toBytes(lines);
  await writeFile(file, bytes);
  const folder = join(root, 'store');
  let acknowledged = 0;
  for (const part of [0.2, 0.4, 0.6, 0.8]) {
    await ship(folder, file, (position, child) => {
      acknowledged = Math.max(acknowledged, position);
      if (position > bytes.length * part) setTimeout(() => child.kill('SIGKILL'), part * 20);
    });
    const store = await openTestStore({ folder });
    expect(await store.position(1, 'access.1')).toBeGreaterThanOrEqual(acknowledged);
    await store.close();
  }
  expect(acknowledged).toBeLessThan(bytes.length);
  await ship(folder, file, () => {});

  const store = await openTestStore({ folder });
  const { list } = await store.search(
    { clients: 'all' },
    { time_sort: 'asc' },
    { current_page: 1, page_size: 30_000 },
  );
  expect(list.map((record) => record.request_id).toSorted()).toEqual(
    lines.map((line) => line.request_id).toSorted(),
  );
  const summary = await store.summary({ clients: 'all' }, 'cdn', everything);
  expect(summary.requests).toBe(lines.length);
  expect(summary.flux).toBe(lines.reduce((sum, line) => sum + line.bytes_sent, 0));
  await store.close();
});

test.runIf(isDuckdb)(
  'a store that another process has open is refused by name',
  async () => {
    const file = join(root, 'access.log');
    await writeFile(file, toBytes(makeLines(20_000, start)));
    const folder = join(root, 'store');
    let refused: unknown;
    await ship(folder, file, async (_, child) => {
      if (refused) return;
      child.kill('SIGSTOP');
      refused = await openTestStore({ folder }).catch((error: unknown) => error);
      child.kill('SIGKILL');
    });
    expect(refused).toBeInstanceOf(LogStoreLockedError);
    expect((refused as Error).message).toContain(folder);
  },
  30_000,
);

test.runIf(isDuckdb)(
  'a store opened twice by one process is refused too, and opens once it is closed',
  async () => {
    const folder = join(root, 'store');
    const store = await openTestStore({ folder });
    await expect(openTestStore({ folder })).rejects.toBeInstanceOf(LogStoreLockedError);
    await store.close();
    await (await openTestStore({ folder })).close();
  },
);
