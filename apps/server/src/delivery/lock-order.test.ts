import { exportSite, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { lockCounter } from './revisions.ts';

/** Changes of documents at once, in the order in which each would wait for the other if it took its locks in another one. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** Starts these one after the other while nobody can write a document; then all go on. */
async function atOnce<Results extends readonly unknown[]>(
  ...starts: { [Index in keyof Results]: () => Promise<Results[Index]> }
): Promise<Results> {
  const started: Promise<unknown>[] = [];
  await world.server.services.db.transaction(async (tx) => {
    await lockCounter(tx);
    for (const start of starts) {
      started.push(start());
      await sleep(400);
    }
  });
  return (await Promise.all(started)) as unknown as Results;
}

const fileOf = async (siteId: number, list: number) => {
  const file = await exportSite(world.admin, siteId);
  return {
    ...file,
    domains: [`${unique('new')}.example.com`],
    sections: {
      ...file.sections,
      access_control: { rules: [{ action: 'deny', address_lists: [list] }] },
    },
  };
};

it('a site from a file and a change of the list that it names', async () => {
  const name = unique('list');
  const { id } = await world.admin.get('createAddressList', { body: { name, content: '192.0.2.1' } });
  const site = await makeSite(world.admin);
  const file = await fileOf(site.id, id);
  const [imported, changed] = await atOnce(
    () => world.admin.call('importNewSite', { body: { file } }),
    () => world.admin.call('updateAddressList', { params: { id }, body: { name, content: '192.0.2.2' } }),
  );
  expect([imported, changed]).toMatchObject([{ status: 200 }, { status: 200 }]);
  const { documents } = await world.admin.get('getSiteDelivery', { params: { id: imported.data.id } });
  expect(documents).toMatchObject([{ kind: 'site', key: String(imported.data.id) }]);
  const task = await world.admin.get('getTask', { params: { id: imported.data.task_id! } });
  expect(task).toMatchObject({ type: 'site_create' });
});

it('two sites that exchange their lists', async () => {
  const lists = [];
  for (const content of ['192.0.2.1', '192.0.2.2'])
    lists.push((await world.admin.get('createAddressList', { body: { name: unique('list'), content } })).id);
  const [one, other] = lists as [number, number];
  const sites = [await makeSite(world.admin), await makeSite(world.admin)] as const;
  const use = (place: 0 | 1, list: number, version: number) => () =>
    world.admin.call('updateAccessControl', {
      query: { site_id: sites[place].id },
      body: { version, value: { rules: [{ action: 'deny', address_lists: [list] }] } },
    });
  await use(0, one, 1)();
  await use(1, other, 1)();
  const answers = await atOnce(use(0, other, 2), use(1, one, 2));
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
});
