import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogStore, MonitorFilter, Places } from './log-store.ts';
import { makeLines, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const keepAll = { record_days: 3650, rollup_days: 3650 };
const lines = makeLines(3000, new Date('2026-03-01T10:20:00Z'), { perMinute: 20 });
const range = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T13:00:00Z' };

/** By the last number of the address; told apart from what the store makes of it. */
const placeOf = (address: string) => {
  const last = Number(address.split('.').at(-1));
  if (last % 5 === 0) return { country: '', province: '', carrier: '', asn: 0 };
  if (last % 2 === 0) return { country: 'US', province: '', carrier: '', asn: 4_200_000_000 + last };
  return {
    country: 'CN',
    province: last % 3 === 0 ? 'GD' : 'BJ',
    carrier: last < 100 ? 'telecom' : 'mobile',
    asn: last < 100 ? 4134 : 9808,
  };
};
const asked: string[] = [];
const places: Places = {
  refresh: async () => false,
  placeOf: (address) => {
    asked.push(address);
    return placeOf(address);
  },
};

let folder: string;
let store: LogStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder, places });
  const bytes = toBytes(lines);
  for (let offset = 0; offset < bytes.length;) {
    const part = bytes.subarray(offset, offset + 300_000);
    ({ offset } = await store.ingest({ nodeId: 1, file: 'access.1', offset, lines: part }));
  }
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

const ofPlace = (part: Partial<ReturnType<typeof placeOf>>) =>
  lines.filter(({ remote_addr }) =>
    Object.entries(part).every(([name, value]) => placeOf(remote_addr)[name as 'asn'] === value),
  );

test('every record says where its visitor is, and each address is looked up once', async () => {
  expect(asked.toSorted()).toEqual([...new Set(lines.map(({ remote_addr }) => remote_addr))].toSorted());
  const { list, total } = await store.search(all, {}, { current_page: 1, page_size: 5000 });
  expect(total).toBe(lines.length);
  for (const { remote_addr, country, province, carrier, asn } of list)
    expect({ country, province, carrier, asn }).toEqual(placeOf(remote_addr));
});

test('searches and rankings know places', async () => {
  const found = async (filters: object) =>
    (await store.search(all, filters, { current_page: 1, page_size: 1 })).total;
  expect(await found({ geoip_country_code: 'cn' })).toBe(ofPlace({ country: 'CN' }).length);
  expect(await found({ province: 'GD', carrier: 'telecom' })).toBe(
    ofPlace({ province: 'GD', carrier: 'telecom' }).length,
  );
  expect(await found({ asn: 4134 })).toBe(ofPlace({ asn: 4134 }).length);
  expect(await found({ asn: 4_200_000_002 })).toBe(ofPlace({ asn: 4_200_000_002 }).length);
  expect(await found({ exclude: 'country=CN' })).toBe(lines.length - ofPlace({ country: 'CN' }).length);
  for (const [kind, name] of [
    ['top_country', 'country'],
    ['top_province', 'province'],
    ['top_carrier', 'carrier'],
  ] as const) {
    const { ranks } = await store.rank(all, 'cdn', kind, { ...range, top: 100, top_type: 'request' });
    const groups = Map.groupBy(lines, ({ remote_addr }) => placeOf(remote_addr)[name]);
    groups.delete('');
    expect(new Map(ranks.map((each) => [each.name, each.requests]))).toEqual(
      new Map([...groups].map(([key, group]) => [key, group.length])),
    );
  }
});

test('figures of a place are what its lines are, and those of all places are the whole', async () => {
  const summary = (filter: Partial<MonitorFilter>) => store.summary(all, 'cdn', { ...range, ...filter });
  for (const round of ['as it came', 'merged']) {
    for (const part of [{ country: 'CN' }, { country: 'US' }, { province: 'BJ' }, { carrier: 'mobile' }])
      expect((await summary(part)).requests, round).toBe(ofPlace(part).length);
    expect((await summary({ country: 'CN', site_id: 4 })).requests, round).toBe(
      ofPlace({ country: 'CN' }).filter(({ site_id }) => site_id === 4).length,
    );
    expect((await summary({ country: 'CN', hosts: ['www4.example.com'] })).requests, round).toBe(
      ofPlace({ country: 'CN' }).filter(({ site_id }) => site_id === 4).length,
    );
    const whole = (await summary({})).flux;
    const known = (await summary({ country: 'CN' })).flux + (await summary({ country: 'US' })).flux;
    const nowhere = ofPlace({ country: '' }).reduce((sum, line) => sum + line.bytes_sent, 0);
    expect(known + nowhere, round).toBe(whole);
    await store.applyRetention(keepAll, new Date('2026-03-10T00:00:00Z'));
  }
  const points = await store.series(all, 'cdn', 'request', { ...range, country: 'US', interval: 3600 });
  const inHour = (hour: string) =>
    ofPlace({ country: 'US' }).filter(({ time }) => time.startsWith(`2026-03-01T${hour}`)).length;
  expect(points.map(({ value }) => value)).toEqual([inHour('10'), inHour('11'), inHour('12')]);
  const visitors = await store.series(all, 'cdn', 'unique_remote_addr', {
    ...range,
    country: 'US',
    interval: 21_600,
  });
  expect(visitors[0]?.value).toBe(
    new Set(ofPlace({ country: 'US' }).map(({ remote_addr }) => remote_addr)).size,
  );
  const fine = store.series(all, 'cdn', 'request', { ...range, country: 'US', interval: 300 });
  await expect(fine).rejects.toMatchObject({ issue: 'range_too_fine', wouldDo: 3600 });
});
