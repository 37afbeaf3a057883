import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { guardSharesMax, integerMax, type GuardShare, type NodeEvent } from '@breakwater/contract';
import {
  makeNode,
  makeNodeState,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { node, site as siteTable } from '../db/schema.ts';
import { EventHub } from './event-hub.ts';
import { guardNodesOf, GuardShares } from './guard-shares.ts';

/** What nodes of a line group tell each other of what they counted, through two servers. */

let world: World;
let second: EventHub;
/** The first three are of one line group, the last of another. */
const nodes: { id: number; plane: ControlPlane }[] = [];
let site: number;
let foreign: number;
const ending = new AbortController();

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const { database, db, log } = world.server.services;
  second = await EventHub.open({ databaseUrl: database.url, database: db, logger: log });
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  const group = list.find(({ name }) => name === 'Default')!;
  const other = await world.admin.get('createLineGroup', { body: { name: unique('group') } });
  for (const [index, id] of [group.id, group.id, group.id, other.id].entries()) {
    const made = await makeNode(world, { ip: `127.0.0.${index + 21}` });
    await world.admin.get('bindNodes', { params: { id }, body: { add: [made.id] } });
    const account = { appId: made.app_id, appSecret: made.app_secret };
    nodes.push({ id: made.id, plane: new ControlPlane({ ...account, url: world.userUrl }, ending.signal) });
  }
  [site, foreign] = [(await makeSite(world.admin)).id, (await makeSite(world.admin)).id];
  await db.update(siteTable).set({ lineGroupId: other.id }).where(eq(siteTable.id, foreign));
});
afterAll(async () => {
  ending.abort();
  await second.close();
  await world.close();
});

let digest = 0;
beforeEach(() => (digest += 1));
const share = (count: number, more: Partial<GuardShare> = {}): GuardShare => ({
  site_id: site,
  name: `visitor 300/10 challenge ${`${digest}`.padStart(32, '0')}`,
  bucket: 1000,
  count,
  ...more,
});

/** The counts that a node is told at a server. */
async function line(hub: EventHub, index: number) {
  const told: GuardShare[][] = [];
  const server = createServer((_request, response) => void hub.attach(nodes[index]!.id, response));
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  let greeted = false;
  const request = get({ port, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      for (const message of text.split('\n\n').filter(Boolean)) {
        const event = JSON.parse(message.replace('data: ', '')) as NodeEvent;
        greeted = true;
        if (event.type === 'guard') told.push(event.shares);
      }
    });
    response.on('error', () => undefined);
  });
  onTestFinished(() => {
    request.destroy();
    server.close();
  });
  await waitFor('the greeting', () => greeted);
  return {
    told,
    /** The last count of somebody. */
    last: (of = share(0)) =>
      told
        .flat()
        .findLast(
          ({ name, site_id: id, bucket }) => name === of.name && id === of.site_id && bucket === of.bucket,
        )?.count,
  };
}
const first = () => world.server.services.hub!;

it('tells each node what all others of its line group counted, at every server, and nobody else', async () => {
  const [one, two, three, stranger] = [
    await line(first(), 0),
    await line(second, 1),
    await line(second, 2),
    await line(second, 3),
  ];
  await nodes[0]!.plane.reportGuardShares([share(100)]);
  await waitFor('the first count', () => two.last() === 100 && three.last() === 100);
  await nodes[1]!.plane.reportGuardShares([share(40)]);
  await waitFor('both together', () => three.last() === 140 && one.last() === 40);
  // What comes twice, or late, is no more than was there.
  await nodes[0]!.plane.reportGuardShares([share(90), share(100)]);
  await nodes[0]!.plane.reportGuardShares([share(101)]);
  await waitFor('one more', () => three.last() === 141);
  expect([one.last(), two.last(), stranger.told]).toEqual([40, 101, []]);
});

it('takes nothing of sites of other line groups, of none, and of strangers', async () => {
  const [two, stranger] = [await line(second, 1), await line(second, 3)];
  const of = { site_id: foreign };
  await nodes[0]!.plane.reportGuardShares([share(500, of), share(500, { site_id: 999_999 }), share(7)]);
  await waitFor('its own', () => two.last() === 7);
  await nodes[3]!.plane.reportGuardShares([share(500), share(9, of)]);
  const late = await line(second, 2);
  await waitFor('what was told before', () => late.last() === 7);
  expect([stranger.told, two.last(), late.last(share(0, of))]).toEqual([[], 7, undefined]);
  const body = JSON.stringify({ shares: [share(1)] });
  const headers = { authorization: 'Bearer nobody', 'content-type': 'application/json' };
  const refused = await fetch(`${world.userUrl}/node-api/guard_shares`, { method: 'POST', headers, body });
  expect(refused.status).toBe(401);
});

it('refuses what is no count', async () => {
  for (const odd of [
    { name: 'visitor 300/10 challenge 127.0.0.1' },
    { name: 'visitor 300/0 challenge '.padEnd(56, '0') },
    { name: "1 3/10 limit '; DROP TABLE site" },
    { count: 0 },
    { count: 0.5 },
    { bucket: -1 },
  ])
    await expect(nodes[0]!.plane.reportGuardShares([share(1, odd)])).rejects.toThrow(/400/);
  const many = Array.from({ length: guardSharesMax + 1 }, () => share(1));
  await expect(nodes[0]!.plane.reportGuardShares(many)).rejects.toThrow(/400/);
});

it('keeps and tells no more than there is room for: who used up most of a threshold first', () => {
  const shares = new GuardShares();
  const named = (index: number, count: number, seconds = 10): GuardShare =>
    share(count, { name: `1 100/${seconds} limit ${`${index}`.padStart(32, '0')}` });
  for (let index = 0; index < 6000; index++)
    shares.add({ nodeId: 1, lineGroupId: 1, shares: [named(index, 2 + (index % 50))] }, 0);
  const [taken] = [...shares.takeChanged().values()];
  const counts = taken!.flatMap((sum) => sum.toldTo(2)).map(({ count }) => count);
  expect([counts.length, Math.min(...counts)]).toEqual([guardSharesMax, 51]);
  let left = taken!.length;
  while (shares.hasChanged) left += [...shares.takeChanged().values()][0]!.length;
  expect(left).toBe(5000);
  // Windows that are over are no longer told of.
  shares.add({ nodeId: 1, lineGroupId: 1, shares: [named(1, 9)] }, 22_000);
  expect(shares.heldFor(2, [1]).flat()).toEqual([named(1, 9)]);
  shares.add({ nodeId: 1, lineGroupId: 1, shares: [named(2, integerMax)] }, 22_000);
  shares.add({ nodeId: 2, lineGroupId: 1, shares: [named(2, integerMax)] }, 22_000);
  expect(shares.heldFor(3, [1]).flat()[0]!.count).toBe(integerMax);
});

it('says how many nodes count together: those of a line group that are heard of', async () => {
  const { db } = world.server.services;
  const ids = nodes.map(({ id }) => id);
  const count = async () => Promise.all(ids.map((id) => guardNodesOf(db, id)));
  expect(await count()).toEqual([1, 1, 1, 1]);
  await db.update(node).set({ statusTime: new Date() }).where(inArray(node.id, ids));
  expect(await count()).toEqual([3, 3, 3, 1]);
  const { guard_nodes: together } = await nodes[0]!.plane.report(makeNodeState());
  expect(together).toBe(3);
  await db
    .update(node)
    .set({ statusTime: new Date(0) })
    .where(eq(node.id, ids[1]!));
  expect((await count())[0]).toBe(2);
});
