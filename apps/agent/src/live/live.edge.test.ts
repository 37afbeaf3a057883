import type { LiveEvent } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  waitFor,
  type OpenStream,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

let world: World;
let port: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((request, response) => {
    response.statusCode = request.url === '/missing' ? 404 : 200;
    response.setHeader('cache-control', 'max-age=60');
    response.end('x'.repeat(1000));
  });
  port = origin.port;
});
afterAll(() => world.close());

type Live = OpenStream<LiveEvent>;
type Second = Extract<LiveEvent, { type: 'second' }>;
const secondsOf = ({ events }: Live): Second[] => events.filter((event) => event.type === 'second');
const requestsOf = (live: Live): number =>
  secondsOf(live).reduce((all, { figures }) => all + (figures?.requests ?? 0), 0);

async function open(api: World['admin'], query: object = {}): Promise<Live> {
  const live = await api.open('watchLive', { query });
  expect(live.status).toBe(200);
  onTestFinished(() => live.close());
  return live;
}
const counting = (live: Live) =>
  waitFor('a second that the node told of', () => secondsOf(live).some(({ nodes }) => nodes > 0), 40);

/** Added by an operator: what a customer adds would wait for the DNS. */
async function servedSite(orderId?: number) {
  const site = await makeSite(world.admin, { port, ...(orderId === undefined ? {} : { orderId }) });
  await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/')).status === 200);
  return site;
}

describe('one-second figures', () => {
  it('are pushed for a site, each request once, with hits, bytes, states and connections', async () => {
    const site = await servedSite();
    const other = await servedSite();
    const live = await open(world.admin, { site_id: site.id });
    const all = await open(world.admin);
    await counting(live);
    await counting(all);
    const paths = ['/one', '/one', '/two', '/missing'];
    for (const path of paths) await world.fetchEdge(site.domain, path);
    await world.fetchEdge(other.domain, '/');
    await waitFor('all requests of all sites', () => requestsOf(all) >= 5, 30);
    await waitFor('all requests of the site', () => requestsOf(live) >= 4, 30);
    expect(requestsOf(live)).toBe(4);
    const sum = (name: keyof NonNullable<Second['figures']>) =>
      secondsOf(live).reduce((total, { figures }) => total + (figures?.[name] ?? 0), 0);
    expect(sum('hits')).toBe(1);
    expect(sum('origin_requests')).toBe(3);
    expect(sum('status_2xx')).toBe(3);
    expect(sum('status_4xx')).toBe(1);
    expect(sum('bytes')).toBeGreaterThan(4000);
    const times = secondsOf(live).map(({ time }) => time);
    expect(times).toEqual(times.map((_, index) => times[0]! + index));
    expect(secondsOf(live).at(-1)).toMatchObject({ nodes_expected: 1, connections: expect.any(Number) });
  });

  it('have gaps while the node is away, and go on when it is back', async () => {
    const { domain } = await servedSite();
    const live = await open(world.admin);
    await counting(live);
    await world.stopAgent();
    await waitFor('a gap', () => secondsOf(live).at(-1)?.figures === null, 30);
    await world.startAgent();
    await waitFor('figures again', () => secondsOf(live).at(-1)?.figures ?? undefined, 40);
    const before = requestsOf(live);
    await world.fetchEdge(domain, '/');
    await waitFor('the request', () => requestsOf(live) > before, 30);
  });

  it("are of a customer's own traffic, whatever they ask for, and say nothing of connections", async () => {
    const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
    const own = await servedSite(one.orderId);
    const foreign = await servedSite(other.orderId);
    const live = await open(one.api);
    const stolen = await open(one.api, { client_id: other.id });
    const site = await open(one.api, { site_id: foreign.id });
    for (const each of [live, stolen, site]) await counting(each);
    await world.fetchEdge(foreign.domain, '/');
    await world.fetchEdge(own.domain, '/');
    const settled = (each: Live, until: number) =>
      waitFor('the seconds', () => (secondsOf(each).at(-1)?.time ?? 0) > until, 30);
    const now = Date.now() / 1000 + 1;
    for (const each of [live, stolen, site]) await settled(each, now);
    expect([live, stolen, site].map(requestsOf)).toEqual([1, 0, 0]);
    expect(secondsOf(live).at(-1)).not.toHaveProperty('connections');
  });

  it('end when the session is revoked, and an account has only so many', async () => {
    const { api, id } = await makeCustomer(world);
    const streams = await Promise.all(Array.from({ length: 8 }, () => open(api)));
    expect((await api.open('watchLive', { query: {} })).status).toBe(429);
    streams[0]!.close();
    await waitFor('room for one', async () => {
      const again = await api.open('watchLive', { query: {} });
      again.close();
      return again.status === 200;
    });
    const client = await world.admin.get('getClient', { params: { id } });
    expect(client.status).toBe('active');
    await world.server.services.db.execute(`DELETE FROM account_session WHERE client_id = ${id}`);
    await waitFor('the end of all', () => streams.slice(1).every(({ ended }) => ended), 30);
    expect((await api.open('watchLive', { query: {} })).status).toBe(401);
  });
});
