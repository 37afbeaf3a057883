import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from '../../logs/test-lines.ts';

let world: World;
let one: Customer;
let other: Customer;
let own: { id: number; domain: string };
let foreign: typeof own;
const hourMs = 3_600_000;
const start = Math.floor(Date.now() / hourMs) * hourMs - 24 * hourMs;
const iso = (time: number) => new Date(time).toISOString();
const range = { start_time: iso(start), end_time: iso(start + 2 * hourMs) };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const node = await makeNode(world, { ip: '192.0.2.51' });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  const siteOf = async (customer: Customer) => {
    const { id } = await makeSite(customer.api);
    const { domains } = await customer.api.get('getSite', { params: { id } });
    return { id, domain: domains[0]! };
  };
  own = await siteOf(one);
  foreign = await siteOf(other);
  const attacks = (site_id: number, client_id: number, count: number, decision: string) =>
    Array.from({ length: count }, (_, index) =>
      makeLine({
        time: iso(start + index * 60_000),
        request_id: `${site_id}${index}`.padStart(32, '0'),
        site_id,
        client_id,
        remote_addr: '203.0.113.5',
        decision,
      }),
    );
  await world.server.services.logStore.ingest({
    nodeId: node.id,
    file: 'access.1',
    offset: 0,
    lines: toBytes([
      ...attacks(own.id, one.id, 6, 'used_system_rule php'),
      ...attacks(foreign.id, other.id, 9, 'matcher_rule 1'),
    ]),
  });
});
afterAll(() => world.close());

it('shows attacks over time by kind: all to operators, to a customer only their own', async () => {
  const query = { ...range, interval: 3600 as const };
  const all = await world.admin.get('readAttackTrend', { query });
  expect(all).toEqual({
    times: [iso(start), iso(start + hourMs)],
    requests: 15,
    kinds: [
      { kind: 'matcher_rule', requests: 9, counts: [9, 0] },
      { kind: 'used_system_rule code', requests: 6, counts: [6, 0] },
    ],
  });
  const mine = await one.api.get('readAttackTrend', { query });
  expect(mine).toMatchObject({ requests: 6, kinds: [{ kind: 'used_system_rule code' }] });
  const theirs = await one.api.get('readAttackTrend', { query: { ...query, site_id: foreign.id } });
  expect(theirs).toMatchObject({ requests: 0, kinds: [] });
});

it('shows campaigns with the names of the sites that one may see', async () => {
  const query = { ...range, by: 'address' as const };
  const { list } = await world.admin.get('readAttackCampaigns', { query });
  expect(list).toEqual([
    {
      source: '203.0.113.5',
      first_seen: iso(start),
      last_seen: iso(start + 8 * 60_000),
      requests: 15,
      addresses: 1,
      site_count: 2,
      sites: [
        { id: own.id, name: own.domain },
        { id: foreign.id, name: foreign.domain },
      ],
      kinds: ['matcher_rule', 'used_system_rule code'],
    },
  ]);
  const mine = await one.api.get('readAttackCampaigns', { query });
  expect(mine.list).toMatchObject([{ requests: 6, sites: [{ id: own.id, name: own.domain }] }]);
  const named = { ...query, client_id: other.id };
  expect((await one.api.get('readAttackCampaigns', { query: named })).list).toEqual([]);
});

it.each(['readAttackTrend', 'readAttackCampaigns'] as const)(
  '%s refuses who may not, and a bad range',
  async (name) => {
    const query = { ...range, ...(name === 'readAttackTrend' ? { interval: 60 as const } : {}) } as never;
    expect((await world.anonymous.call(name, { query })).status).toBe(401);
    expect((await world.anonymousUser.call(name, { query })).status).toBe(401);
    const reversed = {
      ...(query as object),
      start_time: range.end_time,
      end_time: range.start_time,
    } as never;
    expect(await one.api.call(name, { query: reversed })).toMatchObject({
      status: 400,
      errors: [{ path: 'end_time' }],
    });
    const wrong = { ...(query as object), outcome: 'everything' } as never;
    expect(await one.api.call(name, { query: wrong })).toMatchObject({
      status: 400,
      errors: [{ path: 'outcome' }],
    });
  },
);
