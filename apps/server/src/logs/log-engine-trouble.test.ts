import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLogEngine, testedEngine } from '@breakwater/test-world/log-engine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LogStoreBusyError, LogStoreDownError, LogStoreFullError } from './log-store.ts';
import { Cluster } from './opensearch/cluster.ts';
import { makeLine, toBytes } from './test-lines.ts';
import {
  isDuckdb,
  openTestStore,
  putIndex,
  removeTestStore,
  setCluster,
  setIndex,
  setReadOnly,
} from './test-store.ts';

const all = { clients: 'all' } as const;
const page = { current_page: 1, page_size: 10 };
const days = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-03T00:00:00Z' };
const now = new Date('2026-03-04T12:00:00Z');
const keepAll = { record_days: 3650, rollup_days: 3650 };

async function newStore() {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  const store = await openTestStore({ folder });
  onTestFinished(async () => {
    await store.close();
    await removeTestStore(folder);
  });
  const ingest = (file: string, ...times: string[]) => {
    const lines = times.map((time, index) => makeLine({ time, request_id: `${file}-${index}` }));
    return store.ingest({ nodeId: 1, file, offset: 0, lines: toBytes(lines) });
  };
  return { folder, store, ingest };
}

describe.runIf(!isDuckdb)('a cluster in trouble', () => {
  test('of which an index cannot be read answers nothing by halves', async () => {
    const { folder, store, ingest } = await newStore();
    await ingest('access.1', '2026-03-01T10:00:00.000Z');
    const count = async () => (await store.summary(all, 'cdn', days)).requests;
    expect(await count()).toBe(1);
    // No machine may have it.
    const lost = 'log-2026.03.02-1';
    await putIndex(
      folder,
      `${lost}?wait_for_active_shards=0`,
      {},
      { 'routing.allocation.require._name': 'nobody' },
    );
    await expect(count()).rejects.toBeInstanceOf(LogStoreDownError);
    await expect(store.search(all, days, page)).rejects.toBeInstanceOf(LogStoreDownError);
    expect((await store.describe()).health).toBe('red');
    await setIndex(folder, lost, { 'routing.allocation.require._name': null });
    await expect.poll(() => count().catch(() => 0), { timeout: 60_000 }).toBe(1);
  });

  test('that is full makes room by what is due to be deleted, and keeps its sums', async () => {
    const { folder, store, ingest } = await newStore();
    await ingest('access.1', '2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z');
    await store.applyRetention(keepAll, now);
    await ingest('access.2', '2026-03-03T10:00:00.000Z');
    await setReadOnly(folder, true);
    const late = new Date('2026-03-20T12:00:00Z');
    await expect(store.applyRetention({ record_days: 2, rollup_days: 3650 }, late)).rejects.toBeInstanceOf(
      LogStoreFullError,
    );
    const left = (await store.indices()).filter(({ kind }) => kind === 'records');
    // Of the last day there are no sums yet.
    expect(left.map(({ begins }) => begins)).toEqual(['2026-03-03T00:00:00.000Z']);
    expect((await store.summary(all, 'cdn', days)).requests).toBe(2);
    await setReadOnly(folder, false);
    await store.applyRetention({ record_days: 2, rollup_days: 3650 }, late);
    expect((await store.indices()).filter(({ kind }) => kind === 'records')).toEqual([]);
    const month = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-04-01T00:00:00Z' };
    expect((await store.summary(all, 'cdn', month)).requests).toBe(3);
  });

  test('that may have no more indices is full, and no line is lost by it', async () => {
    const { ingest } = await newStore();
    await ingest('access.1', '2026-03-01T10:00:00.000Z');
    await setCluster({ 'cluster.max_shards_per_node': 1 });
    try {
      await expect(ingest('access.2', '2026-03-02T10:00:00.000Z')).rejects.toBeInstanceOf(LogStoreFullError);
    } finally {
      await setCluster({ 'cluster.max_shards_per_node': null });
    }
    expect(await ingest('access.2', '2026-03-02T10:00:00.000Z')).toMatchObject({ stored: 1, broken: 0 });
  });

  test('that may have no more indices and has none of ours yet is read as empty, and full to who writes', async () => {
    const { store, ingest } = await newStore();
    await setCluster({ 'cluster.max_shards_per_node': 1 });
    try {
      expect((await store.summary(all, 'cdn', days)).requests).toBe(0);
      await expect(ingest('access.1', '2026-03-01T10:00:00.000Z')).rejects.toBeInstanceOf(LogStoreFullError);
    } finally {
      await setCluster({ 'cluster.max_shards_per_node': null });
    }
    expect(await ingest('access.1', '2026-03-01T10:00:00.000Z')).toMatchObject({ stored: 1 });
  });

  test('that has no memory for a question says so', async () => {
    const { store, ingest } = await newStore();
    await ingest('access.1', '2026-03-01T10:00:00.000Z');
    await setCluster({ 'indices.breaker.request.limit': '1b' });
    try {
      await expect(store.summary(all, 'cdn', days)).rejects.toBeInstanceOf(LogStoreBusyError);
    } finally {
      await setCluster({ 'indices.breaker.request.limit': null });
    }
    expect((await store.summary(all, 'cdn', days)).requests).toBe(1);
  });

  test('that is not whole yet is away, and not full', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'breakwater-log-engine-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const node = await startLogEngine(testedEngine!, folder, {
      settings: { 'gateway.recover_after_data_nodes': '2' },
      isReady: async (url) => (await fetch(url)).ok,
    });
    onTestFinished(() => node.stop());
    const cluster = new Cluster(node.url);
    onTestFinished(() => cluster.close());
    await expect(cluster.call('GET', '/_search')).rejects.toBeInstanceOf(LogStoreDownError);
  });

  test('indices of an installation whose prefix begins with ours are not ours', async () => {
    const { folder, store, ingest } = await newStore();
    await ingest('access.1', '2026-03-01T10:00:00.000Z');
    const names = async () => (await store.indices()).map(({ name }) => name);
    const before = await names();
    await putIndex(folder, 'other-log-2026.03.05-1', {});
    expect(await names()).toEqual(before);
  });
});
