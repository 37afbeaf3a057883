import {
  makeAdministrator,
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';
import { siteDomain } from '../../db/schema.ts';

let world: World;
let one: Customer;
let other: Customer;
let site: { id: number; orderId: number; lineGroupId: number; domain: string };
let foreign: typeof site;
let node: Awaited<ReturnType<typeof makeNode>>;
const hourMs = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
// Of a week ago, so that records are kept of it.
const start = Math.floor(Date.now() / hourMs) * hourMs - 7 * 24 * hourMs;
const range = { start_time: iso(start), end_time: iso(start + 2 * hourMs) };

async function newSite(customer: Customer) {
  const { id } = await makeSite(customer.api);
  const { order_id, line_group_id, domains } = await customer.api.get('getSite', { params: { id } });
  return { id, orderId: order_id, lineGroupId: line_group_id, domain: domains[0]! };
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  node = await makeNode(world, { ip: '192.0.2.50' });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  site = await newSite(one);
  foreign = await newSite(other);
  const linesOf = (of: typeof site, client_id: number, count: number, path: string, refused = 0) =>
    Array.from({ length: count }, (_, index) =>
      makeLine({
        time: range.start_time,
        site_id: of.id,
        order_id: of.orderId,
        client_id,
        host: of.domain,
        request_uri: path,
        bytes_sent: 1000,
        decision: index < refused ? 'block_referer other' : '',
      }),
    );
  const lines = [...linesOf(site, one.id, 5, '/mine', 2), ...linesOf(foreign, other.id, 7, '/secret')];
  await world.server.services.logStore.ingest({
    nodeId: node.id,
    file: 'access.1',
    offset: 0,
    lines: toBytes(lines),
  });
});
afterAll(() => world.close());

describe('figures', () => {
  it('are those of the hosts, customers, order and line group that are named', async () => {
    const requests = async (filter: object) =>
      (
        await world.admin.get('monitorSummary', {
          params: { side: 'cdn' },
          query: { ...range, ...filter },
        })
      ).requests;
    expect(await requests({})).toBe(12);
    expect(await requests({ hosts: `${site.domain.toUpperCase()}, ${foreign.domain}` })).toBe(12);
    expect(await requests({ hosts: site.domain })).toBe(5);
    expect(await requests({ client_ids: `${other.id}` })).toBe(7);
    expect(await requests({ order_id: site.orderId })).toBe(5);
    const ofGroup = (site.lineGroupId === foreign.lineGroupId ? 7 : 0) + 5;
    expect(await requests({ line_group_id: site.lineGroupId })).toBe(ofGroup);
    expect(await requests({ line_group_id: 999_999 })).toBe(0);
  });

  it('come many in one answer, each as it comes alone, and of a customer only their own', async () => {
    const query = { ...range, interval: 60 as const };
    const asked = { series: 'cdn.request,origin.flux,cdn.unique_remote_addr,cdn.request', summaries: 'cdn' };
    const alone = async (api: World['admin'], side: 'cdn' | 'origin', metric: 'request' | 'flux') =>
      (await api.get('monitorMetric', { params: { side, metric }, query })).points;
    const total = (points: { value: number | null }[] | null) =>
      points?.reduce((sum, { value }) => sum + (value ?? 0), 0);
    for (const [api, requests] of [
      [world.admin, 12],
      [one.api, 5],
      [other.api, 7],
    ] as const) {
      const { series, summaries } = await api.get('readMonitor', { query: { ...query, ...asked } });
      expect(series.map(({ name, interval }) => [name, interval])).toEqual([
        ['cdn.request', 60],
        ['origin.flux', 60],
        ['cdn.unique_remote_addr', 3600],
      ]);
      expect(total(series[0]!.points)).toBe(requests);
      expect(series[0]!.points).toEqual(await alone(api, 'cdn', 'request'));
      expect(series[1]!.points).toEqual(await alone(api, 'origin', 'flux'));
      expect(Object.keys(summaries)).toEqual(['cdn']);
      expect(summaries.cdn?.requests).toBe(requests);
    }
    const theirs = { ...query, ...asked, site_id: foreign.id };
    expect((await one.api.get('readMonitor', { query: theirs })).summaries.cdn?.requests).toBe(0);
    const wrong = await world.admin.call('readMonitor', {
      query: { ...query, series: 'cdn.request,cdn.gold' },
    });
    expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'series.1' }] });
  });

  it('of one that is not kept so long leave the others as they are', async () => {
    const query = { ...range, start_time: iso(start - 30 * 24 * hourMs), interval: 3600 as const };
    const { series } = await world.admin.get('readMonitor', {
      query: { ...query, series: 'cdn.request,cdn.unique_remote_addr' },
    });
    expect(series.map(({ points }) => points === null)).toEqual([false, true]);
  });

  it('say which step would do, and refuse what is no filter', async () => {
    const ask = (query: object) =>
      world.admin.call('monitorMetric', {
        params: { side: 'cdn', metric: 'request' },
        query: { ...range, interval: 60, ...query },
      });
    const year = { start_time: iso(start - 365 * 24 * hourMs) };
    expect(await ask(year)).toMatchObject({
      status: 400,
      errors: [{ path: 'interval', message: expect.stringContaining('21600') }],
    });
    expect(await ask({ client_ids: '1,x' })).toMatchObject({
      status: 400,
      errors: [{ path: 'client_ids.1' }],
    });
    expect(await ask({ interval: 7 })).toMatchObject({ status: 400, errors: [{ path: 'interval' }] });
  });

  it.each([
    ['reversed', { start_time: range.end_time, end_time: range.start_time }, 'end_time', /start.*before/],
    [
      'in the future',
      { start_time: iso(Date.now() + hourMs), end_time: iso(Date.now() + 2 * hourMs) },
      'start_time',
      /future/,
    ],
    [
      'longer than figures are kept',
      { start_time: iso(start - 400 * 24 * hourMs) },
      'start_time',
      /400 days/,
    ],
    [
      'of too many hosts',
      { hosts: Array.from({ length: 1000 }, (_, index) => `${index}.cn`).join(',') },
      'hosts',
      /100/,
    ],
  ])('say at the field what is wrong with a range %s', async (_, query, path, message) => {
    const asked = { params: { side: 'cdn' as const }, query: { ...range, ...query } };
    for (const name of ['monitorSummary', 'rankHosts', 'rankUrls'] as const) {
      const { status, errors } = await world.admin.call(name, asked);
      expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path });
      if (name !== 'rankUrls' || path !== 'start_time') expect(errors![0]!.message).toMatch(message);
    }
    const metric = { ...asked, params: { ...asked.params, metric: 'flux' as const } };
    const refused = await world.admin.call('monitorMetric', {
      ...metric,
      query: { ...metric.query, interval: 86_400 },
    });
    expect(refused.errors).toMatchObject([{ path, message: expect.stringMatching(message) }]);
    const usage = { params: { kind: 'site' as const }, query: { ...range, ...query } };
    if (path !== 'hosts')
      expect((await world.admin.call('listUsage', usage)).errors).toMatchObject([{ path }]);
  });

  it('of records end with what is kept of them', async () => {
    const query = { ...range, start_time: iso(start - 30 * 24 * hourMs) };
    const refused = (name: 'rankUrls' | 'listAccessLogs' | 'listRefusedRequests') =>
      name === 'rankUrls'
        ? world.admin.call(name, { params: { side: 'cdn' }, query })
        : world.admin.call(name, { query });
    for (const name of ['rankUrls', 'listAccessLogs', 'listRefusedRequests'] as const)
      expect(await refused(name)).toMatchObject({
        status: 400,
        errors: [{ path: 'start_time', message: expect.stringContaining('30 days') }],
      });
    const visitors = { side: 'cdn' as const, metric: 'unique_remote_addr' as const };
    const old = await world.admin.call('monitorMetric', {
      params: visitors,
      query: { ...query, interval: 3600 },
    });
    expect(old.errors).toMatchObject([{ path: 'start_time' }]);
    expect((await world.admin.call('rankHosts', { params: { side: 'cdn' }, query })).status).toBe(200);
  });

  it('of ten thousand hosts are too long for any address, and the answer says so', async () => {
    const hosts = Array.from({ length: 10_000 }, (_, index) => `www${index}.example.com`).join(',');
    const refused = await world.admin.call('monitorSummary', {
      params: { side: 'cdn' },
      query: { ...range, hosts },
    });
    expect(refused).toMatchObject({ status: 431, code: 43100 });
  });

  it('of sites have their names, and those of refused requests count nothing else', async () => {
    // The first of a site's domains, wherever it stands in the alphabet.
    const second = { domain: `a.${site.domain}`, siteId: site.id, position: 1 };
    await world.server.services.db.insert(siteDomain).values(second);
    const { ranks } = await world.admin.get('rankSites', { params: { side: 'cdn' }, query: range });
    expect(ranks).toEqual([
      { name: `${foreign.id}`, label: foreign.domain, requests: 7, flux: 7000 },
      { name: `${site.id}`, label: site.domain, requests: 5, flux: 5000 },
    ]);
    for (const name of ['rankSites', 'rankHosts', 'rankAddresses', 'rankRefusalKinds'] as const) {
      const asked = { params: { side: 'cdn' as const }, query: { ...range, refused: 'yes' as const } };
      const refusals = await world.admin.get(name, asked);
      expect(refusals.ranks).toMatchObject([{ requests: 2, flux: 2000 }]);
      expect((await other.api.get(name, asked)).ranks).toEqual([]);
    }
    const kinds = await one.api.get('rankRefusalKinds', { params: { side: 'cdn' }, query: range });
    expect(kinds.ranks).toMatchObject([{ name: 'block_referer', requests: 2 }]);
  });

  it("keep another customer's traffic from a customer, in figures, rankings and usage", async () => {
    const side = { side: 'cdn' as const };
    for (const filter of [
      {},
      { hosts: foreign.domain },
      { client_ids: `${other.id}` },
      { order_id: foreign.orderId },
      { site_id: foreign.id },
    ]) {
      const query = { ...range, ...filter };
      const expected = Object.keys(filter).length === 0 ? 5 : 0;
      expect((await one.api.get('monitorSummary', { params: side, query })).requests).toBe(expected);
      for (const name of ['rankUrls', 'rankHosts', 'rankAddresses'] as const)
        expect((await one.api.get(name, { params: side, query })).total.requests).toBe(expected);
    }
    const { ranks } = await one.api.get('rankUrls', { params: side, query: range });
    expect(ranks).toEqual([{ name: `${site.domain}/mine`, requests: 5, flux: 5000 }]);
    const usage = await one.api.get('listUsage', { params: { kind: 'site' }, query: range });
    expect(usage.list).toMatchObject([{ id: site.id, client_name: '' }]);
  });

  it('by site and order carry the names people know them by, and come in pages', async () => {
    const ask = (kind: 'site' | 'order', page: number) =>
      world.admin.get('listUsage', {
        params: { kind },
        query: { ...range, current_page: page, page_size: 1 },
      });
    expect(await ask('site', 1)).toMatchObject({
      total: 2,
      list: [{ id: foreign.id, name: foreign.domain, client_id: other.id, requests: 7, flux: 7000 }],
    });
    const { name: client_name } = await world.admin.get('getClient', { params: { id: other.id } });
    expect((await ask('site', 1)).list[0]).toMatchObject({ client_name });
    const [order] = (await ask('order', 2)).list;
    const { order_no } = await one.api.get('getOrder', { params: { id: site.orderId } });
    expect(order).toMatchObject({ id: site.orderId, name: order_no, requests: 5 });
  });
});

describe('what logs say together', () => {
  const query = { ...range, top: 1 };
  const names = (ranking: { ranks: { name: string }[] }) => ranking.ranks.map(({ name }) => name);

  it('is counted of all logs for administrators, and of their own for customers', async () => {
    const all = await world.admin.get('getAccessStats', { query });
    expect(all.summary).toMatchObject({ requests: 12, attacks: 2 });
    expect([names(all.top_hosts), names(all.top_url)]).toEqual([
      [foreign.domain],
      [expect.stringContaining('/secret')],
    ]);
    expect(all.top_status.total.requests).toBe(12);
    const own = await one.api.get('getAccessStats', { query });
    expect(own.summary.requests).toBe(5);
    expect(names(own.top_hosts)).toEqual([site.domain]);
    expect(JSON.stringify(own)).not.toContain('/secret');
    const group = { ...query, line_group_id: 999_999 };
    expect((await world.admin.get('getAccessStats', { query: group })).summary.requests).toBe(0);
  });

  it('is told of attacks apart, by what refused them', async () => {
    const all = await world.admin.get('getAttackStats', { query });
    expect(all.attacks).toBe(2);
    expect(all.top_refusals).toMatchObject({
      ranks: [{ name: `${site.id} block_referer other`, label: site.domain, requests: 2 }],
      total: { requests: 2 },
    });
    expect(names(all.top_hosts)).toEqual([site.domain]);
    const none = await other.api.get('getAttackStats', { query });
    expect([none.attacks, names(none.top_hosts), names(none.top_remote_addr)]).toEqual([0, [], []]);
  });

  it.each(['getAccessStats', 'getAttackStats'] as const)('%s is for those who may', async (name) => {
    const { api } = await makeAdministrator(world, ['access_log.read']);
    expect(await world.anonymous.call(name, { query })).toMatchObject({ status: 401 });
    expect(await api.call(name, { query })).toMatchObject({ status: 403 });
    const reversed = { start_time: range.end_time, end_time: range.start_time };
    expect(await world.admin.call(name, { query: reversed })).toMatchObject({
      status: 400,
      errors: [{ path: 'end_time' }],
    });
  });
});

describe('log search', () => {
  const found = async (query: object) => {
    const { list, total } = await world.admin.get('listAccessLogs', { query: { ...range, ...query } });
    expect(list.length).toBe(Math.min(total, 10));
    return total;
  };

  it('finds by the application id of a node, and nothing for one that is not there', async () => {
    const { id, app_id: appId } = node;
    expect(await found({ node_app_id: appId })).toBe(12);
    expect(await found({ node_app_id: appId, node_id: id })).toBe(12);
    expect(await found({ node_app_id: appId, node_id: id + 1 })).toBe(0);
    expect(await found({ node_app_id: 'x'.repeat(16) })).toBe(0);
  });

  it('finds what was refused, and by which section or rule', async () => {
    const refused = async (api: typeof world.admin, query: object = {}) =>
      (await api.get('listRefusedRequests', { query: { ...range, ...query } })).total;
    expect(await refused(world.admin)).toBe(2);
    expect(await refused(world.admin, { decision: 'block_referer' })).toBe(2);
    expect(await refused(world.admin, { decision: 'block_referer other' })).toBe(2);
    for (const decision of ['block', 'block_referer o', 'access_control'])
      expect(await refused(world.admin, { decision })).toBe(0);
    expect(await refused(one.api)).toBe(2);
    expect(await refused(other.api)).toBe(0);
  });

  it('leaves out what is to be left out, and refuses what is no such list', async () => {
    expect(await found({ exclude: `host=${site.domain}` })).toBe(7);
    expect(await found({ exclude: `host=${site.domain}\nhost=${foreign.domain}` })).toBe(0);
    for (const exclude of ['password=x', 'host', Array.from({ length: 21 }, () => 'host=a').join('\n')])
      expect(await world.admin.call('listAccessLogs', { query: { exclude } })).toMatchObject({
        status: 400,
        errors: [{ path: 'exclude' }],
      });
  });
});
