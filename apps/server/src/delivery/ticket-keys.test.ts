import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { makeNode, makeNodeState, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { passKeysOf, ticketKeyHours, ticketKeysOf } from './ticket-keys.ts';

let world: World;
let addresses = 0;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const makeLineGroup = async () =>
  (await world.admin.get('createLineGroup', { body: { name: unique('Group') } })).id;

async function makeNodeOf(...line_group_ids: number[]) {
  const node = await makeNode(world, { ip: `192.0.2.${(addresses += 1)}` });
  await world.admin.get('bindNodeLineGroups', { params: { id: node.id }, body: { line_group_ids } });
  return node;
}

const keysAt = (nodeId: number, hours: number) => {
  const { db, secrets } = world.server.services;
  return ticketKeysOf(db, secrets, nodeId, hours * 3_600_000);
};

const passKeysAt = (nodeId: number, hours: number) => {
  const { db, secrets } = world.server.services;
  return passKeysOf(db, secrets, nodeId, hours * 3_600_000);
};

it('are the same for the nodes of a line group, and no other node has them', async () => {
  const [group, other] = [await makeLineGroup(), await makeLineGroup()];
  const [one, two, stranger] = [await makeNodeOf(group), await makeNodeOf(group), await makeNodeOf(other)];
  const keys = await keysAt(one.id, 0);
  expect(keys.map((key) => Buffer.from(key, 'base64').length)).toEqual([80, 80, 80]);
  expect(await keysAt(two.id, 0)).toEqual(keys);
  for (const key of await keysAt(stranger.id, 0)) expect(keys).not.toContain(key);
  expect(await keysAt((await makeNodeOf()).id, 0)).toEqual([]);
});

it('rotate: each is known before it encrypts, and for a period after', async () => {
  const { id } = await makeNodeOf(await makeLineGroup());
  const firstOf = async (period: number) => (await keysAt(id, period * ticketKeyHours))[0];
  const now = await keysAt(id, 0);
  expect(now).toEqual([await firstOf(0), await firstOf(-1), await firstOf(1)]);
  expect(new Set(now).size).toBe(3);
  expect(await keysAt(id, ticketKeyHours - 0.01)).toEqual(now);
});

it('open tickets of all line groups of a node, and seal with those of one', async () => {
  const groups = [await makeLineGroup(), await makeLineGroup()];
  const { id } = await makeNodeOf(...groups);
  const [first, second] = await Promise.all(
    groups.map(async (group) => keysAt((await makeNodeOf(group)).id, 0)),
  );
  expect(await keysAt(id, 0)).toEqual([...first!, ...second!]);
});

it('come with the answer to what a node reports', async () => {
  const node = await makeNodeOf(await makeLineGroup());
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  const { ticket_keys: keys, pass_keys: passKeys } = await new ControlPlane(credentials, stop.signal).report(
    makeNodeState(),
  );
  expect(keys).toEqual(await keysAt(node.id, Date.now() / 3_600_000));
  expect(passKeys).toEqual(await passKeysAt(node.id, Date.now() / 3_600_000));
});

it('have others beside them for passes of browsers, which rotate in the same way', async () => {
  const group = await makeLineGroup();
  const [one, two] = [await makeNodeOf(group), await makeNodeOf(group)];
  const keys = await passKeysAt(one.id, 0);
  expect(keys.map((key) => /^[0-9a-f]{64}$/.test(key))).toEqual([true, true, true]);
  expect(await passKeysAt(two.id, 0)).toEqual(keys);
  const later = await passKeysAt(one.id, ticketKeyHours);
  expect(later.slice(0, 2)).toEqual([keys[2], keys[0]]);
});
