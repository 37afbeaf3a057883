import type { RuleAct } from '@breakwater/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

/** What rules want done beyond their node, as the agent gets to hear it. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

let told = 0;
let instance = '';
async function acts(max = 500): Promise<RuleAct[]> {
  const answer = await world.edge.control<{ instance_id: string; acts: string; last: number }>(
    'POST',
    '/rules/acts',
    { instance_id: instance, told, max },
  );
  instance = answer.instance_id;
  told = answer.last;
  return answer.acts === '' ? [] : answer.acts.split('\n').map((line) => JSON.parse(line) as RuleAct);
}

it('tells of a visitor who goes on a list once, of each visitor, and lets the request go on', async () => {
  const host = await world.site({
    matchers: [
      { action: 'list', note: 'odd "names"\n', list: { list_id: 7, seconds: 3600 } },
      { action: 'list', list: { list_id: 7, seconds: 60 }, mode: 'observe' },
    ],
  });
  const from = (address: string) => world.edge.get(host, '/', { from: address });
  const answers = [await from('127.0.0.2'), await from('127.0.0.2'), await from('127.0.0.3')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const id = answers[0]!.headers['x-request-id'] as string;
  const [line] = await world.edge.logLines(1, ({ request_id }) => request_id === id);
  expect(line).toMatchObject({ waf: 'matcher_rule 1=list; matcher_rule 2=observe', decision: '' });
  const heard = await acts();
  expect(heard).toMatchObject([
    {
      action: 'list',
      rule: '1',
      note: 'odd "names"',
      list_id: 7,
      seconds: 3600,
      address: '127.0.0.2',
      request_id: id,
      site_id: world.clientOf(host) - 1000,
    },
    { action: 'list', rule: '1', address: '127.0.0.3' },
  ]);
  expect(Math.abs(heard[0]!.at - Date.now() / 1000)).toBeLessThan(3600);
  expect(await acts()).toEqual([]);
});

it('keeps what it told until the agent has it safe', async () => {
  const host = await world.site({ matchers: [{ action: 'list', list: { list_id: 1 } }] });
  await world.edge.get(host);
  const before = told;
  expect(await acts()).toHaveLength(1);
  told = before;
  expect(await acts()).toHaveLength(1);
  expect(await acts()).toEqual([]);
});

it('notifies once in the time that a rule says, whoever comes, and each rule for itself', async () => {
  const rule = { action: 'notify', notify: { minutes: 60 } } as const;
  const host = await world.site({
    matchers: [
      rule,
      { ...rule, condition: { items: [{ field: 'path', operator: 'equals', values: ['/a'] }] } },
    ],
  });
  await world.edge.get(host, '/', { from: '127.0.0.2' });
  await world.edge.get(host, '/a', { from: '127.0.0.3' });
  await world.edge.get(host, '/a', { from: '127.0.0.4' });
  expect(await acts()).toMatchObject([
    { action: 'notify', rule: '1', seconds: 3600, address: '127.0.0.2' },
    { action: 'notify', rule: '2', seconds: 3600, address: '127.0.0.3' },
  ]);
});

it('tells of another rule, and of the same one at another site', async () => {
  const rule = (minutes: number) => ({ action: 'notify', notify: { minutes } }) as const;
  const [one, other] = [await world.site({ matchers: [rule(5)] }), await world.site({ matchers: [rule(5)] })];
  await world.edge.get(one);
  await world.edge.get(other);
  expect((await acts()).map(({ site_id }) => site_id)).toEqual(
    [one, other].map((host) => world.clientOf(host) - 1000),
  );
});
