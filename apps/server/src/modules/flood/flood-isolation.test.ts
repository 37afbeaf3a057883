import {
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { packetKinds, type FloodSuspect } from '@breakwater/contract';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { flood, site, siteDomain } from '../../db/schema.ts';
import { makeLine, toBytes } from '../../logs/test-lines.ts';
import { recordTraffic } from './flood.service.ts';

/** Two line groups, one of them on two nodes, and nodes of which one serves both. */

let world: World;
let one: Customer;
let other: Customer;
let groups: { shared: number; own: number; free: number };
let nodes: { both: Named; shared: Named; free: Named };
let sites: { old: number; pointing: number; attacked: number; elsewhere: number };
interface Named {
  id: number;
  name: string;
}

const address = '192.0.2.10';
const db = () => world.server.services.db;
const now = Math.floor(Date.now() / 60_000) * 60_000;
const ago = (minutes: number) => new Date(now - minutes * 60_000);

async function named(ip: string): Promise<Named> {
  const name = unique('node');
  return { id: (await makeNode(world, { ip, name })).id, name };
}
async function group(...members: Named[]): Promise<number> {
  const { id } = await world.admin.get('createLineGroup', { body: { name: unique('group') } });
  await world.admin.get('bindNodes', { params: { id }, body: { add: members.map((each) => each.id) } });
  return id;
}
/** The DNS leads the domain of a site there. */
const lead = (siteId: number, ...a: string[]) =>
  db()
    .update(siteDomain)
    .set({ verdict: 'address', seen: { name: '', cname_chain: [], a, aaaa: [], txt: [] } })
    .where(eq(siteDomain.siteId, siteId));
let files = 0;
async function visit(nodeId: number, siteId: number, count: number, fields: object = {}) {
  const lines = Array.from({ length: count }, (_, index) =>
    makeLine({
      time: ago(3).toISOString(),
      request_id: `${files}f${siteId}f${index}`.padStart(32, '0'),
      site_id: siteId,
      ...fields,
    }),
  );
  files += 1;
  await world.server.services.logStore.ingest({
    nodeId,
    file: `access.${files}`,
    offset: 0,
    lines: toBytes(lines),
  });
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  nodes = { both: await named(address), shared: await named('192.0.2.11'), free: await named('192.0.2.12') };
  await world.admin.get('createNodeIp', { body: { node_id: nodes.both.id, ip: '192.0.2.20' } });
  groups = {
    shared: await group(nodes.both, nodes.shared),
    own: await group(nodes.both),
    free: await group(nodes.free),
  };
  const make = async (owner: Customer, lineGroupId: number) => {
    const { id } = await makeSite(owner.api);
    await db()
      .update(site)
      .set({ lineGroupId, createdAt: ago(30 * 24 * 60) })
      .where(eq(site.id, id));
    return id;
  };
  sites = {
    old: await make(one, groups.own),
    pointing: await make(one, groups.own),
    attacked: await make(other, groups.shared),
    elsewhere: await make(other, groups.free),
  };
  await lead(sites.pointing, '198.51.100.1', address);
  await lead(sites.old, '192.0.2.20');
  await lead(sites.elsewhere, address);
  await visit(nodes.both.id, sites.old, 60);
  await visit(nodes.both.id, sites.attacked, 4, { decision: 'matcher_rule 1', status: 403 });
  // At another node: it says nothing of this one.
  await visit(nodes.free.id, sites.pointing, 500, { decision: 'matcher_rule 1' });
  await saveSetting(world, 'FloodSetting', { syn: 1000 });
});
afterAll(() => world.close());
beforeEach(async () => {
  await db().delete(flood);
});

async function floodOf(where: Named, to = address): Promise<number> {
  const none = Object.fromEntries(packetKinds.map((kind) => [kind, 0])) as never;
  const packets = Object.assign({}, none, { syn: 5000 });
  await recordTraffic(db(), where, [{ address: to, bytes: 1, packets }], ago(1));
  const { list } = await world.admin.get('listFloods', { query: { node_id: where.id, address: to } });
  return list[0]!.id;
}
const isolation = (id: number) => world.admin.get('getFloodIsolation', { params: { id } });
const reasons = (suspects: readonly FloodSuspect[]) =>
  suspects.map(({ site_id, reasons: found }) => [site_id, ...found]);

it('what an address carries, the likeliest target first, and where it could go', async () => {
  const found = await isolation(await floodOf(nodes.both));
  expect(found).toMatchObject({
    sites: 3,
    sites_pointing: 1,
    requests_known: true,
    other_addresses: ['192.0.2.20'],
  });
  expect(found.line_groups.toSorted((a, b) => a.id - b.id)).toMatchObject([
    { id: groups.shared, sites: 1, nodes: 2, nodes_flooded: 1 },
    { id: groups.own, sites: 2, nodes: 1, nodes_flooded: 1 },
  ]);
  expect(reasons(found.suspects)).toEqual([
    [sites.pointing, 'points_here'],
    [sites.attacked, 'attacked'],
    [sites.old, 'busy'],
  ]);
  expect(found.suspects[1]).toMatchObject({
    client_id: other.id,
    order_id: other.orderId,
    line_group_id: groups.shared,
    requests: 4,
    attack_requests: 4,
  });
  // Nobody asked for it: it is not among those with the most requests.
  expect(found.suspects[0]).toMatchObject({ requests: null, attack_requests: 0 });
  const refuges = found.refuges.map(({ id }) => id);
  expect(refuges).toContain(groups.free);
  expect(refuges).not.toContain(groups.own);
  expect(refuges).not.toContain(groups.shared);
  expect(found.refuges.find(({ id }) => id === groups.free)).toMatchObject({
    nodes: 1,
    site_count: 1,
    addresses: ['192.0.2.12'],
  });
});

it('a line group that has all nodes which are flooded at once is the likelier one', async () => {
  await floodOf(nodes.shared, '192.0.2.11');
  const { suspects, line_groups } = await isolation(await floodOf(nodes.both));
  expect(line_groups.find(({ id }) => id === groups.shared)).toMatchObject({ nodes: 2, nodes_flooded: 2 });
  expect(reasons(suspects)).toEqual([
    [sites.attacked, 'attacked', 'common'],
    [sites.pointing, 'points_here'],
    [sites.old, 'busy'],
  ]);
  // One of last week is no part of it.
  await db()
    .update(flood)
    .set({ startedAt: ago(10_000), seenAt: ago(9990), endedAt: ago(9980) })
    .where(eq(flood.nodeId, nodes.shared.id));
  const alone = await isolation(await floodOf(nodes.both));
  expect(alone.suspects[0]).toMatchObject({ site_id: sites.pointing });
});

it('a site that has just come, and none that is gone or moved, is among them', async () => {
  const id = await floodOf(nodes.both);
  await db()
    .update(site)
    .set({ createdAt: ago(60) })
    .where(eq(site.id, sites.old));
  await db()
    .update(site)
    .set({ removedAt: ago(1) })
    .where(eq(site.id, sites.pointing));
  const { suspects, sites: carried, sites_pointing } = await isolation(id);
  expect([carried, sites_pointing]).toEqual([2, 0]);
  expect(reasons(suspects)).toEqual([
    [sites.attacked, 'attacked'],
    [sites.old, 'new', 'busy'],
  ]);
  await db()
    .update(site)
    .set({ removedAt: null, createdAt: ago(30 * 24 * 60) })
    .where(inArray(site.id, [sites.pointing, sites.old]));
});

it('a site of which nothing speaks is none of them, and one that came after it is not new', async () => {
  const id = await floodOf(nodes.both);
  await visit(nodes.both.id, sites.old, 200);
  await visit(nodes.both.id, sites.pointing, 2);
  await db()
    .update(flood)
    .set({ startedAt: ago(2), seenAt: ago(2) })
    .where(eq(flood.id, id));
  const late = (await makeSite(one.api)).id;
  await db()
    .update(site)
    .set({ lineGroupId: groups.own, createdAt: ago(1) })
    .where(eq(site.id, late));
  const quiet = (await makeSite(one.api)).id;
  await db()
    .update(site)
    .set({ lineGroupId: groups.own, createdAt: ago(30 * 24 * 60) })
    .where(eq(site.id, quiet));
  const found = (await isolation(id)).suspects.map(({ site_id }) => site_id);
  expect(found).toEqual([sites.pointing, sites.attacked, sites.old]);
  await db()
    .update(site)
    .set({ removedAt: ago(1) })
    .where(inArray(site.id, [late, quiet]));
});

it('a node that knows itself by another address than the DNS does is found by its only one', async () => {
  const { id } = (await world.admin.get('listNodeIps', { query: { node_id: nodes.both.id } })).list.find(
    ({ ip }) => ip === '192.0.2.20',
  )!;
  await world.admin.get('removeNodeIp', { params: { id } });
  const found = await isolation(await floodOf(nodes.both, '10.0.0.4'));
  expect(found).toMatchObject({ sites_pointing: 1, other_addresses: [] });
  await world.admin.get('createNodeIp', { body: { node_id: nodes.both.id, ip: '192.0.2.20' } });
});

it('without its log store it tells what is known without', async () => {
  const id = await floodOf(nodes.both);
  await world.server.services.logStore.close();
  const found = await isolation(id);
  expect(found).toMatchObject({ requests_known: false, sites: 3 });
  expect(reasons(found.suspects)).toEqual([[sites.pointing, 'points_here']]);
});
