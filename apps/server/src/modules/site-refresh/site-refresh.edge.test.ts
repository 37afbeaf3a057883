import { makeSite, startWorld, waitFor, type Origin, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { settleRefreshes } from './site-refresh.service.ts';

let world: World;
let origin: Origin;
let site: { id: number; domain: string };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  origin = await world.startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=3600');
    response.end(String(Math.random()));
  });
  site = await makeSite(world.admin, { port: origin.port });
  await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/')).status === 200);
});
afterAll(() => world.close());

const state = async (path: string) => (await world.fetchEdge(site.domain, path)).headers['x-cache'];
const refresh = (urls: string[]) =>
  world.admin.get('createSiteRefresh', { body: { type: 'clean_url', urls } });
const delivery = async (id: number) => (await world.admin.get('getSiteRefresh', { params: { id } })).delivery;

it('is done by the node before it is said to be', async () => {
  await state('/a');
  expect(await state('/a')).toBe('HIT');
  const { ids, task_id } = await refresh([`https://${site.domain}/a`]);
  await waitFor('the node', async () => (await delivery(ids[0]!)).status === 'applied');
  expect(await state('/a')).toBe('MISS');
  expect(await state('/a')).toBe('HIT');
  const task = await world.admin.get('getTask', { params: { id: task_id! } });
  expect(task).toMatchObject({ type: 'site_refresh', status: 'done', done: 1 });
});

it('is proven by each node: what it fetched after the refresh, and what it had before', async () => {
  const probe = async (id: number, path: string) =>
    world.admin.get('probeSiteRefresh', { params: { id }, body: { url: `http://${site.domain}${path}` } });
  await state('/probed');
  const { ids } = await refresh([`http://${site.domain}/probed`]);
  await waitFor('the node', async () => (await delivery(ids[0]!)).status === 'applied');
  const { nodes } = await probe(ids[0]!, '/probed');
  expect(nodes).toMatchObject([{ fresh: true, answers: [{ status: 200 }, { status: 200, cache: 'HIT' }] }]);
  // As if it had been stored an hour before the refresh.
  await world.server.services.db.execute(
    sql`UPDATE site_refresh SET created_at = now() + interval '1 hour' WHERE id = ${ids[0]!}`,
  );
  expect((await probe(ids[0]!, '/probed')).nodes[0]!.fresh).toBe(false);
  expect((await probe(ids[0]!, '/probed-first')).nodes[0]).toMatchObject({
    fresh: true,
    answers: [{ cache: 'MISS' }, { cache: 'HIT' }],
  });
  const { errors } = await world.admin.call('probeSiteRefresh', {
    params: { id: ids[0]! },
    body: { url: 'https://elsewhere.example/' },
  });
  expect(errors?.[0]?.path).toBe('url');
});

it('is obeyed by a node that was away, before or after it is withdrawn', async () => {
  await state('/b');
  await state('/c');
  await world.stopAgent();
  const { ids } = await refresh([`https://${site.domain}/b`]);
  expect(await delivery(ids[0]!)).toMatchObject({ status: 'pending', nodes_total: 1 });
  await world.startAgent();
  await waitFor('the node', async () => (await delivery(ids[0]!)).status === 'applied');
  expect([await state('/b'), await state('/c')]).toEqual(['MISS', 'HIT']);

  await world.stopAgent();
  const { ids: missed } = await refresh([`https://${site.domain}/b`]);
  const { db } = world.server.services;
  await db.execute(
    sql`UPDATE edge_document SET updated_at = now() - interval '25 hours' WHERE kind = 'refresh'`,
  );
  await settleRefreshes(db);
  expect(await delivery(missed[0]!)).toEqual({ status: 'pending', nodes_applied: 0, nodes_total: 1 });
  await world.startAgent();
  await waitFor('nothing stored to be served', async () => (await state('/c')) === 'MISS');
  expect(await state('/b')).toBe('MISS');
  // And only once.
  expect([await state('/b'), await state('/c')]).toEqual(['HIT', 'HIT']);
});
