import { exportSite, makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { settleRefreshes } from '../modules/site-refresh/site-refresh.service.ts';
import { lockCounter } from './revisions.ts';

/** Changes of documents at once, in the order in which each would wait for the other if it took its locks in another one. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

async function waiting(): Promise<number> {
  const { rows } = await world.server.services.db.execute(
    sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.['count'] as number;
}

/** Starts these while nobody can write a document, each when the one before has come as far as it can; then all go on. */
async function atOnce<Results extends readonly unknown[]>(
  ...starts: { [Index in keyof Results]: () => Promise<Results[Index]> }
): Promise<Results> {
  const started: Promise<unknown>[] = [];
  await world.server.services.db.transaction(async (tx) => {
    await lockCounter(tx);
    for (const start of starts) {
      started.push(start());
      await waitFor('it waits for a lock', async () => (await waiting()) === started.length);
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
    () =>
      world.admin.call('updateAddressList', {
        params: { id },
        body: { name, content: '192.0.2.2', version: 1 },
      }),
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

it('a site that is removed, and the end of its refreshes', async () => {
  const { db } = world.server.services;
  const { id } = await makeSite(world.admin);
  await world.admin.get('cleanSiteCache', { params: { id } });
  await db.execute(
    sql`UPDATE edge_document SET updated_at = now() - interval '2 days' WHERE kind = 'refresh'`,
  );
  const [removed, settled] = await atOnce(
    () => world.admin.call('removeSiteForced', { params: { id } }),
    () => settleRefreshes(db),
  );
  expect([removed.status, settled]).toEqual([200, 1]);
});
