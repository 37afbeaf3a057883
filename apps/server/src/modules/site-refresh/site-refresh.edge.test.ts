import { makeCustomer, makeSite, startWorld, waitFor, type Origin, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { settleRefreshes } from './site-refresh.service.ts';

let world: World;
let origin: Origin;
let site: { id: number; domain: string };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
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

it('by a pattern refreshes what nodes have under it, each URL once, and leaves the rest', async () => {
  const other = await makeSite(world.admin, { port: origin.port });
  await waitFor('the site', async () => (await world.fetchEdge(other.domain, '/')).status === 200);
  const paths = ['/p/1.png', '/p/2.png?v=1', '/p/3.png', '/p/4.css', '/q/1.png'];
  const stored = async (path: string) => waitFor('it is stored', async () => (await state(path)) === 'HIT');
  for (const path of paths) await stored(path);
  const ofOther = async () => (await world.fetchEdge(other.domain, '/p/1.png')).headers['x-cache'];
  await waitFor('it is stored', async () => (await ofOther()) === 'HIT');
  const { task_id } = await world.admin.get('createPatternRefresh', {
    body: { site_id: site.id, pattern: String.raw`^/p/\d\.png`, rate: 1 },
  });
  const task = () => world.admin.get('getTask', { params: { id: task_id } });
  await waitFor('its end', async () => !['pending', 'running'].includes((await task()).status), 60);
  expect(await task()).toMatchObject({ type: 'site_refresh_pattern', status: 'done' });
  const { list } = await world.admin.get('listSiteRefreshes', { query: { site_id: site.id } });
  const found = list.filter(({ first }) => first.includes('/p/'));
  await waitFor('the node', async () =>
    (await Promise.all(found.map(({ id }) => delivery(id)))).every(({ status }) => status === 'applied'),
  );
  // Two at once at this rate.
  expect(found.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(await Promise.all(paths.map(state))).toEqual(['MISS', 'MISS', 'MISS', 'HIT', 'HIT']);
  expect(await ofOther()).toBe('HIT');
});

it('by a pattern is for operators, and for patterns that can be read alone', async () => {
  const customer = await makeCustomer(world);
  const ask = (body: object, api = world.admin) => api.call('createPatternRefresh', { body: body as never });
  const wanted = { site_id: site.id, pattern: 'a' };
  expect((await ask(wanted, customer.api)).status).toBe(404);
  expect((await ask(wanted, world.anonymous)).status).toBe(401);
  expect((await ask({ ...wanted, pattern: '(' })).errors?.[0]?.path).toBe('pattern');
  expect((await ask({ ...wanted, site_id: 999_999 })).errors?.[0]?.path).toBe('site_id');
});
