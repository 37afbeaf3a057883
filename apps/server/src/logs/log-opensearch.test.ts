import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLogEngine, testedEngine } from '@breakwater/test-world/log-engine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LogStoreBusyError, LogStoreDownError } from './log-store.ts';
import { openOpensearchLogStore } from './opensearch-log-store.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import { isDuckdb, openTestStore, putIndex, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const page = { current_page: 1, page_size: 10 };
const start = new Date('2026-03-01T10:00:00Z');
const wholeDay = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-02T00:00:00Z' };
const keepAll = { record_days: 3650, rollup_days: 3650 };

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  onTestFinished(() => removeTestStore(folder));
  return folder;
}

describe.runIf(!isDuckdb)('in OpenSearch or Elasticsearch', () => {
  test('a store that is killed in the middle of batches counts each line once, and loses none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'breakwater-log-engine-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    let node = await startLogEngine(testedEngine!, folder);
    onTestFinished(() => node.stop());
    const store = openOpensearchLogStore({ url: node.url });
    onTestFinished(() => store.close());
    const lines = makeLines(20_000, start);
    const bytes = toBytes(lines);
    let acknowledged = 0;
    let failures = 0;
    const ship = async () => {
      while (acknowledged < bytes.length)
        try {
          const part = bytes.subarray(acknowledged, acknowledged + 500_000);
          ({ offset: acknowledged } = await store.ingest({
            nodeId: 1,
            file: 'access.1',
            offset: acknowledged,
            lines: part,
          }));
        } catch (error) {
          // What an agent does: it asks where the store stands, and goes on from there.
          if (!(error instanceof LogStoreDownError || error instanceof LogStoreBusyError)) throw error;
          failures += 1;
          await sleep(100);
        }
    };
    const shipped = ship();
    for (const part of [0.2, 0.6]) {
      await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(bytes.length * part);
      await node.kill();
      await expect(store.summary(all, 'cdn', wholeDay)).rejects.toBeInstanceOf(LogStoreDownError);
      node = await startLogEngine(testedEngine!, folder, { port: Number(new URL(node.url).port) });
    }
    await shipped;
    expect(failures).toBeGreaterThan(0);
    expect((await store.stats()).records).toBe(lines.length);
    expect(await store.summary(all, 'cdn', wholeDay)).toMatchObject({
      requests: lines.length,
      flux: lines.reduce((sum, line) => sum + line.bytes_sent, 0),
    });
  }, 240_000);

  test('a line that the store refuses is told of, and keeps no other from being stored', async () => {
    const folder = await newFolder();
    await putIndex(folder, 'log-2026.03.01-1', { properties: { content_type: { type: 'long' } } });
    const store = await openTestStore({ folder });
    const lines = toBytes([
      makeLine({ request_id: 'a', content_type: '1' }),
      makeLine({ request_id: 'b', content_type: 'text/html' }),
      makeLine({ request_id: 'c', content_type: '3' }),
    ]);
    const result = await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines });
    expect(result).toMatchObject({ offset: lines.length, stored: 2, broken: 1 });
    expect(result.reason).toContain('text/html');
    expect(await store.stats()).toMatchObject({ records: 2, brokenLines: 1 });
    await store.close();
  });

  test('a batch that comes again after its day was summed up counts once, in part or as a whole', async () => {
    const folder = await newFolder();
    const store = await openTestStore({ folder });
    const bytes = toBytes(makeLines(300, start, { perMinute: 30 }));
    const whole = { nodeId: 1, file: 'access.1', offset: 0, lines: bytes };
    await store.ingest({ ...whole, lines: bytes.subarray(0, bytes.length / 2) });
    await store.applyRetention(keepAll, new Date('2026-03-03T00:00:00Z'));
    // A position that was not written: the store was killed after the lines, and before it.
    await putIndex(folder, 'state/_doc/position-1-access.1', {
      kind: 'position',
      position: 0,
      broken_lines: 0,
    });
    await store.ingest(whole);
    for (const round of ['late lines apart', 'late lines summed up', 'once more']) {
      expect((await store.summary(all, 'cdn', wholeDay)).requests, round).toBe(300);
      expect((await store.search(all, {}, page)).total, round).toBe(300);
      await store.applyRetention(keepAll, new Date('2026-03-03T00:00:00Z'));
    }
    await store.close();
  });

  test('lines of a day may be late a few hundred times', async () => {
    const folder = await newFolder();
    const often = { first: 1, summed: 300, open: 300 };
    await putIndex(folder, 'state/_doc/days', { kind: 'days', days: { '2026.03.01': often }, excluded: [] });
    const store = await openTestStore({ folder });
    for (let late = 1; late <= 2; late++) {
      const lines = toBytes([makeLine({ request_id: `late ${late}` })]);
      await store.ingest({ nodeId: 1, file: `access.${late}`, offset: 0, lines });
      await store.applyRetention(keepAll, new Date('2026-03-03T00:00:00Z'));
      expect((await store.summary(all, 'cdn', wholeDay)).requests).toBe(late);
    }
    await store.close();
  });

  test('minutes that a node told of to two servers in turn are known to both, and none is forgotten', async () => {
    const folder = await newFolder();
    const stores = [await openTestStore({ folder }), await openTestStore({ folder })];
    const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
    for (const [store, minutes] of [0, 30, 60].map((minute, turn) => [turn % 2, minute] as const))
      await stores[store]!.covered(1, at(minutes));
    const later = await openTestStore({ folder });
    const range = { start_time: start.toISOString(), end_time: at(90).toISOString(), interval: 1800 };
    const told = async () => (await later.series(all, 'cdn', 'flux', range)).map(({ value }) => value);
    expect(await told()).toEqual([0, 0, 0]);
    await later.applyRetention({ record_days: 1, rollup_days: 1 }, new Date(at(45).getTime() + 86_400_000));
    expect(await told()).toEqual([null, null, 0]);
    for (const store of [...stores, later]) await store.close();
  });

  test('what it consists of, its health and its room are told', async () => {
    const folder = await newFolder();
    const store = await openTestStore({ folder });
    const lines = [
      makeLine({ time: '2026-03-01T10:00:00.000Z' }),
      ...['a', 'b'].map((request_id) => makeLine({ request_id, time: '2026-03-02T10:00:00.000Z' })),
    ];
    await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) });
    await store.applyRetention(keepAll, new Date('2026-03-02T12:00:00Z'));
    const { prefix } = store.connection;
    expect(await store.indices()).toMatchObject([
      { name: `${prefix}-log-2026.03.02-1`, kind: 'records', rows: 2, begins: '2026-03-02T00:00:00.000Z' },
      { name: `${prefix}-log-2026.03.01-1`, kind: 'records', rows: 1, health: 'green' },
      { name: `${prefix}-figures-2026.03`, kind: 'figures', rows: 5, begins: '2026-03-01T00:00:00.000Z' },
      { name: `${prefix}-state`, kind: 'state', begins: null },
    ]);
    const { engine, version, disk_free, disk_total } = await store.describe();
    const versions = { opensearch: /^2\.19\./, elasticsearch: /^8\.19\./ };
    expect(engine).toBe(testedEngine);
    expect(version).toMatch(versions[testedEngine!]);
    expect(disk_free).toBeGreaterThan(0);
    expect(disk_total).toBeGreaterThan(disk_free);
    await store.probe();
    await store.close();
  });

  test('rankings of several days are exact, with more names than the store tells of at once', async () => {
    const store = await openTestStore({ folder: await newFolder() });
    const lines = [1, 2].flatMap((day) =>
      Array.from({ length: 12_000 }, (_, index) =>
        makeLine({
          time: `2026-03-0${day}T10:00:00.000Z`,
          request_id: `${day}-${index}`,
          // What is first over both days is first on neither.
          request_uri: index < 300 ? `/day${day}/${index % 3}` : index < 390 ? '/both' : `/${day}/${index}`,
        }),
      ),
    );
    const bytes = toBytes(lines);
    await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: bytes });
    const range = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-03T00:00:00Z' };
    const { ranks, total } = await store.rank(all, 'cdn', 'top_url', {
      ...range,
      top: 2,
      top_type: 'request',
    });
    expect(ranks).toMatchObject([
      { name: 'www.example.com/both', requests: 180 },
      { name: 'www.example.com/day1/0', requests: 100 },
    ]);
    expect(total.requests).toBe(lines.length);
    await store.close();
  });
});
