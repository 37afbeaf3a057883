import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogStore } from './log-store.ts';
import { makeLines, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const page = { current_page: 1, page_size: 1 };
const keepAll = { record_days: 3650, rollup_days: 3650 };
const now = new Date('2026-03-10T12:00:00Z');
let folder: string;
let store: LogStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder });
});
afterEach(async () => {
  await store.close();
  await removeTestStore(folder);
});

/** 600 lines in the ten minutes from noon of a day of March, in several batches. */
async function ingestDay(day: number) {
  const noon = new Date(Date.UTC(2026, 2, day, 12));
  const bytes = toBytes(makeLines(600, noon, { seed: day, perMinute: 60 }));
  for (let offset = 0; offset < bytes.length;) {
    const lines = bytes.subarray(offset, offset + 20_000);
    ({ offset } = await store.ingest({ nodeId: 1, file: `access.${day}`, offset, lines }));
  }
}

const ofDay = (day: number) => ({
  start_time: `2026-03-0${day}T00:00:00Z`,
  end_time: `2026-03-0${day + 1}T00:00:00Z`,
});

test('records and figures go when their own time is over', async () => {
  for (const day of [1, 5, 8]) await ingestDay(day);
  const deleted = await store.applyRetention({ record_days: 3, rollup_days: 6 }, now);
  expect(deleted.records).toBe(1200);
  expect(deleted.rollupRows).toBeGreaterThan(0);
  expect((await store.search(all, {}, page)).total).toBe(600);
  expect((await store.stats()).oldest).toMatch(/^2026-03-08/);
  const counts = await Promise.all([1, 5, 8].map((day) => store.summary(all, 'cdn', ofDay(day))));
  expect(counts.map(({ requests }) => requests)).toEqual([0, 600, 600]);
  const [expired] = await store.series(all, 'cdn', 'request', { ...ofDay(1), interval: 86_400 });
  expect(expired?.value).toBeNull();
  const [unknown] = await store.series(all, 'cdn', 'request', { ...ofDay(6), interval: 86_400 });
  expect(unknown?.value).toBeNull();
});

test('what was deleted does not come back when its batch is sent again', async () => {
  await ingestDay(1);
  await store.applyRetention({ record_days: 1, rollup_days: 1 }, now);
  await ingestDay(1);
  expect((await store.stats()).records).toBe(0);
});

test('merging leaves fewer rollup rows and every sum as it was, also with late lines', async () => {
  for (const day of [5, 8]) await ingestDay(day);
  const figures = () =>
    Promise.all(
      [5, 8].flatMap((day) =>
        (['cdn', 'origin'] as const).flatMap((side) => [
          store.summary(all, side, ofDay(day)),
          store.series(all, side, 'flux', { ...ofDay(day), interval: 60 }),
          store.series(all, side, 'flux_hit_rate', { ...ofDay(day), interval: 3600, site_id: 4 }),
        ]),
      ),
    );
  const before = await figures();
  const rowsBefore = (await store.stats()).rollupRows;
  await store.applyRetention(keepAll, now);
  const rowsMerged = (await store.stats()).rollupRows;
  expect(rowsMerged).toBeLessThan(rowsBefore);
  expect(await figures()).toEqual(before);

  const late = toBytes(makeLines(600, new Date('2026-03-05T12:00:00Z'), { seed: 5, perMinute: 60 }));
  await store.ingest({ nodeId: 1, file: 'late', offset: 0, lines: late });
  await store.applyRetention(keepAll, now);
  expect((await store.stats()).rollupRows).toBe(rowsMerged);
  expect((await store.summary(all, 'cdn', ofDay(5))).requests).toBe(1200);
});

test('charts and searches answer while it runs', async () => {
  await ingestDay(8);
  const results = await Promise.all([
    store.applyRetention(keepAll, now),
    ...Array.from({ length: 20 }, () => store.summary(all, 'cdn', ofDay(8)).then(({ requests }) => requests)),
    ...Array.from({ length: 20 }, () => store.search(all, {}, page).then(({ total }) => total)),
  ]);
  expect(new Set(results.slice(1))).toEqual(new Set([600]));
});
