import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessLogLine } from '@breakwater/contract/access-log';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogStore, Places } from './log-store.ts';
import { FaultyRoad } from './test-fault.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import {
  deleteIndex,
  deleteRecords,
  isDuckdb,
  openTestStore,
  putIndex,
  removeTestStore,
} from './test-store.ts';

const all = { clients: 'all' } as const;
const start = new Date('2026-03-01T10:00:00Z');
const evening = new Date('2026-03-01T22:00:00Z');
const nextDay = new Date('2026-03-02T12:00:00Z');
const wholeDay = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-02T00:00:00Z' };
const keepAll = { record_days: 3650, rollup_days: 3650 };
const partLines = 100;
const places: Places = {
  refresh: () => Promise.resolve(false),
  placeOf: (address) => ({ country: address.endsWith('1') ? 'CN' : 'US', province: '', carrier: '', asn: 0 }),
};

/** A store, and how to ship lines to it: each call goes on where the one before ended. */
async function openStores(count = 1) {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  const stores = await Promise.all(
    Array.from({ length: count }, () => openTestStore({ folder, partLines, places })),
  );
  onTestFinished(async () => {
    for (const each of stores) await each.close();
    await removeTestStore(folder);
  });
  const store = stores[0]!;
  let offset = 0;
  const ship = async (lines: AccessLogLine[]) => {
    ({ offset } = await store.ingest({ nodeId: 1, file: 'access.1', offset, lines: toBytes(lines) }));
  };
  return { folder, store, stores, ship };
}

async function openRoad(): Promise<FaultyRoad> {
  const road = await FaultyRoad.open(process.env.TEST_LOG_ENGINE_URL!);
  onTestFinished(() => road.close());
  return road;
}

const hourMs = 3_600_000;
const allDays = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-09-01T00:00:00Z' };
function dayAfter(days: number) {
  const midnight = Date.UTC(2026, 2, 1 + days);
  const at = (hours: number) => new Date(midnight + hours * hourMs);
  return { start: at(10), evening: at(22), nextNoon: at(36) };
}

/** What the screens of a day ask. */
async function figuresOf(store: LogStore) {
  const [summary, origin, minutes, site, customer, place, hosts, usage] = await Promise.all([
    store.summary(all, 'cdn', wholeDay),
    store.summary(all, 'origin', wholeDay),
    store.series(all, 'cdn', 'request', { ...wholeDay, interval: 300 }),
    store.series(all, 'cdn', 'flux', { ...wholeDay, interval: 300, site_id: 4 }),
    store.summary({ clients: [2] }, 'cdn', wholeDay),
    store.summary(all, 'cdn', { ...wholeDay, country: 'CN' }),
    store.rank(all, 'cdn', 'top_hosts', { ...wholeDay, top: 20, top_type: 'flux' }),
    store.usage(all, 'site', wholeDay, { current_page: 1, page_size: 20 }, nextDay),
  ]);
  // Seconds are no whole numbers: their last digit depends on the order in which they are added up.
  const response_time = summary.response_time?.toFixed(9);
  return {
    summary: { ...summary, response_time },
    minutes,
    site,
    customer,
    place,
    hosts,
    usage,
    origin: origin.requests,
  };
}

const requestsOf = async (store: LogStore) => (await store.summary(all, 'cdn', wholeDay)).requests;
const rowsOf = async (store: LogStore, kind: string) =>
  (await store.indices()).filter((each) => each.kind === kind).map(({ rows }) => rows);

describe.runIf(!isDuckdb)('a day that is not over, in OpenSearch', () => {
  test('figures are the same before its lines are summed up, in between and after', async () => {
    const { store, ship } = await openStores();
    await ship(makeLines(1000, start, { perMinute: 10 }));
    const before = await figuresOf(store);
    expect(before.summary.requests).toBe(1000);
    await store.sumUp(evening);
    expect(await figuresOf(store)).toEqual(before);
    expect((await rowsOf(store, 'figures'))[0]).toBeGreaterThan(0);

    // Some that wait for the next sums, older and newer than those.
    await ship([
      ...makeLines(30, start, { perMinute: 10, seed: 2 }),
      ...makeLines(30, evening, { perMinute: 10, seed: 3 }),
    ]);
    const withMore = await figuresOf(store);
    expect(withMore.summary.requests).toBe(1060);
    const rows = await rowsOf(store, 'figures');
    await store.sumUp(evening);
    expect(await rowsOf(store, 'figures')).toEqual(rows);
    await ship(makeLines(200, start, { perMinute: 10, seed: 4 }));
    const withAll = await figuresOf(store);
    expect(withAll.summary.requests).toBe(1260);
    for (const round of ['summed up', 'the day over', 'its parts deleted']) {
      await (round === 'summed up' ? store.sumUp(evening) : store.applyRetention(keepAll, nextDay));
      expect(await figuresOf(store), round).toEqual(withAll);
    }
    await store.sumUp(nextDay);
    expect(await requestsOf(store)).toBe(1260);
    expect((await store.indices()).map(({ kind }) => kind)).toEqual(['records', 'figures', 'state']);
  });

  test('its charts read no line that is in a sum', async () => {
    const { folder, store, ship } = await openStores();
    await ship(makeLines(500, start, { perMinute: 10 }));
    await store.sumUp(evening);
    const before = await figuresOf(store);
    await deleteRecords(folder);
    expect(await figuresOf(store)).toEqual(before);
    await ship([makeLine({ time: '2026-03-01T10:00:00.000Z' })]);
    expect(await requestsOf(store)).toBe(501);
  });

  test('a batch of which a part was stored counts once, though that part is in a sum', async () => {
    const { folder, store } = await openStores();
    const bytes = toBytes(makeLines(300, start, { perMinute: 10 }));
    const whole = { nodeId: 1, file: 'access.1', offset: 0, lines: bytes };
    await store.ingest({ ...whole, lines: bytes.subarray(0, bytes.length / 2) });
    await store.sumUp(evening);
    await putIndex(folder, 'state/_doc/position-1-access.1', {
      kind: 'position',
      position: 0,
      broken_lines: 0,
    });
    await store.ingest(whole);
    for (const round of ['apart', 'summed up']) {
      expect(await requestsOf(store), round).toBe(300);
      await store.sumUp(evening);
    }
    expect(await requestsOf(store)).toBe(300);
  });

  test.each(['sumUp', 'applyRetention'] as const)(
    'killed after any request of %s: each line counts once, then and when another server goes on',
    async (work) => {
      const { folder, store, ship } = await openStores();
      const road = await openRoad();
      let count = 0;
      let isDone = false;
      for (let at = 1; !isDone; at++) {
        const day = dayAfter(at);
        const run = (each: LogStore) =>
          work === 'sumUp' ? each.sumUp(day.evening) : each.applyRetention(keepAll, day.nextNoon);
        await ship(makeLines(partLines, day.start, { perMinute: 10, seed: at }));
        count += partLines;
        const dying = await openTestStore({ folder, partLines, url: road.url });
        road.killAfter(at);
        isDone = await run(dying).then(
          () => true,
          () => false,
        );
        await dying.close();
        for (const done of ['then', 'later']) {
          expect((await store.summary(all, 'cdn', allDays)).requests, `request ${at}, ${done}`).toBe(count);
          if (done === 'then') await run(store);
        }
      }
      for (let round = 0; round < 2; round++)
        await store.applyRetention(keepAll, new Date('2026-12-01T00:00:00Z'));
      expect((await store.summary(all, 'cdn', allDays)).requests).toBe(count);
    },
    240_000,
  );

  test('two servers at once, while lines come and charts are asked', async () => {
    const { store, stores, ship } = await openStores(3);
    await ship(makeLines(300, start, { perMinute: 10 }));
    let count = 300;
    for (let round = 1; round <= 5; round++) {
      const expected = count;
      const [asked] = await Promise.all([
        Promise.all(stores.flatMap((each) => [requestsOf(each), requestsOf(each), requestsOf(each)])),
        ...stores.map((each) => each.sumUp(evening)),
      ]);
      expect(
        asked.every((found) => found === expected),
        `round ${round}: ${asked.join(' ')}`,
      ).toBe(true);
      await Promise.all([
        ship(makeLines(150, start, { perMinute: 10, seed: round + 1 })),
        ...stores.map((each) => each.sumUp(evening)),
      ]);
      count += 150;
      expect(await requestsOf(store)).toBe(count);
    }
    await Promise.all(stores.map((each) => each.applyRetention(keepAll, nextDay)));
    expect(await Promise.all(stores.map(requestsOf))).toEqual([count, count, count]);
  });

  test('a server that stood still in the middle of its work counts nothing twice when it goes on', async () => {
    const { folder, store, ship } = await openStores();
    const road = await openRoad();
    let count = 0;
    let isDone = false;
    for (let at = 1; !isDone; at++) {
      const day = dayAfter(at);
      await ship(makeLines(partLines, day.start, { perMinute: 10, seed: at }));
      count += partLines;
      const slow = await openTestStore({ folder, partLines, url: road.url });
      road.holdAt(at);
      const sums = slow.sumUp(day.evening);
      isDone = await Promise.race([road.held.then(() => false), sums.then(() => true)]);
      await store.sumUp(day.evening);
      for (let round = 0; round < 2; round++) await store.applyRetention(keepAll, day.nextNoon);
      road.release();
      await sums;
      expect((await store.summary(all, 'cdn', allDays)).requests, `held at ${at}`).toBe(count);
      await slow.close();
    }
  }, 120_000);

  test('an index that somebody deleted by hand is counted from its start when lines come again', async () => {
    const { folder, store, ship } = await openStores();
    await ship(makeLines(200, start, { perMinute: 10 }));
    await store.sumUp(evening);
    await deleteIndex(folder, 'log-2026.03.01-1');
    await ship(makeLines(150, start, { perMinute: 10, seed: 2 }));
    for (let round = 0; round < 2; round++) {
      await store.sumUp(evening);
      expect(await requestsOf(store)).toBe(150);
    }
    for (let round = 0; round < 2; round++) {
      await store.applyRetention(keepAll, nextDay);
      expect(await requestsOf(store)).toBe(150);
    }
  });

  test('parts go when their day is summed up, and the day when nothing of it is kept', async () => {
    const { store, ship } = await openStores();
    for (let part = 1; part <= 4; part++) {
      await ship(makeLines(partLines, start, { perMinute: 10, seed: part }));
      await store.sumUp(evening);
    }
    const [ofParts] = await rowsOf(store, 'figures');
    await store.applyRetention(keepAll, nextDay);
    await store.applyRetention(keepAll, nextDay);
    const [ofDay] = await rowsOf(store, 'figures');
    expect(ofDay).toBeLessThan(ofParts!);
    await store.applyRetention({ record_days: 1, rollup_days: 1 }, new Date('2026-04-10T12:00:00Z'));
    expect((await store.indices()).map(({ kind }) => kind)).toEqual(['state']);
    expect(await requestsOf(store)).toBe(0);
  });
});
