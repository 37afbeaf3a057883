import { makeSite, readSetting, saveSetting, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(() => world.close());

test('a secret in a URL is nowhere in the logs; which arguments carry one is said in the settings', async () => {
  const { domain } = await makeSite(world.admin);
  const ask = async (path: string, referer: string) => {
    await waitFor(
      'the site',
      async () => (await world.fetchEdge(domain, path, { headers: { referer } })).status !== 421,
    );
  };
  const logged = (text: string) =>
    waitFor(`the record of ${text}`, async () => {
      const { list } = await world.admin.get('listAccessLogs', { query: { host: domain, text } });
      return list.find((record) => record.status !== 421);
    });
  await ask('/one?token=very-secret&page=2', 'https://a.example/?password=hidden');
  expect(await logged('/one')).toMatchObject({
    request_uri: '/one?token=***********&page=2',
    referer: 'https://a.example/?password=******',
  });

  await saveSetting(world, 'LogPrivacy', { mask_arguments: ['PAGE'] });
  expect(await readSetting(world, 'LogPrivacy')).toEqual({ mask_arguments: ['page'] });
  let asked = 0;
  await waitFor(
    'the node has the new names',
    async () => {
      const path = `/two-${(asked += 1)}`;
      await ask(`${path}?token=shown&page=7`, '');
      return (await logged(path)).request_uri === `${path}?token=shown&page=*`;
    },
    60,
  );
});
