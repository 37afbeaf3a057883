import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { GuardWorld, type Guard, type GuardRule } from './guard-support.ts';
import { makeSite, TestEdge } from './support.ts';
import { waitFor } from '@breakwater/test-world/wait';

/** Two nodes with what each tells the other of what it counted, on real nginx. */

let one: GuardWorld;
let two: GuardWorld;
beforeAll(async () => {
  one = await GuardWorld.start();
  two = new GuardWorld(await TestEdge.start({ workerProcesses: 2 }), one.origin);
  for (const world of [one, two]) await exchange(world);
  await knowing(one, two);
});
afterAll(async () => {
  await two.edge.close();
  await one.close();
});

const ruled = (rule: GuardRule = {}): Guard => ({
  mode: 'normal',
  escalation: false,
  rules: [{ requests: 10, period_seconds: 3600, hold_seconds: 600, action: 'limit', ...rule }],
});
/** The same site at both nodes. */
async function site(guard: Guard, world = two): Promise<string> {
  const [host] = [await one.site({ guard }), await world.site({ guard })];
  return host;
}

interface Share {
  site_id: number;
  name: string;
  bucket: number;
  count: number;
}
/** Gives a node what others counted, and has what it counted itself. */
async function exchange(world: GuardWorld, others: Share[] = [], nodes = 2): Promise<Share[]> {
  const body = { nodes, others };
  const { own } = await world.edge.control<{ own: string }>('POST', '/guard/counts', body);
  return [...own.matchAll(/^(\d+) (\d+) (\d+) (.+)$/gm)].map(([, id, bucket, count, name]) => ({
    site_id: Number(id),
    bucket: Number(bucket),
    count: Number(count),
    name: name!,
  }));
}
const ofHost = (shares: Share[], host: string) =>
  shares.filter(({ site_id: id, name }) => id === one.clientOf(host) - 1000 && name.startsWith('1 '));
/** Workers look once a second whether counts are shared: from then on visitors have digests. */
async function knowing(...worlds: GuardWorld[]): Promise<void> {
  for (const world of worlds) {
    const host = await world.site({ guard: ruled({ requests: 40 }) });
    const counted = async () =>
      (await exchange(world)).find(({ name }) => name.startsWith('1 40/'))?.count ?? 0;
    await waitFor('digests', async () => {
      const before = await counted();
      await Promise.all(Array.from({ length: 20 }, () => world.edge.get(host, '/')));
      return before > 0 && (await counted()) === before + 20;
    });
  }
}

it('answers a visitor who spreads requests over nodes by what all counted, and nobody else', async () => {
  const host = await site(ruled());
  expect(await one.statuses(host, 6)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await two.statuses(host, 4)).toEqual([200, 200, 200, 200]);
  const told = ofHost(await exchange(one), host);
  expect(told).toMatchObject([{ count: 6, name: expect.stringMatching(/^1 10\/3600 limit [0-9a-f]{32}$/) }]);
  // Less than half of the threshold is not told of.
  expect(ofHost(await exchange(two), host)).toEqual([]);
  await exchange(two, told);
  expect(await two.statuses(host, 2)).toEqual([429, 429]);
  expect(await two.statuses(host, 1, '/', { from: '127.0.0.8' })).toEqual([200]);
});

it('does not count twice what comes twice, late, or from itself', async () => {
  const host = await site(ruled());
  await one.ask(host, 5);
  const [before] = ofHost(await exchange(one), host);
  await one.ask(host, 1);
  const [told] = ofHost(await exchange(one), host);
  expect([before!.count, told!.count]).toEqual([5, 6]);
  await exchange(two, [told!, told!, before!]);
  await exchange(two, [before!, told!]);
  expect(await two.statuses(host, 4)).toEqual([200, 200, 200, 200]);
  // Of ten that it judges by, four are its own.
  expect(ofHost(await exchange(two), host)).toMatchObject([{ count: 4 }]);
  expect(await two.statuses(host, 1)).toEqual([429]);
});

it('holds who is over a threshold where he was never seen, but for who is banned, which is told by itself', async () => {
  const [host, banning] = [await site(ruled()), await site(ruled({ action: 'ban' }))];
  await one.ask(host, 11);
  const [{ name, ...told }] = ofHost(await exchange(one), host) as [Share];
  await exchange(two, [{ name, ...told }]);
  expect(await two.statuses(host, 1)).toEqual([429]);
  // Windows that are soon over.
  for (const [of, action] of [
    [host, 'limit'],
    [banning, 'ban'],
  ] as const) {
    const rule: Guard = ruled({ action, requests: 2, period_seconds: 1 });
    await two.edge.applySites(
      makeSite({
        id: two.clientOf(of) - 1000,
        domains: [of],
        origins: [{ address: '127.0.0.1', http_port: one.origin.port }],
        guard: rule,
      }),
    );
    const counter = name.replace('10/3600 limit', `2/1 ${action}`);
    const bucket = Math.floor(Date.now() / 1000);
    await exchange(two, [{ ...told, site_id: two.clientOf(of) - 1000, name: counter, bucket, count: 1000 }]);
  }
  const over = Date.now() + 2100;
  await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(over);
  expect(await two.statuses(host, 1)).toEqual([429]);
  expect(await two.statuses(banning, 1)).toEqual([200]);
});

it('shares answers and URLs too, and what a rule with the same limit counts is its own', async () => {
  const host = await site(ruled({ count: 'answers', answers: { statuses: ['2xx'] }, scope: 'url' }));
  await one.ask(host, 8, '/login');
  const told = ofHost(await exchange(one), host);
  expect(told[0]!.name).toMatch(/ [0-9a-f]{32} [0-9a-f]{32}$/);
  await exchange(two, told);
  expect(await two.statuses(host, 4, '/login')).toEqual([200, 200, 200, 429]);
  expect(await two.statuses(host, 4, '/other')).toEqual([200, 200, 200, 200]);
});

it('takes nothing of other times, other rules, other sites, and counts on alone', async () => {
  const host = await site(ruled());
  await one.ask(host, 10);
  const [told] = ofHost(await exchange(one), host);
  const changed = (more: Partial<Share>) => ({ ...told!, count: 500, ...more });
  await exchange(two, [
    changed({ bucket: told!.bucket + 2 }),
    changed({ bucket: told!.bucket - 2 }),
    changed({ bucket: 0 }),
    changed({ name: told!.name.replace('10/3600', '11/3600') }),
    changed({ name: 'x' }),
    changed({ site_id: 999_999 }),
  ]);
  expect((await two.statuses(host, 11)).at(-2)).toBe(200);
  expect(await two.statuses(host, 1)).toEqual([429]);
});

it('tells the greatest parts of thresholds where there is no room for all, and serves on', async () => {
  const host = await site(
    ruled({ requests: 4, key: [{ part: 'header', name: 'x-key' }], period_seconds: 3600 }),
  );
  const as = (key: number | string) => ({ headers: { 'x-key': `${key}` } });
  await one.ask(host, 4, '/', as('heaviest'));
  // Of an address of its own each, or the mode has something to say.
  const twice = (key: number) =>
    one.statuses(host, 2, '/', { ...as(key), from: `127.3.${key % 4}.${Math.floor(key / 4) + 1}` });
  const asked = await Promise.all(Array.from({ length: 400 }, (_, key) => twice(key)));
  expect(new Set(asked.flat())).toEqual(new Set([200]));
  const told = await exchange(one);
  expect(told).toHaveLength(300);
  const [first] = ofHost(told, host);
  expect(first).toMatchObject({ count: 4 });
  // More than there is memory for.
  for (let round = 0; round < 30; round++)
    await exchange(
      two,
      Array.from({ length: 1000 }, (_, index) => ({
        ...first!,
        name: `1 4/3600 limit ${(round * 1000 + index).toString(16).padStart(32, '0')}`,
        count: 3,
      })),
    );
  expect(await two.statuses(host, 4, '/', as('new'))).toEqual([200, 200, 200, 200]);
  expect(await two.statuses(host, 1, '/', as('new'))).toEqual([429]);
});

it('tells nothing where it is the only node, and goes on with what it has', async () => {
  const alone = new GuardWorld(await TestEdge.start(), one.origin);
  onTestFinished(() => alone.edge.close());
  const host = await alone.site({ guard: ruled() });
  expect((await alone.statuses(host, 11)).at(-1)).toBe(429);
  expect(await exchange(alone, [], 1)).toEqual([]);
});
