import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogStore } from './log-store.ts';
import { makeLine, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore } from './test-store.ts';

const retention = { record_days: 30, rollup_days: 400 };
const dayMs = 24 * 3_600_000;
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

const ship = (times: readonly string[]) =>
  store.ingest({
    nodeId: 1,
    file: 'access.1',
    offset: 0,
    lines: toBytes(times.map((time) => makeLine({ time }))),
  });

/** Of the store's own way to count ages: by the row, or from the end of its day. */
const goes = (row: number, days: number) =>
  new Date((isDuckdb ? row : Math.floor(row / dayMs) * dayMs + dayMs) + days * dayMs).toISOString();

test('an empty store has phases, and nothing that will be deleted', async () => {
  expect(await store.lifecycle(retention)).toEqual({
    ages_from: isDuckdb ? 'row' : 'day_end',
    data: [
      {
        kind: 'records',
        phases: [
          { name: 'hot', min_age_seconds: 0 },
          { name: 'delete', min_age_seconds: 30 * 86_400 },
        ],
        oldest: null,
        next_deletion: null,
      },
      {
        kind: 'figures',
        phases: [
          { name: 'hot', min_age_seconds: 0 },
          { name: 'merged', min_age_seconds: isDuckdb ? 180 : 3600 },
          { name: 'delete', min_age_seconds: 400 * 86_400 },
        ],
        oldest: null,
        next_deletion: null,
      },
    ],
    foreign_policies: [],
  });
});

test('the next deletion is when retention does delete the oldest, and not before', async () => {
  await ship(['2026-03-01T10:20:30.000Z', '2026-03-04T10:00:00.000Z']);
  const [records, figures] = (await store.lifecycle(retention)).data;
  expect(records).toMatchObject({
    oldest: '2026-03-01T10:20:30.000Z',
    next_deletion: goes(Date.parse('2026-03-01T10:20:30.000Z'), 30),
  });
  // The hour that the line counts in, or the line itself where sums are not made yet.
  const oldest = isDuckdb ? '2026-03-01T10:00:00.000Z' : '2026-03-01T10:20:30.000Z';
  expect(figures).toMatchObject({ oldest, next_deletion: goes(Date.parse(oldest), 400) });

  const due = Date.parse(records!.next_deletion!);
  // The first round sums the days up where that is left to it.
  await store.applyRetention(retention, new Date(due - 60_000));
  expect((await store.applyRetention(retention, new Date(due - 1000))).records).toBe(0);
  expect((await store.applyRetention(retention, new Date(due + 1000))).records).toBe(1);
  const after = (await store.lifecycle(retention)).data;
  expect(after.map((each) => each.oldest?.slice(0, 13))).toEqual(['2026-03-04T10', '2026-03-01T10']);

  const { oldest: first, next_deletion } = after[1]!;
  const figuresDue = Date.parse(next_deletion!);
  const oldestFigures = async () => (await store.lifecycle(retention)).data[1]!.oldest!;
  await store.applyRetention(retention, new Date(figuresDue - 60_000));
  expect(await oldestFigures()).toBe(first);
  await store.applyRetention(retention, new Date(figuresDue + 1000));
  expect(Date.parse(await oldestFigures())).toBeGreaterThan(Date.parse(first!));
  await store.applyRetention(retention, new Date(figuresDue + dayMs));
  expect(await oldestFigures()).toMatch(/^2026-03-04T10/);
});
