import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { askNode } from '../../delivery/commands.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  await waitFor('a node that is online', async () => {
    const { list } = await world.admin.get('listNodes', { query: {} });
    return list[0]?.status === 'normal';
  });
});
afterAll(() => world.close());

it('is tried on a node, refused with what its nginx says, and served where it is taken', async () => {
  const origin = await world.startOrigin((_request, response) => response.end('content'));
  const site = await makeSite(world.admin, { port: origin.port });
  const path = `/prod-api/site_config/advanced_config?site_id=${site.id}`;
  const refused = await world.admin.send('PUT', path, {
    version: 1,
    value: { snippet: 'expires 1h;\nexpires 2h;' },
  });
  expect(refused).toMatchObject({
    status: 400,
    errors: [
      { path: 'value.snippet', message: `A node's nginx refuses this: "expires" directive is duplicate` },
    ],
  });
  const { version } = await world.admin.get('getAdvancedConfig', { query: { site_id: site.id } });
  expect(version).toBe(1);

  const saved = await world.admin.send('PUT', path, {
    version: 1,
    value: { snippet: 'add_header X-Own "yes; {}";' },
  });
  const { list } = await world.admin.get('listNodes', { query: {} });
  expect(saved).toMatchObject({ status: 200, data: { version: 2, snippet_tried_on: list[0]!.name } });
  await waitFor('the directives in service', async () => {
    const { headers } = await world.fetchEdge(site.domain, '/');
    return headers['x-own'] === 'yes; {}';
  });
  const { documents } = await world.admin.get('getSiteDelivery', { params: { id: site.id } });
  expect(documents[0]?.nodes[0]?.status).toBe('applied');
});

it('asks one node, and leaves nothing behind when nobody answers', async () => {
  const { db } = world.server.services;
  const { list } = await world.admin.get('listNodes', { query: {} });
  const answer = await askNode(db, list[0]!.id, 'try_snippet', {
    site_id: 1,
    snippet: 'include /etc/shadow;',
  });
  expect(answer?.refused).toContain('line 1');
  expect(await askNode(db, list[0]!.id, 'try_snippet', { site_id: 1, snippet: 'charset utf-8;' })).toEqual(
    {},
  );
  await world.stopAgent();
  expect(
    await askNode(db, list[0]!.id, 'try_snippet', { site_id: 1, snippet: 'charset utf-8;' }, 500),
  ).toBeUndefined();
  const left = await db.execute(sql`SELECT count(*)::int AS count FROM node_command`);
  expect(left.rows[0]).toEqual({ count: 0 });
});
