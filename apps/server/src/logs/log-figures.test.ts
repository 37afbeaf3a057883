import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { AccessLogLine } from '@breakwater/contract/access-log';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../scope.ts';
import type { LogStore, MonitorFilter } from './log-store.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const keepAll = { record_days: 3650, rollup_days: 3650 };
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

const ingest = (lines: AccessLogLine[], file = 'access.1', nodeId = 1) =>
  store.ingest({ nodeId, file, offset: 0, lines: toBytes(lines) });

/** By another road: what counting the lines one by one gives. */
function counted(lines: AccessLogLine[], start: string, end: string, interval: number) {
  const from = Date.parse(start);
  const steps = Math.ceil((Date.parse(end) - from) / interval / 1000);
  const counts = Array.from({ length: steps }, () => 0);
  for (const { time } of lines) {
    const step = Math.floor((Date.parse(time) - from) / interval / 1000);
    if (Date.parse(time) >= from && Date.parse(time) < Date.parse(end)) counts[step]! += 1;
  }
  return counts;
}

const dayLines = makeLines(6000, new Date('2026-03-01T10:20:00Z'), { perMinute: 2 });
const scopes: [string, Scope, Partial<MonitorFilter>, (line: AccessLogLine) => boolean][] = [
  ['everything', all, {}, () => true],
  ['one site', all, { site_id: 4 }, ({ site_id }) => site_id === 4],
  ['a customer', { clients: [2] }, {}, ({ client_id }) => client_id === 2],
];
const ranges: [string, string, string, number][] = [
  ['days', '2026-03-01T16:00:00Z', '2026-03-03T16:00:00Z', 86_400],
  ['hours up to the middle of one', '2026-03-01T16:00:00Z', '2026-03-02T03:17:00Z', 3600],
  ['hours that begin at half past', '2026-03-01T16:30:00Z', '2026-03-02T16:30:00Z', 3600],
  ['five minutes', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', 300],
];
const cases = scopes.flatMap((scope) => ranges.map((range) => [...scope, ...range] as const));

test.each(cases)(
  '%s: figures are what its lines are, merged or not',
  async (_, scope, filter, matches, ...rest) => {
    const [, start_time, end_time, interval] = rest;
    await ingest(dayLines);
    const expected = counted(dayLines.filter(matches), start_time, end_time, interval);
    const question = { ...filter, start_time, end_time };
    const values = async () =>
      (await store.series(scope, 'cdn', 'request', { ...question, interval })).map(({ value }) => value ?? 0);
    const total = async () => (await store.summary(scope, 'cdn', question)).requests;
    const sum = expected.reduce((before, count) => before + count, 0);
    expect(sum).toBeGreaterThan(0);
    expect(await values()).toEqual(expected);
    expect(await total()).toBe(sum);
    await store.applyRetention(keepAll, new Date('2026-03-10T00:00:00Z'));
    expect(await values()).toEqual(expected);
    expect(await total()).toBe(sum);
  },
);

test('by the second, for the last three hours; the error says what would do', async () => {
  const start = Math.floor((Date.now() - 300_000) / 1000) * 1000;
  const lines = makeLines(600, new Date(start), { perMinute: 300 });
  await ingest(lines);
  const range = {
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 130_000).toISOString(),
  };
  for (const interval of [1, 5, 15, 30]) {
    const points = await store.series(all, 'cdn', 'request', { ...range, interval });
    expect(points.map(({ value }) => value ?? 0)).toEqual(
      counted(lines, range.start_time, range.end_time, interval),
    );
    expect(Date.parse(points[1]!.time) - Date.parse(points[0]!.time)).toBe(interval * 1000);
  }
  const old = new Date(Date.now() - 4 * 3_600_000).toISOString();
  const long = { start_time: old, end_time: new Date(Date.parse(old) + 60_000).toISOString(), interval: 1 };
  await expect(store.series(all, 'cdn', 'request', long)).rejects.toMatchObject({ wouldDo: 60 });
  const hour = { ...range, end_time: new Date(start + 3_600_000).toISOString(), interval: 1 };
  await expect(store.series(all, 'cdn', 'request', hour)).rejects.toMatchObject({ wouldDo: 5 });
  // OpenSearch has no sums of seconds to delete: it reads the lines.
  if (!isDuckdb) return;
  await store.applyRetention(keepAll, new Date(Date.now() + 4 * 3_600_000));
  const gone = await store.series(all, 'cdn', 'request', { ...range, interval: 30 });
  expect(gone.every(({ value }) => value === 0)).toBe(true);
});

test('visitors count once an hour, however often they come, and no finer than by the hour', async () => {
  await ingest(dayLines);
  const range = { start_time: '2026-03-01T16:00:00Z', end_time: '2026-03-02T16:00:00Z' };
  const visitors = (from: string, to: string, site?: number) =>
    new Set(
      dayLines
        .filter(({ time, site_id }) => time >= from && time < to && (site ?? site_id) === site_id)
        .map(({ remote_addr }) => remote_addr),
    ).size;
  const read = async (interval: number, filter: Partial<MonitorFilter> = {}) =>
    (await store.series(all, 'cdn', 'unique_remote_addr', { ...range, ...filter, interval })).map(
      ({ value }) => value,
    );
  for (const round of ['as it came', 'merged']) {
    expect(await read(86_400), round).toEqual([visitors('2026-03-01T16', '2026-03-02T16')]);
    expect((await read(3600, { site_id: 2 }))[3], round).toBe(visitors('2026-03-01T19', '2026-03-01T20', 2));
    await store.applyRetention(keepAll, new Date('2026-03-10T00:00:00Z'));
  }
  await expect(read(300)).rejects.toMatchObject({ issue: 'range_too_fine', wouldDo: 3600 });
});

test('names that are tried at a wildcard count together, and the whole stays what it was', async () => {
  const busy = Array.from({ length: 300 }, () => makeLine({ host: 'www.example.com' }));
  const tried = Array.from({ length: 1000 }, (_, index) => makeLine({ host: `x${index}.example.com` }));
  await ingest([...busy, ...tried]);
  await store.applyRetention(keepAll, new Date('2026-03-10T00:00:00Z'));
  const range = { start_time: '2026-03-01T09:00:00Z', end_time: '2026-03-01T11:00:00Z' };
  const requests = async (filter: Partial<MonitorFilter>) =>
    (await store.summary(all, 'cdn', { ...range, ...filter })).requests;
  expect(await requests({ site_id: 1 })).toBe(1300);
  expect(await requests({ hosts: ['www.example.com'] })).toBe(300);
  expect((await store.stats()).rollupRows).toBeLessThanOrEqual(201);
});

test('an hour nobody told of is a gap between two that somebody did', async () => {
  const at = (clock: string) => makeLines(60, new Date(`2026-03-01T${clock}:00Z`), { perMinute: 60 });
  await ingest(at('10:00'));
  await ingest(at('12:00'), 'access.2');
  await store.covered(1, new Date('2026-03-01T12:04:00Z'));
  const points = async () =>
    (
      await store.series(all, 'cdn', 'request', {
        start_time: '2026-03-01T10:00:00Z',
        end_time: '2026-03-01T13:00:00Z',
        interval: 1800,
      })
    ).map(({ value }) => value);
  expect(await points()).toEqual([60, null, null, null, 60, null]);
  await store.close();
  store = await openTestStore({ folder });
  expect(await points()).toEqual([60, null, null, null, 60, null]);
});

test.runIf(isDuckdb)('a file of a release that kept one table of sums is taken over', async () => {
  await store.close();
  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'));
  const connection = await instance.connect();
  for (const statement of [
    `CREATE TABLE rollup_minute (minute TIMESTAMP, site_id INTEGER, client_id INTEGER, order_id INTEGER, node_id INTEGER,
       status INTEGER, cache_status VARCHAR, origin_status INTEGER, requests BIGINT, bytes_sent BIGINT, request_bytes BIGINT,
       request_time DOUBLE, origin_requests BIGINT, origin_bytes BIGINT, origin_time DOUBLE, merged BOOLEAN)`,
    `INSERT INTO rollup_minute VALUES
       ('2026-03-01 10:00:00', 1, 1, 1, 1, 200, 'HIT', 0, 3, 3000, 9, 0.3, 0, 0, 0, true),
       ('2026-03-01 10:00:00', 1, 1, 1, 1, 502, 'MISS', 502, 2, 500, 6, 0.5, 2, 400, 0.4, false),
       ('2026-03-01 11:30:00', 1, 1, 1, 1, 404, '', 0, 1, 100, 3, 0.1, 0, 0, 0, false)`,
    `CREATE TABLE log_coverage (node_id INTEGER, first_minute TIMESTAMP, last_minute TIMESTAMP)`,
    `INSERT INTO log_coverage VALUES (1, '2026-03-01 10:00:00', '2026-03-01 11:30:00')`,
  ])
    await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  store = await openTestStore({ folder });
  const range = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T12:00:00Z' };
  const wanted = { requests: 6, flux: 3600, flux_hit: 3000, status_2xx: 3, status_4xx: 1, status_5xx: 2 };
  expect(await store.summary(all, 'cdn', range)).toMatchObject(wanted);
  expect(await store.summary(all, 'cdn', { ...range, site_id: 1 })).toMatchObject(wanted);
  expect(await store.summary(all, 'origin', range)).toMatchObject({ requests: 2, flux: 400, status_5xx: 2 });
  const points = await store.series(all, 'cdn', 'request', { ...range, interval: 3600 });
  expect(points.map(({ value }) => value)).toEqual([5, 1]);
  await store.close();
  store = await openTestStore({ folder });
  expect((await store.summary(all, 'cdn', range)).requests).toBe(6);
});
