import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let one: Customer;
let other: Customer;
let site: { id: number; orderId: number; lineGroupId: number; domain: string };
let foreign: typeof site;
let node: Awaited<ReturnType<typeof makeNode>>;
const range = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T12:00:00Z' };

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
  const linesOf = (of: typeof site, client_id: number, count: number, path: string) =>
    Array.from({ length: count }, () =>
      makeLine({
        site_id: of.id,
        order_id: of.orderId,
        client_id,
        host: of.domain,
        request_uri: path,
        bytes_sent: 1000,
      }),
    );
  const lines = [...linesOf(site, one.id, 5, '/mine'), ...linesOf(foreign, other.id, 7, '/secret')];
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

  it('say which step would do, and refuse what is no filter', async () => {
    const ask = (query: object) =>
      world.admin.call('monitorMetric', {
        params: { side: 'cdn', metric: 'request' },
        query: { ...range, interval: 60, ...query },
      });
    const year = { start_time: '2025-03-01T00:00:00Z' };
    expect(await ask(year)).toMatchObject({
      status: 400,
      errors: [{ path: 'interval', message: expect.stringContaining('21600') }],
    });
    expect(await ask({ start_time: '2026-03-02T00:00:00Z' })).toMatchObject({
      status: 400,
      errors: [{ path: 'end_time' }],
    });
    const hosts = Array.from({ length: 10_000 }, (_, index) => `${index}.cn`).join(',');
    expect(await ask({ client_ids: '1,x' })).toMatchObject({
      status: 400,
      errors: [{ path: 'client_ids.1' }],
    });
    expect(await ask({ interval: 7 })).toMatchObject({ status: 400, errors: [{ path: 'interval' }] });
    expect((await ask({ hosts: hosts.slice(0, 8000) })).status).toBe(400);
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
    expect(usage.list.map(({ id }) => id)).toEqual([site.id]);
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
    const [order] = (await ask('order', 2)).list;
    const { order_no } = await one.api.get('getOrder', { params: { id: site.orderId } });
    expect(order).toMatchObject({ id: site.orderId, name: order_no, requests: 5 });
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
