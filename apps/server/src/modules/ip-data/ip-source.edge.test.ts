import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeMmdb } from './test-mmdb.ts';

/** The operator's data on its way to a real node, which acknowledges it and decides by it. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(() => world.close());

it('a file that is put in service decides at the nodes, whose acknowledgement ends its task', async () => {
  const origin = await world.startOrigin((_request, response) => response.end('welcome'));
  const site = await makeSite(world.admin, { port: origin.port });
  const condition = { items: [{ field: 'asn' as const, operator: 'equals' as const, values: ['64512'] }] };
  await world.admin.get('updateAccessControl', {
    query: { site_id: site.id },
    body: {
      version: 1,
      value: {
        rules: [
          { action: 'deny', countries: ['JP'], only_paths: ['/country'] },
          { action: 'deny', condition, only_paths: ['/network'] },
        ],
      },
    },
  });
  const status = async (path: string) => (await world.fetchEdge(site.domain, path)).status;
  await waitFor('the site', async () => (await status('/')) === 200);
  expect([await status('/country'), await status('/network')]).toEqual([200, 200]);

  const file = makeMmdb({
    '127.0.0.0/8': { country: { iso_code: 'JP' }, autonomous_system_number: 64_512 },
    '192.0.2.0/24': { country: { iso_code: 'FR' } },
  });
  const publisher = await world.startOrigin((_request, response) => response.end(file));
  const url = `http://127.0.0.1:${publisher.port}/own.mmdb`;
  const { file_id } = await world.admin.get('fetchIpFile', { body: { url } });
  const body = { file_id, url, replaces: null };
  await world.admin.get('useIpFile', { params: { part: 'country' }, body });
  const { task_id } = await world.admin.get('useIpFile', { params: { part: 'asn' }, body });
  await waitFor('the acknowledgement', async () => {
    const { list } = await world.admin.get('listTasks', { query: { type: 'ip_data_update' } });
    return list.find(({ id }) => id === task_id)?.status === 'done';
  });
  expect([await status('/country'), await status('/network'), await status('/')]).toEqual([403, 403, 200]);

  for (const part of ['country', 'asn'] as const)
    await world.admin.get('removeIpFile', { params: { part }, query: { file_id: String(file_id) } });
  await waitFor('what is shipped', async () => (await status('/network')) === 200);
  expect(await status('/country')).toBe(200);
});
