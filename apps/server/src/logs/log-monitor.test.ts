import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessLogLine } from '@breakwater/contract/access-log';
import type { MonitorMetric, MonitorSide } from '@breakwater/contract/statistics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../scope.ts';
import { LogRangeError, type LogStore, type MonitorFilter } from './log-store.ts';
import { makeLines, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

type Record = AccessLogLine & { node_id: number };

const all = { clients: 'all' } as const;
const start = new Date('2026-03-01T10:00:00Z');
/** Wider than the lines, which fill ten minutes from `start`. */
const range = { start_time: '2026-03-01T09:55:00Z', end_time: '2026-03-01T10:15:00Z' };
let folder: string;
let store: LogStore;
const records: Record[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder });
  for (const node_id of [1, 2]) {
    const lines = makeLines(2000, start, { seed: node_id, perMinute: 200 });
    const bytes = toBytes(lines);
    // In small batches, so that each minute's figures come from several.
    for (let offset = 0; offset < bytes.length;) {
      const part = bytes.subarray(offset, offset + 50_000);
      ({ offset } = await store.ingest({ nodeId: node_id, file: 'access.1', offset, lines: part }));
    }
    records.push(...lines.map((line) => ({ node_id, ...line })));
  }
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

const sum = (rows: Record[], value: (row: Record) => number) =>
  rows.reduce((total, row) => total + value(row), 0);
const isHit = (row: Record) => ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(row.cache_status);
const inClass = (rows: Record[], hundreds: number, status: (row: Record) => number) =>
  rows.filter((row) => Math.floor(status(row) / 100) === hundreds).length;

function summaryOf(rows: Record[]) {
  const minutes = Map.groupBy(rows, (row) => row.time.slice(0, 16));
  const flux = sum(rows, (row) => row.bytes_sent);
  const flux_hit = sum(rows.filter(isHit), (row) => row.bytes_sent);
  return {
    requests: rows.length,
    flux,
    flux_hit,
    flux_hit_rate: flux === 0 ? null : flux_hit / flux,
    bandwidth_peak: Math.max(
      0,
      ...[...minutes.values()].map((minute) => (sum(minute, (r) => r.bytes_sent) * 8) / 60),
    ),
    response_time:
      rows.length === 0 ? null : expect.closeTo(sum(rows, (row) => row.request_time) / rows.length, 9),
    attacks: rows.filter((row) => row.decision !== '').length,
    status_2xx: inClass(rows, 2, (row) => row.status),
    status_3xx: inClass(rows, 3, (row) => row.status),
    status_4xx: inClass(rows, 4, (row) => row.status),
    status_5xx: inClass(rows, 5, (row) => row.status),
  };
}

const filters: [string, Scope, Partial<MonitorFilter>, (row: Record) => boolean][] = [
  ['everything', all, {}, () => true],
  ['a client', all, { client_id: 2 }, (row) => row.client_id === 2],
  ['a site', all, { site_id: 4 }, (row) => row.site_id === 4],
  ['a node', all, { node_id: 2 }, (row) => row.node_id === 2],
  ['a customer', { clients: [3] }, {}, (row) => row.client_id === 3],
  ['two customers', { clients: [1, 3] }, {}, ({ client_id }) => [1, 3].includes(client_id)],
  ['two sites', { clients: 'all', sites: [1, 3] }, {}, ({ site_id }) => [1, 3].includes(site_id)],
  [
    "another's site",
    { clients: [3], sites: [1] },
    {},
    ({ client_id, site_id }) => client_id === 3 && site_id === 1,
  ],
  ['a customer asking for another', { clients: [3] }, { client_id: 1 }, () => false],
  ["a customer asking for another's site", { clients: [3] }, { site_id: 3 }, () => false],
  ['an order', all, { order_id: 70 }, (row) => row.order_id === 70],
  ['two orders', all, { order_ids: [20, 50] }, (row) => [20, 50].includes(row.order_id)],
  ['no orders at all', all, { order_ids: [] }, () => false],
  [
    'two hosts',
    all,
    { hosts: ['www1.example.com', 'www8.example.com'] },
    (row) => ['www1.example.com', 'www8.example.com'].includes(row.host),
  ],
  ['two clients', all, { client_ids: [1, 3] }, (row) => row.client_id !== 2],
  ['a host with a quote in it', all, { hosts: ["' OR 1=1 --"] }, () => false],
  [
    'a part of the time',
    all,
    { start_time: '2026-03-01T10:03:00Z' },
    (row) => row.time >= '2026-03-01T10:03',
  ],
];
test.each(filters)(
  'the summary of %s is what counting its lines gives',
  async (_, scope, filter, matches) => {
    expect(await store.summary(scope, 'cdn', { ...range, ...filter })).toEqual(
      summaryOf(records.filter(matches)),
    );
  },
);

test('the origin side counts what was fetched', async () => {
  const fetched = records.filter((record) => record.origin_addr !== '');
  const summary = await store.summary(all, 'origin', range);
  expect(summary).toMatchObject({
    requests: fetched.length,
    flux: sum(fetched, (record) => record.origin_bytes),
    flux_hit: 0,
    flux_hit_rate: null,
    status_2xx: inClass(fetched, 2, (record) => record.origin_status),
    status_5xx: inClass(fetched, 5, (record) => record.origin_status),
  });
});

const metrics: [MonitorMetric, (rows: Record[]) => unknown][] = [
  ['bandwidth', (rows) => (sum(rows, (row) => row.bytes_sent) * 8) / 300],
  ['flux', (rows) => sum(rows, (row) => row.bytes_sent)],
  ['flux_hit_rate', (rows) => summaryOf(rows).flux_hit_rate],
  ['request', (rows) => rows.length],
  ['status_code_2xx', (rows) => inClass(rows, 2, (row) => row.status)],
  ['status_code_3xx', (rows) => inClass(rows, 3, (row) => row.status)],
  ['status_code_4xx', (rows) => inClass(rows, 4, (row) => row.status)],
  ['status_code_5xx', (rows) => inClass(rows, 5, (row) => row.status)],
  ['attacks', (rows) => rows.filter((row) => row.decision !== '').length],
  ['response_time', (rows) => expect.closeTo(sum(rows, (row) => row.request_time) / rows.length, 9)],
];
test.each(metrics)('%s over time is what counting its lines gives', async (metric, valueOf) => {
  const points = await store.series(all, 'cdn', metric, { ...range, interval: 300 });
  const inFive = (from: string, to: string) => records.filter((row) => row.time >= from && row.time < to);
  expect(points).toEqual([
    { time: '2026-03-01T09:55:00.000Z', value: null },
    { time: '2026-03-01T10:00:00.000Z', value: valueOf(inFive('2026-03-01T10:00', '2026-03-01T10:05')) },
    { time: '2026-03-01T10:05:00.000Z', value: valueOf(inFive('2026-03-01T10:05', '2026-03-01T10:10')) },
    { time: '2026-03-01T10:10:00.000Z', value: null },
  ]);
});

test('the parts make the whole: by site, order, host, client, node and step', async () => {
  const flux = async (filter: Partial<MonitorFilter>, side: MonitorSide) =>
    (await store.summary(all, side, { ...range, ...filter })).flux;
  for (const side of ['cdn', 'origin'] as const) {
    const whole = await flux({}, side);
    const parts = async (name: 'site_id' | 'order_id' | 'client_id' | 'node_id', ids: number[]) => {
      const values = await Promise.all(ids.map((id) => flux({ [name]: id }, side)));
      return values.reduce((total, value) => total + value, 0);
    };
    expect(await parts('site_id', [1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(whole);
    expect(await parts('order_id', [10, 20, 30, 40, 50, 60, 70, 80, 90])).toBe(whole);
    const hosts = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((site) => flux({ hosts: [`www${site}.example.com`] }, side)),
    );
    expect(hosts.reduce((total, value) => total + value, 0)).toBe(whole);
    expect(await parts('client_id', [1, 2, 3])).toBe(whole);
    expect(await parts('node_id', [1, 2])).toBe(whole);
    const points = await store.series(all, side, 'flux', { ...range, interval: 60 });
    expect(points.reduce((total, point) => total + (point.value ?? 0), 0)).toBe(whole);
  }
});

test('what nobody told of is a gap, a quiet minute is zero', async () => {
  const quiet = { site_id: 999 };
  const values = async (filter: Partial<MonitorFilter>, metric: MonitorMetric = 'flux') =>
    (await store.series(all, 'cdn', metric, { ...range, ...filter, interval: 300 })).map(
      (point) => point.value,
    );
  expect(await values(quiet)).toEqual([null, 0, 0, null]);
  expect(await values(quiet, 'flux_hit_rate')).toEqual([null, null, null, null]);
  expect(await values({ node_id: 77 })).toEqual([null, null, null, null]);
  await store.covered(2, new Date('2026-03-01T10:12:00Z'));
  expect(await values(quiet)).toEqual([null, 0, 0, 0]);
  expect(await values({ ...quiet, node_id: 1 })).toEqual([null, 0, 0, null]);
});

test('steps start at the minute of the start, and the last may be short', async () => {
  const points = await store.series(all, 'cdn', 'request', {
    start_time: '2026-03-01T18:03:30+08:00',
    end_time: '2026-03-01T10:09:10Z',
    interval: 300,
  });
  expect(points).toEqual([
    { time: '2026-03-01T10:03:00.000Z', value: 2000 },
    { time: '2026-03-01T10:08:00.000Z', value: 800 },
  ]);
});

test('ranges that are reversed or too fine are refused', async () => {
  const { start_time, end_time } = range;
  const reversed = { start_time: end_time, end_time: start_time };
  await expect(store.series(all, 'cdn', 'flux', { ...reversed, interval: 60 })).rejects.toThrow(
    LogRangeError,
  );
  await expect(store.summary(all, 'cdn', reversed)).rejects.toMatchObject({ issue: 'range_reversed' });
  const year = { start_time: '2025-03-01T00:00:00Z', end_time, interval: 60 };
  await expect(store.series(all, 'cdn', 'flux', year)).rejects.toMatchObject({
    issue: 'range_too_fine',
    wouldDo: 21_600,
  });
});
