import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCustomer, makeSite, startWorld } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import type { LogStore } from '../../logs/log-store.ts';
import { makeLines, toBytes } from '../../logs/test-lines.ts';
import { openTestStore, removeTestStore } from '../../logs/test-store.ts';
import { guardBaselineOf } from './guard-baseline.ts';

/** What is usual at a site, out of what a real log store has. */

const all = { clients: 'all' } as const;
const hourMs = 3_600_000;
const end = Date.UTC(2026, 2, 15);
let folder: string;
let store: LogStore;

const line = makeLines(1, new Date(end), { seed: 1 })[0]!;
/** Requests of a site evenly over a minute, of so many visitors, at one URL but each tenth. */
const minute = (siteId: number, at: number, requests: number, visitors = 10) =>
  Array.from({ length: requests }, (_, index) => ({
    ...line,
    time: new Date(at + Math.floor((index * 60_000) / requests)).toISOString(),
    site_id: siteId,
    request_id: `${siteId}-${at}-${index}`,
    remote_addr: `192.0.2.${index % visitors}`,
    request_uri: index % 10 === 0 ? `/${index}` : '/front',
    decision: '',
  }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-baseline-'));
  store = await openTestStore({ folder });
  for (const [nodeId, part] of [
    [1, 3],
    [2, 1],
  ] as const) {
    const lines = [];
    // Four days: few requests by night, more by day, a peak in the evening, and an attack.
    for (let at = end - 96 * hourMs; at < end; at += hourMs / 4) {
      const time = new Date(at);
      const hour = time.getUTCHours();
      const isPeak = hour === 20 && time.getUTCMinutes() === 0;
      lines.push(...minute(5, at, (isPeak ? 240 : hour >= 12 ? 8 : 2) * part));
      if (at === end - 30 * hourMs) lines.push(...minute(5, at + 60_000, 300 * part, 200));
    }
    lines.push(...minute(6, end - hourMs, 50 * part));
    const bytes = toBytes(lines);
    for (let offset = 0; offset < bytes.length;)
      ({ offset } = await store.ingest({
        nodeId,
        file: 'access.1',
        offset,
        lines: bytes.subarray(offset, offset + 500_000),
      }));
    await store.covered(nodeId, new Date(end));
  }
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

it('says what is usual and what would not be, without a former attack, for the node that is asked most', async () => {
  const { learned, ...known } = await guardBaselineOf(store, all, 5, end);
  expect(known).toMatchObject({ known_hours: 96, needed_hours: 72, end_time: '2026-03-15T00:00:00.000Z' });
  // 960 requests in the busiest minute, three quarters of them at one node: twelve a second.
  expect(learned).toMatchObject({
    node_percent: 75,
    site: { rate: 12, suggested: 36 },
    url: { rate: 10.8, suggested: 33 },
    visitor: { requests: 96, period_seconds: 60, suggested: 290 },
  });
  expect(new Date(learned!.busiest_at).getUTCHours()).toBe(20);
  expect([learned!.hours[3], learned!.hours[15]]).toEqual([0.01, 0.04]);
});

it('says what it lacks where there is too little to learn from', async () => {
  expect(await guardBaselineOf(store, all, 6, end)).toMatchObject({ requests: 200, learned: null });
  expect(await guardBaselineOf(store, all, 5, end - 90 * hourMs)).toMatchObject({
    known_hours: 6,
    learned: null,
  });
});

it('is asked by who may see the site and its statistics, and by nobody else', async () => {
  const world = await startWorld({ templateUrl: inject('templateUrl') });
  onTestFinished(() => world.close());
  const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  const params = { id: (await makeSite(one.api)).id };
  expect(await one.api.get('getSiteGuardBaseline', { params })).toMatchObject({
    known_hours: 0,
    learned: null,
  });
  expect((await other.api.call('getSiteGuardBaseline', { params })).status).toBe(404);
  expect((await world.anonymous.call('getSiteGuardBaseline', { params })).status).toBe(401);
});
