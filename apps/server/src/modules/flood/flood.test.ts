import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import {
  addressMinutesKeptHours,
  packetKinds,
  type AddressTraffic,
  type PacketKind,
} from '@breakwater/contract';
import {
  makeCustomer,
  makeNode,
  makeNodeState,
  saveSetting,
  startWorld,
  trySetting,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { addressMinute, flood, node } from '../../db/schema.ts';
import { recordTraffic } from './flood.service.ts';
import { pruneFloods } from './flood.store.ts';

let world: World;
let customer: Customer;
let there: { id: number; name: string };
let count = 0;
const address = '192.0.2.10';
const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000;
const at = (seconds: number) => new Date(start + seconds * 1000);
const db = () => world.server.services.db;

const setting = {
  syn: 1000,
  udp: 2000,
  stray: 500,
  packets: 10_000,
  megabits: 100,
  quiet_minutes: 2,
};

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await saveSetting(world, 'FloodSetting', { enabled: true, ...setting });
  await db().delete(flood);
  const name = unique('node');
  const { id } = await makeNode(world, { ip: `192.0.2.${(count += 1)}`, name });
  there = { id, name };
});

const none = Object.fromEntries(packetKinds.map((kind) => [kind, 0])) as Record<PacketKind, number>;
const traffic = (packets: Partial<typeof none>, megabits = 1, to = address): AddressTraffic => ({
  address: to,
  bytes: (megabits * 1e6) / 8,
  packets: { ...none, ...packets },
});
const tell = (seconds: number, ...addresses: AddressTraffic[]) =>
  recordTraffic(db(), there, addresses, at(seconds));
const floods = async () => (await world.admin.get('listFloods', { query: { node_id: there.id } })).list;
const eventsOf = async () =>
  (await world.admin.get('listActivity', { query: { subject_kind: 'node', subject_id: there.id } })).list
    .filter(({ kind }) => kind.startsWith('flood'))
    .map(({ kind, about }) => [kind, Object.fromEntries(about.map(({ name, value }) => [name, value]))])
    .toReversed();

it.each([
  [{ syn: 999, tcp: 8000 }, 1, undefined],
  [{ syn: 1000, tcp: 8000 }, 1, 'syn'],
  [{ udp: 1999 }, 1, undefined],
  [{ udp: 1001, reflected: 999 }, 1, 'udp'],
  [{ udp: 999, reflected: 1001 }, 1, 'reflected'],
  [{ icmp: 499 }, 1, undefined],
  [{ icmp: 300, other: 200 }, 1, 'icmp'],
  [{ icmp: 200, other: 300 }, 1, 'other'],
  [{ tcp: 9999 }, 99, undefined],
  [{ tcp: 9500, syn: 500 }, 1, 'tcp'],
  [{ udp: 10, tcp: 5 }, 100, 'udp'],
])('packets a second %j and %i Mbit/s: %s', async (packets, megabits, kind) => {
  await tell(0, traffic(packets, megabits));
  expect((await floods()).map((each) => each.kind)).toEqual(kind === undefined ? [] : [kind]);
});

it('a flood begins at once, lasts through ups and downs, and is over when it has been calm for a while', async () => {
  await tell(0, traffic({ tcp: 50 }), traffic({ tcp: 20 }, 1, '2001:db8::10'));
  expect(await floods()).toEqual([]);
  await tell(5, traffic({ tcp: 100, syn: 5000 }, 10));
  await tell(10, traffic({ syn: 8000, udp: 20 }, 12));
  await tell(15, traffic({ syn: 600 }, 2));
  const [now] = await floods();
  expect(now).toMatchObject({
    address,
    kind: 'syn',
    state: 'open',
    node_name: there.name,
    started_at: at(5).toISOString(),
    seen_at: at(15).toISOString(),
    ended_at: null,
    packets: 600,
    bits: 2e6,
    peak_packets: 8020,
    peak_bits: 12e6,
    peak_mix: { ...none, syn: 8000, udp: 20 },
  });
  // Less than half is calm; so is an address that is not among those with the most packets.
  await tell(20, traffic({ syn: 400 }));
  await tell(130, traffic({ syn: 4 }, 1, '2001:db8::10'));
  expect(await floods()).toMatchObject([{ id: now!.id, state: 'open', seen_at: at(15).toISOString() }]);
  // Between two floods of one attack.
  await tell(135, traffic({ syn: 700 }));
  await tell(140, traffic({ syn: 4 }));
  await tell(255, traffic({ syn: 4 }));
  expect(await floods()).toMatchObject([{ state: 'open', seen_at: at(135).toISOString() }]);
  await tell(260, traffic({ syn: 4 }));
  expect(await floods()).toMatchObject([{ state: 'over', ended_at: at(260).toISOString(), packets: 700 }]);
  await tell(265, traffic({ syn: 2000 }));
  expect((await floods()).map(({ state }) => state)).toEqual(['open', 'over']);
  expect(await eventsOf()).toEqual([
    ['flood_started', { address, kind: 'syn', packets: '5100', bits: '10000000' }],
    ['flood_ended', { address, kind: 'syn', minutes: '2', peak_packets: '8020' }],
    ['flood_started', { address, kind: 'syn', packets: '2000', bits: '1000000' }],
  ]);
});

it('each address is by itself, and of reports that come at once one begins it', async () => {
  const told = [traffic({ udp: 5000 }), traffic({ icmp: 5000 }, 1, '2001:db8::10')];
  await Promise.all([1, 2, 3, 4].map(() => tell(0, ...told)));
  expect((await floods()).map((each) => `${each.address} ${each.kind}`).toSorted()).toEqual([
    `${address} udp`,
    '2001:db8::10 icmp',
  ]);
  expect(await eventsOf()).toHaveLength(2);
  const { minutes } = await world.admin.get('getFloodTraffic', { params: { id: (await floods())[0]!.id } });
  expect(minutes).toHaveLength(1);
  const [row] = await db().select().from(addressMinute).where(eq(addressMinute.nodeId, there.id));
  expect(row).toMatchObject({ samples: 4 });
});

it('a silent node leaves it open, however long, and so does one that does not count; it has to be calm for a while', async () => {
  await tell(0, traffic({ syn: 5000 }));
  await db()
    .update(node)
    .set({ statusTime: at(5) })
    .where(eq(node.id, there.id));
  expect(await floods()).toMatchObject([{ state: 'open', silent_since: at(5).toISOString() }]);
  await db().update(node).set({ statusTime: new Date() }).where(eq(node.id, there.id));
  await recordTraffic(db(), there, undefined, at(600));
  expect(await floods()).toMatchObject([{ state: 'open', silent_since: null }]);
  await tell(605, traffic({ syn: 1 }));
  await tell(610, traffic({ syn: 5000 }));
  expect(await floods()).toMatchObject([{ state: 'open', seen_at: at(610).toISOString() }]);
});

it('an address is one however it is spelled, and a node that tells nonsense fills no table', async () => {
  const spellings = ['2001:db8::10', '2001:0DB8:0:0::10'];
  await tell(0, ...spellings.map((to) => traffic({ syn: 5000 }, 1, to)));
  await tell(5, traffic({ syn: 5000 }, 1, spellings[1]));
  expect((await floods()).map((each) => each.address)).toEqual(['2001:db8::10']);
  for (let hour = 1; hour <= 4; hour += 1)
    await tell(
      hour,
      ...Array.from({ length: 32 }, (_, index) => traffic({ syn: 5000 }, 1, `198.51.${hour}.${index}`)),
    );
  expect(await db().$count(flood)).toBe(64);
});

it('reports at once, in whatever order they tell of addresses, wait for each other only', async () => {
  const told = Array.from({ length: 30 }, (_, index) => traffic({ tcp: index }, 1, `192.0.2.${index + 100}`));
  await Promise.all([1, 2, 3, 4, 5, 6].map((turn) => tell(0, ...(turn % 2 ? told : told.toReversed()))));
  const rows = await db().select().from(addressMinute).where(eq(addressMinute.nodeId, there.id));
  expect(rows.map(({ samples }) => samples)).toEqual(told.map(() => 6));
});

it('nothing is counted or kept while it is switched off', async () => {
  await tell(0, traffic({ syn: 5000 }));
  await saveSetting(world, 'FloodSetting', { enabled: false, ...setting });
  expect(await tell(60, traffic({ syn: 5000 }))).toBe(false);
  expect(await floods()).toMatchObject([{ state: 'over' }]);
  expect(await db().$count(addressMinute, eq(addressMinute.nodeId, there.id))).toBe(1);
});

it('figures by the minute are means of a second, of the address, around the flood', async () => {
  await tell(-7200, traffic({ tcp: 1 }));
  await tell(-1200, traffic({ tcp: 100 }, 2));
  await tell(-1195, traffic({ tcp: 200 }, 4), traffic({ tcp: 7 }, 1, '2001:db8::10'));
  await tell(0, traffic({ syn: 5000 }, 8));
  const [{ id } = { id: 0 }] = await floods();
  const { minutes } = await world.admin.get('getFloodTraffic', { params: { id } });
  expect(minutes).toEqual([
    { time: at(-1200).toISOString(), bits: 3e6, packets: { ...none, tcp: 150 } },
    { time: at(0).toISOString(), bits: 8e6, packets: { ...none, syn: 5000 } },
  ]);
});

it('what came to the addresses of a node in the last hour is told, the most packets first', async () => {
  const now = Date.now();
  const tellNow = (minutesAgo: number, ...told: AddressTraffic[]) =>
    recordTraffic(db(), there, told, new Date(now - minutesAgo * 60_000));
  await tellNow(90, traffic({ tcp: 9000 }));
  await tellNow(5, traffic({ tcp: 900 }, 3));
  await tellNow(2, traffic({ tcp: 10 }, 1), traffic({ syn: 4000 }, 5, '2001:db8::10'));
  const { list } = await world.admin.get('getNodeAddresses', { params: { id: there.id } });
  const [{ id } = { id: 0 }] = await floods();
  expect(list).toEqual([
    { address: '2001:db8::10', packets: 4000, bits: 5e6, peak_packets: 4000, flood_id: id },
    { address, packets: 10, bits: 1e6, peak_packets: 900, flood_id: null },
  ]);
});

it('a signed report carries it, is told whether to count, and the state that is kept does not have it', async () => {
  const { app_id: appId, app_secret: appSecret, id } = await makeNode(world, { ip: '192.0.2.200' });
  const ending = new AbortController();
  const agent = new ControlPlane({ appId, appSecret, url: world.userUrl }, ending.signal);
  const state = makeNodeState({ packet_counts: 'off' });
  expect(await agent.report(state)).toMatchObject({ count_packets: true });
  await agent.report({ ...state, packet_counts: 'on', addresses: [traffic({ syn: 5000 })] });
  const found = await world.admin.get('listFloods', { query: { node_id: id } });
  expect(found.list).toMatchObject([{ address, kind: 'syn', state: 'open' }]);
  const [row] = await db().select().from(node).where(eq(node.id, id));
  expect(row!.state).toMatchObject({ packet_counts: 'on' });
  expect(row!.state).not.toHaveProperty('addresses');
  // An agent of before tells nothing of it.
  expect(await agent.report(makeNodeState())).toMatchObject({ count_packets: true });
  ending.abort();
});

it('old figures and floods go, and what nobody has told of for a day is over', async () => {
  await tell(0, traffic({ syn: 5000 }));
  await pruneFloods(db(), at(23 * 3600));
  expect(await floods()).toMatchObject([{ state: 'open' }]);
  await tell(24 * 3600, traffic({ syn: 5000 }));
  const of = eq(addressMinute.nodeId, there.id);
  await pruneFloods(db(), at(addressMinutesKeptHours * 3600 - 60));
  expect(await db().$count(addressMinute, of)).toBe(2);
  expect(await floods()).toMatchObject([{ state: 'open' }]);
  await pruneFloods(db(), at(addressMinutesKeptHours * 3600 + 120));
  expect(await db().$count(addressMinute, of)).toBe(1);
  expect(await floods()).toMatchObject([{ state: 'over' }]);
  await pruneFloods(db(), at(403 * 24 * 3600));
  expect([await db().$count(addressMinute, of), await db().$count(flood)]).toEqual([0, 0]);
  await tell(0, traffic({ syn: 5000 }));
  // The node is deleted, and all of it.
  await world.admin.get('removeNode', { params: { id: there.id } });
  expect(await db().$count(flood)).toBe(0);
});

it('nodes that do not count are told of, those with agents of before too, while they are to count', async () => {
  const states = ['on', 'off', 'no_nft', undefined] as const;
  const before = await world.admin.get('getFloodCoverage', {});
  for (const packet_counts of states) {
    const { id } = await makeNode(world, { ip: `198.51.100.${(count += 1)}` });
    const state = makeNodeState(packet_counts === undefined ? {} : { packet_counts });
    await db().update(node).set({ state }).where(eq(node.id, id));
  }
  const found = await world.admin.get('getFloodCoverage', {});
  expect([found.nodes - before.nodes, found.not_counting - before.not_counting]).toEqual([4, 2]);
  const told = (list: typeof found.list) => list.map(({ state }) => String(state));
  expect(told(found.list).filter((state) => state === 'no_nft')).toHaveLength(1);
  expect(told(found.list)).toContain('null');
  await saveSetting(world, 'FloodSetting', { enabled: false });
  expect(await world.admin.get('getFloodCoverage', {})).toMatchObject({ enabled: false, not_counting: 0 });
});

it('is for operators alone; filters find, and nonsense is refused at its field', async () => {
  await tell(0, traffic({ syn: 5000 }));
  const [{ id } = { id: 0 }] = await floods();
  const params = { id };
  for (const call of [
    (api: typeof world.admin) => api.call('listFloods', { query: {} }),
    (api: typeof world.admin) => api.call('getFlood', { params }),
    (api: typeof world.admin) => api.call('getFloodIsolation', { params }),
    (api: typeof world.admin) => api.call('getFloodTraffic', { params }),
    (api: typeof world.admin) => api.call('getNodeAddresses', { params: { id: there.id } }),
    (api: typeof world.admin) => api.call('getFloodSetting', {}),
    (api: typeof world.admin) => api.call('getFloodCoverage', {}),
  ]) {
    expect((await call(world.admin)).status).toBe(200);
    expect((await call(customer.api)).status).toBe(404);
    expect((await call(world.anonymous)).status).toBe(401);
  }
  for (const name of ['getFlood', 'getFloodIsolation', 'getFloodTraffic', 'getNodeAddresses'] as const)
    expect((await world.admin.call(name, { params: { id: 2_000_000_000 } })).status).toBe(404);
  const total = async (query: object) => (await world.admin.get('listFloods', { query })).total;
  expect(await total({ state: 'open', address: '2.0.2.1' })).toBe(1);
  expect(await total({ state: 'over' })).toBe(0);
  expect(await total({ address: '%' })).toBe(0);
  expect(await trySetting(world, 'FloodSetting', { ...setting, syn: 0 })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.syn' }],
  });
});
