import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessLogLine } from '@breakwater/contract/access-log';
import type { RankingKind } from '@breakwater/contract/statistics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogStore } from './log-store.ts';
import { makeLine, makeLines, toBytes } from './test-lines.ts';
import { openTestStore, removeTestStore } from './test-store.ts';

const all = { clients: 'all' } as const;
const range = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T11:00:00Z' };
const lines = makeLines(3000, new Date('2026-03-01T10:00:00Z'), { perMinute: 100 });
let folder: string;
let store: LogStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  store = await openTestStore({ folder });
  await store.ingest({ nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) });
});
afterAll(async () => {
  await store.close();
  await removeTestStore(folder);
});

/** By another road: names, requests and traffic, counted line by line. */
function counted(name: (line: AccessLogLine) => string, by: 'requests' | 'flux', of = lines) {
  const groups = Map.groupBy(of, name);
  groups.delete('');
  return [...groups]
    .map(([key, group]) => ({
      name: key,
      requests: group.length,
      flux: group.reduce((sum, line) => sum + line.bytes_sent, 0),
    }))
    .toSorted((a, b) => b[by] - a[by] || (a.name < b.name ? -1 : 1));
}

const kinds: [RankingKind, (line: AccessLogLine) => string][] = [
  ['top_url', ({ host, request_uri }) => host + request_uri.replace(/\?.*/, '')],
  ['top_hosts', ({ host }) => host],
  ['top_referer', ({ referer }) => referer],
  ['top_remote_addr', ({ remote_addr }) => remote_addr],
  ['top_user_agent', ({ user_agent }) => user_agent],
  ['top_ja4', ({ ja4 }) => ja4],
  ['top_status', ({ status }) => String(status)],
  ['top_method', ({ method }) => method],
  ['top_cache_status', ({ cache_status }) => cache_status],
  ['top_refusals', ({ site_id, decision }) => (decision === '' ? '' : `${site_id} ${decision}`)],
  ['top_refusal_kinds', ({ decision }) => decision.split(' ')[0]!],
  ['top_sites', ({ site_id }) => String(site_id)],
  ['top_nodes', () => '1'],
];
test.each(kinds)('%s is what counting the lines gives', async (kind, name) => {
  for (const top_type of ['request', 'flux'] as const) {
    const by = top_type === 'request' ? 'requests' : 'flux';
    const expected = counted(name, by);
    const { ranks, total } = await store.rank(all, 'cdn', kind, { ...range, top: 100, top_type });
    expect(ranks).toEqual(expected.slice(0, 100));
    expect(total.requests).toBe(expected.reduce((sum, { requests }) => sum + requests, 0));
    expect(total.flux).toBe(expected.reduce((sum, { flux }) => sum + flux, 0));
  }
});

test.each(kinds)('%s of what was refused, and of the rest, make up the whole', async (kind, name) => {
  const question = { ...range, top: 100, top_type: 'request' as const };
  const refused = lines.filter(({ decision }) => decision !== '');
  const rest = lines.filter(({ decision }) => decision === '');
  const yes = await store.rank(all, 'cdn', kind, { ...question, refused: 'yes' });
  expect(yes.ranks).toEqual(counted(name, 'requests', refused).slice(0, 100));
  const no = await store.rank(all, 'cdn', kind, { ...question, refused: 'no' });
  expect(no.ranks).toEqual(counted(name, 'requests', rest).slice(0, 100));
});

test('the origin side ranks what was fetched, a customer sees only their own', async () => {
  const fetched = lines.filter(({ origin_addr }) => origin_addr !== '');
  const question = { ...range, top: 3, top_type: 'request' as const };
  for (const kind of ['top_hosts', 'top_url'] as const) {
    const { total } = await store.rank(all, 'origin', kind, question);
    expect(total.requests).toBe(fetched.length);
    expect(total.flux).toBe(fetched.reduce((sum, line) => sum + line.origin_bytes, 0));
    const own = await store.rank({ clients: [2] }, 'cdn', kind, question);
    expect(own.total.requests).toBe(lines.filter(({ client_id }) => client_id === 2).length);
    expect((await store.rank({ clients: [2] }, 'cdn', kind, { ...question, client_id: 1 })).ranks).toEqual(
      [],
    );
  }
});

test('the 95th percentile is that of all five minutes, quiet ones too', async () => {
  const other = await mkdtemp(join(tmpdir(), 'breakwater-logs-'));
  const billed = await openTestStore({ folder: other });
  const start = Date.parse('2026-04-01T00:00:00Z');
  // Site 1 sends n · 3,000 bytes in the n-th of 100 stretches of five minutes; site 2 in four of them only.
  const ofSite = (site_id: number, count: number, bytes: (n: number) => number) =>
    Array.from({ length: count }, (_, index) =>
      makeLine({
        site_id,
        order_id: 7,
        client_id: site_id,
        time: new Date(start + index * 300_000 + 61_000).toISOString(),
        bytes_sent: bytes(index + 1),
      }),
    );
  const bytes = toBytes([...ofSite(1, 100, (n) => n * 3000), ...ofSite(2, 4, () => 9000)]);
  await billed.ingest({ nodeId: 1, file: 'a', offset: 0, lines: bytes });
  const month = {
    start_time: '2026-04-01T00:00:00Z',
    end_time: new Date(start + 100 * 300_000).toISOString(),
  };
  const page = { current_page: 1, page_size: 10 };
  const later = new Date('2026-06-01T00:00:00Z');
  const { list, total } = await billed.usage(all, 'site', month, page, later);
  expect(total).toBe(2);
  // The 5 highest of 100 are left out: the 95th stands, at 8 bits a byte over 300 seconds.
  expect(list).toEqual([
    {
      id: 1,
      client_id: 1,
      requests: 100,
      flux: 15_150_000,
      bandwidth_peak: 8000,
      bandwidth_95: 7600,
    },
    { id: 2, client_id: 2, requests: 4, flux: 36_000, bandwidth_peak: 240, bandwidth_95: 0 },
  ]);
  const orders = await billed.usage(all, 'order', month, page, later);
  expect(orders.list).toMatchObject([{ id: 7, requests: 104, flux: 15_186_000 }]);
  const own = await billed.usage({ clients: [2] }, 'site', month, page, later);
  expect(own.list.map(({ id }) => id)).toEqual([2]);
  // While the month runs, only the time that has passed counts: of 20 stretches one is left out.
  const soon = await billed.usage(all, 'site', month, page, new Date(start + 20 * 300_000));
  expect(soon.list[0]!.bandwidth_95).toBe(99 * 80);
  await billed.close();
  await removeTestStore(other);
});
