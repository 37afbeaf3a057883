import { makeSite, startWorld, waitFor, type Origin, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node } from '../../db/schema.ts';
import { finishRemovals } from './site-removal.ts';

let world: World;
let origin: Origin;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  origin = await world.startOrigin((_, response) => response.end('hello'));
});
afterAll(() => world.close());

/** A site that the node serves and has acknowledged. */
async function served() {
  const site = await makeSite(world.admin, { port: origin.port });
  const params = { id: site.id };
  await waitFor(
    'delivery',
    async () => (await world.admin.get('getSite', { params })).delivery.status === 'applied',
  );
  expect((await world.fetchEdge(site.domain, '/')).status).toBe(200);
  return { ...site, params };
}
const find = (id: number) => world.admin.call('getSite', { params: { id } });
const isGone = (id: number) => async () => (await find(id)).status === 404;
const isDropped = (domain: string) => async () => (await world.fetchEdge(domain, '/')).status === 421;

describe('deleting a site', () => {
  it('ends with the acknowledgement of its nodes', async () => {
    const { id, domain, params } = await served();
    await world.admin.get('removeSite', { params });
    await waitFor('the site to be gone', isGone(id));
    expect((await world.fetchEdge(domain, '/')).status).toBe(421);
  });

  it('shows the site as being deleted while a node is away, and takes no change of it', async () => {
    const { id, domain, params } = await served();
    await world.stopAgent();
    await world.admin.get('removeSite', { params });
    const { data } = await find(id);
    expect(data).toMatchObject({ domains: [domain], delivery: { status: 'pending', nodes_total: 1 } });
    expect(Date.parse(data.removing_since!)).toBeGreaterThan(0);
    const { list } = await world.admin.get('listSites', { query: { site_id: id } });
    expect(list).toHaveLength(1);
    const refused = await Promise.all([
      world.admin.call('updateSiteStatus', { params, body: { version: 1, status: 'offline' } }),
      world.admin.call('updateSiteDomains', { params, body: { version: 1, domains: [domain] } }),
      world.admin.call('forceSiteSync', { params }),
      world.admin.call('removeSite', { params }),
    ]);
    expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [409, 40_911]));
    expect(await makeSite(world.admin, { domain, port: origin.port })).toMatchObject({ domain });
    await world.startAgent();
    await waitFor('the site to be gone', isGone(id));
    await waitFor('its domain to be served by the new one', async () => {
      return (await world.fetchEdge(domain, '/')).status === 200;
    });
  });

  it('is done at once when forced; the node drops the site when it is back', async () => {
    const { id, domain, params } = await served();
    await world.stopAgent();
    await world.admin.get('removeSiteForced', { params });
    expect((await find(id)).status).toBe(404);
    await world.startAgent();
    await waitFor('the node to drop it', isDropped(domain));
  });

  it('can be forced after it was asked for', async () => {
    const { id, domain, params } = await served();
    await world.stopAgent();
    await world.admin.get('removeSite', { params });
    await world.admin.get('removeSiteForced', { params });
    expect((await find(id)).status).toBe(404);
    await world.startAgent();
    await waitFor('the node to drop it', isDropped(domain));
  });

  it('waits for no node that is disabled', async () => {
    const { id, params } = await served();
    const { db } = world.server.services;
    await world.stopAgent();
    await world.admin.get('removeSite', { params });
    expect(await db.transaction((tx) => finishRemovals(tx))).toBe(0);
    await db.update(node).set({ enabled: false });
    expect(await db.transaction((tx) => finishRemovals(tx))).toBe(1);
    expect((await find(id)).status).toBe(404);
    await db.update(node).set({ enabled: true }).where(eq(node.enabled, false));
    await world.startAgent();
  });
});

describe('statuses on a node', () => {
  it('follow each other, each with its page', async () => {
    const { id, domain, params } = await served();
    const steps = [
      ['offline', 503, 'is offline'],
      ['suspended', 503, 'is suspended'],
      ['online', 200, 'hello'],
    ] as const;
    for (const [status, code, text] of steps) {
      const { version } = (await find(id)).data;
      await world.admin.get('updateSiteStatus', { params, body: { version, status } });
      const answer = await waitFor(`${status} on the node`, async () => {
        const reply = await world.fetchEdge(domain, '/');
        return reply.body.includes(text) && reply;
      });
      expect(answer.status).toBe(code);
    }
  });
});
