import { makeCustomer, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  await waitFor('a node that is online', async () => {
    const { list } = await world.admin.get('listNodes', { query: {} });
    return list[0]?.status === 'normal';
  });
});
afterAll(() => world.close());

const json = { accept: 'application/json' };
const linksOf = (api: World['admin'], id: number) => api.get('getSiteAddressTest', { params: { id } });

it('links to a page of the site on its nodes, for ten minutes', async () => {
  const customer = await makeCustomer(world);
  const { orderId } = customer;
  const [site, other] = await Promise.all([
    makeSite(world.admin, { orderId }),
    makeSite(world.admin, { orderId }),
  ]);
  const { links, expires_at: expiresAt } = await linksOf(customer.api, site.id);
  expect(links.map(({ domain }) => domain)).toEqual([site.domain]);
  const left = Date.parse(expiresAt) - Date.now();
  expect(left).toBeGreaterThan(595_000);
  expect(left).toBeLessThanOrEqual(600_000);
  const url = new URL(links[0]!.url);
  expect([url.protocol, url.host]).toEqual(['http:', `${site.domain}:${world.edgeHttpPort}`]);

  await waitFor('the site on the node', async () => {
    const answer = await world.fetchEdge(site.domain, url.pathname, { headers: json });
    return answer.status === 200;
  });
  const { body } = await world.fetchEdge(site.domain, url.pathname, { headers: json });
  expect(JSON.parse(body)).toMatchObject({
    node: 'local',
    site_id: site.id,
    connection: { address: '127.0.0.1' },
    client: { address: '127.0.0.1', reason: 'socket' },
  });
  await waitFor('the other site on the node', async () => {
    const own = new URL((await linksOf(customer.api, other.id)).links[0]!.url);
    return (await world.fetchEdge(other.domain, own.pathname)).status === 200;
  });
  expect((await world.fetchEdge(other.domain, url.pathname)).status).toBe(403);
});

it('is good at an nginx that was started anew', async () => {
  const site = await makeSite(world.admin);
  await world.stopAgent();
  await world.startAgent();
  const { links } = await linksOf(world.admin, site.id);
  await waitFor('the page', async () => {
    const answer = await world.fetchEdge(site.domain, new URL(links[0]!.url).pathname);
    return answer.status === 200;
  });
});

it('names a host under a wildcard, and is nobody else’s', async () => {
  const [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  const { id } = await customer.api.get('createSite', {
    body: { domains: ['*.wild-address.example.com'], origin: '192.0.2.9' },
  });
  const { links } = await linksOf(customer.api, id);
  expect(links.map(({ domain }) => domain)).toEqual(['www.wild-address.example.com']);
  expect((await other.api.call('getSiteAddressTest', { params: { id } })).status).toBe(404);
});
