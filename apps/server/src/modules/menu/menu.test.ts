import { screens, type MenuEntry } from '@breakwater/contract';
import { makeApiClient, makeCustomer, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operation } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

type Client = World['admin'];
const entriesOf = async (api: Client): Promise<MenuEntry[]> => {
  const flat = (entries: MenuEntry[]): MenuEntry[] =>
    entries.flatMap((item) => [item, ...flat(item.children ?? [])]);
  return flat((await api.get('getMenu', {})).menu.flatMap(({ items }) => items));
};
const pathsOf = async (api: Client) => (await entriesOf(api)).map(({ path }) => path);

describe('the menu', () => {
  it('is the administrator’s for an administrator', async () => {
    expect((await world.admin.get('getMenu', {})).role).toBe('admin');
    expect(await pathsOf(world.admin)).toEqual(
      expect.arrayContaining([screens.home.path, screens.nodes.path, screens.clients.path, '/docs']),
    );
  });

  it('shows a customer no screen of the operator', async () => {
    const { api } = await makeCustomer(world);
    expect((await api.get('getMenu', {})).role).toBe('user');
    const paths = await pathsOf(api);
    expect(paths).toContain(screens.sites.path);
    for (const id of ['nodes', 'areas', 'clients', 'products', 'tasks', 'settings'] as const)
      expect(paths).not.toContain(screens[id].path);
  });

  it('speaks the language asked for', async () => {
    const { token } = await world.anonymous.get('signInAdmin', {
      body: { username: 'admin', password: world.adminPassword },
    });
    const titles = async (language: 'zh' | 'en') => {
      const api = makeApiClient(() => world.adminUrl, token, language);
      return (await entriesOf(api)).map(({ title }) => title);
    };
    expect(await titles('zh')).toContain('站点');
    expect(await titles('en')).toContain('Sites');
  });

  it('counts the tasks that failed today', async () => {
    const badge = async () =>
      (await entriesOf(world.admin)).find(({ path }) => path === screens.tasks.path)?.info;
    expect(await badge()).toBeUndefined();
    const failed = {
      kind: 'site_update' as const,
      title: 'x',
      subjectKind: 'site',
      subjectId: 1,
      createdBy: 'test',
    };
    const { db } = world.server.services;
    await db.insert(operation).values([
      { ...failed, state: 'failed' },
      { ...failed, kind: 'site_batch', state: 'failed' },
      { ...failed, state: 'failed', createdAt: new Date(Date.now() - 2 * 86_400_000) },
    ]);
    expect(await badge()).toBe('1');
  });

  it('is for nobody without a session', async () => {
    expect(await world.anonymous.call('getMenu', {})).toMatchObject({ status: 401, code: 10_300 });
  });
});
