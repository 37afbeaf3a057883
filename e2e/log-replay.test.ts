import type { RouteName } from '@breakwater/contract';
import { startWorld, waitFor, type Customer, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';
import {
  countLog,
  finishedLog,
  makeSites,
  places,
  replay,
  spreadTimes,
  type Counted,
  type ReplayedSite,
  type Totals,
} from './replay.ts';

/** A log with known totals goes through a node, its agent and the store; awk counts the same log beside. */

const requests = 3000;
const hourMs = 3_600_000;
let world: World;
let sites: readonly ReplayedSite[];
let lineGroup: number;
let customer: Customer;
let counted: Counted;
let range: { start_time: string; end_time: string };
const iso = (time: number) => new Date(time).toISOString();
const side = { side: 'cdn' as const };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  ({ sites, lineGroup, customer } = await makeSites(world));
  // Nothing leaves the node before all of it is counted.
  await world.stopControlPlane();
  await replay(world, sites, requests);
  const log = await finishedLog(world, requests);
  await world.stopAgent();
  const until = Math.floor(Date.now() / hourMs) * hourMs - 20 * 60_000;
  const from = until - 26 * hourMs - 7 * 60_000;
  await spreadTimes(log, from, until);
  counted = await countLog(log);
  range = {
    start_time: iso(Math.floor(from / hourMs) * hourMs),
    end_time: iso(Math.ceil(until / hourMs) * hourMs),
  };
  await world.startControlPlane();
  await world.startAgent();
  await waitFor(
    'all lines in the store',
    async () => (await world.server.services.logStore.stats()).records === requests,
    60,
  );
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const group = (name: string): Map<string, Totals> => counted.get(name) ?? new Map();
const all = () => group('all').get('all')!;
const summary = (query: object = {}) =>
  world.admin.get('monitorSummary', { params: side, query: { ...range, ...query } });
const shown = (totals: Totals) => ({
  requests: totals.requests,
  flux: totals.bytes,
  flux_hit: totals.hitBytes,
  status_2xx: totals.classes[0],
  status_3xx: totals.classes[1],
  status_4xx: totals.classes[2],
  status_5xx: totals.classes[3],
  attacks: totals.refused,
});
const sumOf = (parts: Totals[]) => parts.reduce((sum, { requests: count }) => sum + count, 0);

test('the log is a varied one', () => {
  const { classes, refused, hitBytes, originRequests } = all();
  for (const part of [...classes, refused, hitBytes, originRequests]) expect(part).toBeGreaterThan(50);
  expect(group('site').size).toBe(3);
  expect(group('address').size).toBeGreaterThan(30);
});

test('sums of everything, and of each site, customer, order, host, node and line group', async () => {
  expect(await summary()).toMatchObject(shown(all()));
  expect((await summary()).flux_hit_rate).toBe(all().hitBytes / all().bytes);
  for (const [name, filter] of [
    ['site', 'site_id'],
    ['client', 'client_id'],
    ['client', 'client_ids'],
    ['order', 'order_id'],
    ['host', 'hosts'],
  ] as const)
    for (const [value, totals] of group(name))
      expect(await summary({ [filter]: value }), `${filter}=${value}`).toMatchObject(shown(totals));
  const [node] = (await world.admin.get('listNodes', { query: {} })).list;
  expect(await summary({ node_id: node!.id })).toMatchObject(shown(all()));
  expect(await summary({ line_group_id: lineGroup })).toMatchObject(
    shown(group('site').get(`${sites[2]!.id}`)!),
  );
  const hosts = sites.slice(1).map(({ domain }) => domain);
  const both = sumOf(hosts.map((host) => group('host').get(host)!));
  expect((await summary({ hosts: hosts.join(',') })).requests).toBe(both);
});

test('sums of what was fetched from origins', async () => {
  const origin = (query: object = {}) =>
    world.admin.get('monitorSummary', { params: { side: 'origin' }, query: { ...range, ...query } });
  expect(await origin()).toMatchObject({ requests: all().originRequests, flux: all().originBytes });
  for (const { id } of sites) {
    const { originRequests, originBytes } = group('site').get(`${id}`)!;
    expect(await origin({ site_id: id })).toMatchObject({ requests: originRequests, flux: originBytes });
  }
});

test('sums by place, and the places of the ranking', async () => {
  for (const name of ['country', 'province', 'carrier'] as const) {
    const expected = new Map<string, number>();
    for (const [address, place] of Object.entries(places)) {
      const count = group('address').get(address)?.requests ?? 0;
      if (place[name] !== '') expected.set(place[name], (expected.get(place[name]) ?? 0) + count);
    }
    expect(expected.size).toBeGreaterThan(0);
    for (const [value, count] of expected)
      expect((await summary({ [name]: value })).requests, value).toBe(count);
    const ranks = { country: 'rankCountries', province: 'rankProvinces', carrier: 'rankCarriers' } as const;
    const ranking = await world.admin.get(ranks[name], { params: side, query: range });
    expect(new Map(ranking.ranks.map((rank) => [rank.name, rank.requests]))).toEqual(expected);
  }
});

test.each([
  ['rankUrls', 'url'],
  ['rankHosts', 'host'],
  ['rankSites', 'site'],
  ['rankReferers', 'referer'],
  ['rankAddresses', 'address'],
  ['rankUserAgents', 'agent'],
  ['rankStatuses', 'status'],
  ['rankMethods', 'method'],
  ['rankCacheStates', 'cache'],
  ['rankRefusals', 'decision'],
  ['rankRefusalKinds', 'kind'],
] as const satisfies [RouteName, string][])('%s has the first hundred in their order', async (name, of) => {
  for (const top_type of ['request', 'flux'] as const) {
    const query = { ...range, top_type };
    const { ranks, total } = await world.admin.get(name, { params: side, query });
    const expected = [...group(of)]
      .map(([key, totals]) => ({ name: key, requests: totals.requests, flux: totals.bytes }))
      .toSorted(
        (a, b) =>
          (top_type === 'request' ? b.requests - a.requests : b.flux - a.flux) || (a.name < b.name ? -1 : 1),
      );
    expect(ranks.map((rank) => ({ name: rank.name, requests: rank.requests, flux: rank.flux }))).toEqual(
      expected.slice(0, 100),
    );
    expect(total.requests).toBe(expected.reduce((sum, rank) => sum + rank.requests, 0));
  }
});

test('each point of the charts, by the minute, five minutes and hour', async () => {
  const series = async (
    metric: 'request' | 'flux' | 'attacks' | 'unique_remote_addr',
    interval: number,
    query = {},
  ) =>
    (
      await world.admin.get('monitorMetric', {
        params: { ...side, metric },
        query: { ...range, interval, ...query },
      })
    ).points;
  const hours = await series('request', 3600);
  const byHour = (key: (totals: Totals) => number, of = 'hour') =>
    hours.map(({ time }) => {
      const totals = group(of).get(time.slice(0, 13));
      return totals ? key(totals) : 0;
    });
  expect(hours.map(({ value }) => value)).toEqual(byHour((totals) => totals.requests));
  expect((await series('flux', 3600)).map(({ value }) => value)).toEqual(byHour(({ bytes }) => bytes));
  expect((await series('attacks', 3600)).map(({ value }) => value)).toEqual(byHour(({ refused }) => refused));
  const visitors = (await series('unique_remote_addr', 3600)).map(({ value }) => value);
  expect(visitors).toEqual(byHour((totals) => totals.requests, 'visitors'));
  const morning = { end_time: iso(Date.parse(range.start_time) + 20 * hourMs) };
  for (const { time, value } of await series('request', 60, morning))
    expect(value ?? 0, time).toBe(group('minute').get(time.slice(0, 16))?.requests ?? 0);
  const { id } = sites[1]!;
  for (const { time, value } of await series('flux', 300, { site_id: id }))
    expect(value ?? 0, time).toBe(group('site-five').get(`${id} ${time.slice(0, 16)}`)?.bytes ?? 0);
});

test('peak and 95th percentile of bandwidth of each site and order', async () => {
  const stretches = (Date.parse(range.end_time) - Date.parse(range.start_time)) / 300_000;
  for (const kind of ['site', 'order'] as const) {
    const { list } = await world.admin.get('listUsage', { params: { kind }, query: range });
    expect(list.length).toBe(group(kind).size);
    for (const usage of list) {
      const totals = group(kind).get(`${usage.id}`)!;
      const fives = [...group(`${kind}-five`)].filter(([name]) => name.startsWith(`${usage.id} `));
      const sorted = fives.map(([, { bytes }]) => bytes).toSorted((a, b) => b - a);
      const percentile = sorted[Math.floor(stretches * 0.05)] ?? 0;
      expect(percentile).toBeGreaterThan(0);
      expect(usage).toMatchObject({
        requests: totals.requests,
        flux: totals.bytes,
        bandwidth_peak: (sorted[0]! * 8) / 300,
        bandwidth_95: (percentile * 8) / 300,
      });
    }
  }
});

test('searches find as many records', async () => {
  const found = async (query: object) =>
    (await world.admin.get('listAccessLogs', { query: { ...range, ...query } })).total;
  for (const [name, filter] of [
    ['host', 'host'],
    ['address', 'remote_addr'],
    ['status', 'status_code'],
    ['method', 'method'],
    ['cache', 'cache_status'],
    ['kind', 'decision'],
  ] as const)
    for (const [value, totals] of group(name))
      expect(await found({ [filter]: value }), `${filter}=${value}`).toBe(totals.requests);
  const refused = await world.admin.get('listRefusedRequests', { query: range });
  expect(refused.total).toBe(all().refused);
  expect((await customer.api.get('listAccessLogs', { query: range })).total).toBe(
    group('client').get(`${customer.id}`)!.requests,
  );
});

/** The address of a screen of statistics for the range. */
const screen = (name: string, query: Record<string, string | number> = {}) =>
  `/dashboard/statistics/${name}?${new URLSearchParams({
    range: 'custom',
    ...range,
    ...Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  })}`;
const count = (value: number) => new Intl.NumberFormat('en-US').format(value);
/** A chart or a list, or the card of a figure. */
const figure = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('group', { name, exact: true }));

test('the screens show the same', async () => {
  const { page, scriptErrors } = await openSession(world);
  const [{ id, domain }] = sites as [ReplayedSite];
  const ofSite = group('site').get(`${id}`)!;
  await page.goto(screen('monitor'));
  await seen(figure(page, 'Requests').getByText(count(all().requests), { exact: true }));
  await seen(figure(page, '5xx errors').getByText(count(all().classes[3]!), { exact: true }));
  await page.goto(screen('monitor', { site_id: id }));
  await seen(figure(page, 'Requests').getByText(count(ofSite.requests), { exact: true }));
  await page.goto(screen('analysis'));
  const top = (name: string) =>
    [...group(name)].toSorted(([a, x], [b, y]) => y.requests - x.requests || (a < b ? -1 : 1))[0]!;
  for (const [title, name] of [
    ['Top URLs', 'url'],
    ['Top hosts', 'host'],
    ['Client IPs', 'address'],
  ] as const) {
    const [label, totals] = top(name);
    const first = figure(page, title).getByRole('listitem').first();
    await seen(first.filter({ hasText: label }).getByText(count(totals.requests), { exact: true }));
  }
  await page.goto(screen('http_access_stats'));
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: domain }) });
  await seen(row.getByText(count(ofSite.requests), { exact: true }));
  await page.goto(screen('http_access', { site_id: id }));
  await seen(page.getByText(`1–10 of ${ofSite.requests}`));
  await page.goto(screen('http_attack_stats'));
  await seen(figure(page, 'Blocked requests').getByText(count(all().refused), { exact: true }));
  const [address, refusals] = top('address-refused');
  const from = figure(page, 'Source IPs').getByRole('listitem').first();
  await seen(from.filter({ hasText: address }).getByText(count(refusals.requests), { exact: true }));
  expect(scriptErrors).toEqual([]);
});
