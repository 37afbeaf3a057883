import { banDocument, errors, type BanDocument } from '@breakwater/contract';
import {
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  trySetting,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { compactBans, keepBanSetting, reportBans } from './site-reject.service.ts';

let world: World;
let one: Customer;
let other: Customer;
let own: { id: number; domain: string };
let foreign: { id: number };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  own = await makeSite(one.api);
  foreign = await makeSite(other.api);
});
afterAll(() => world.close());

const run = async (query: ReturnType<typeof sql>) => (await world.server.services.db.execute(query)).rows;
const list = async (api: Customer['api'], query: object = {}) =>
  (await api.get('listSiteRejects', { query })).list;
const ban = (api: Customer['api'], body: object) =>
  api.call('createSiteRejects', { body: { seconds: 600, reason: 'floods', ...body } as never });
/** What nodes of every line group are told now, by address. */
async function told(): Promise<BanDocument['bans']> {
  const rows = await run(
    sql`SELECT body, count(*) OVER (PARTITION BY key)::int AS groups, (SELECT count(*)::int FROM line_group) AS of
        FROM edge_document WHERE kind = 'ban' AND NOT deleted`,
  );
  for (const { groups, of } of rows) expect(groups).toBe(of);
  const bans = rows.flatMap(({ body }) => banDocument.parse(JSON.parse(String(body))).bans);
  return [...new Map(bans.map((each) => [each.id, each])).values()];
}

it('are made by hand, each customer for their own, and nodes are told at once', async () => {
  const made = await ban(one.api, { site_id: own.id, remote_addrs: ['20.0.0.1', '20.0.1.99/24'] });
  expect(made).toMatchObject({ status: 200, data: { ids: [expect.any(Number), expect.any(Number)] } });
  expect(await list(one.api)).toMatchObject([
    { remote_addr: '20.0.1.0/24', scope: 'site', site_id: own.id, site_name: own.domain, reason: 'floods' },
    { remote_addr: '20.0.0.1', state: 'standing', decision: '', delivery: { status: 'pending' } },
  ]);
  expect(await told()).toMatchObject([
    { address: '20.0.0.1', site_id: own.id },
    { address: '20.0.1.0/24', site_id: own.id },
  ]);
  expect((await ban(one.api, { scope: 'client', remote_addrs: ['2001:470::1/64'] })).status).toBe(200);
  expect(await list(one.api, { remote_addr: '2001:470::9' })).toMatchObject([
    { remote_addr: '2001:470::/64', scope: 'client', site_id: null, client_id: one.id },
  ]);
  expect(await list(one.api, { remote_addr: '20.0.1.7' })).toHaveLength(1);
  expect(await list(other.api)).toEqual([]);
  // Again is no second one: it is prolonged.
  const again = await ban(one.api, { site_id: own.id, remote_addrs: ['20.0.0.1'], seconds: 7200 });
  expect(again.data!.ids).toEqual([made.data!.ids[0]]);
  const [{ until } = { until: 0 }] = (await told()).filter(({ address }) => address === '20.0.0.1');
  expect(until).toBeGreaterThan(Date.now() / 1000 + 7000);
});

it('by two keep what each of them wrote, also of one that would end sooner', async () => {
  const address = { site_id: own.id, remote_addrs: ['20.0.7.1'] };
  const reasons = ['Scans for admin pages', 'Guesses passwords', 'Guesses passwords'];
  const made = await Promise.all(
    reasons.map((reason, index) => ban(one.api, { ...address, seconds: 3600 - 60 * index, reason })),
  );
  expect(new Set(made.map(({ data }) => data!.ids[0])).size).toBe(1);
  const standing = await one.api.get('listSiteRejects', { query: { remote_addr: '20.0.7.1' } });
  expect(standing.list.map(({ reason }) => reason.split('\n').toSorted())).toEqual([
    ['Guesses passwords', 'Scans for admin pages'],
  ]);
});

it('are for nobody who is never banned, and for no site of others', async () => {
  await makeNode(world, { ip: '20.9.0.1' });
  await saveSetting(world, 'WafSetting', { never_addresses: ['20.9.1.0/24'] });
  const refused = async (body: object, path: string, api = one.api) => {
    const answer = await ban(api, { site_id: own.id, remote_addrs: ['20.1.0.1'], ...body });
    expect(answer).toMatchObject({ errors: [{ path }] });
    return answer.errors![0]!.message;
  };
  expect(await refused({ remote_addrs: ['20.9.0.1'] }, 'remote_addrs.0')).toContain('never blocked');
  await refused({ remote_addrs: ['20.2.0.1', '20.9.1.0/24'] }, 'remote_addrs.1');
  expect(await refused({ remote_addrs: ['10.0.0.1'] }, 'remote_addrs.0')).toContain('public');
  expect(await refused({ remote_addrs: ['127.0.0.0/24'] }, 'remote_addrs.0')).toContain('you are using');
  await refused({ remote_addrs: ['20.0.0.0/23'] }, 'remote_addrs.0');
  await refused({ remote_addrs: ['20.0.0.300'] }, 'remote_addrs.0');
  await refused({ site_id: foreign.id }, 'site_id');
  await refused({ site_id: undefined }, 'site_id');
  await refused({ scope: 'site', kernel: true }, 'kernel');
  await refused({ seconds: 5 }, 'seconds');
  expect(await refused({ scope: 'client', client_id: other.id }, 'client_id')).toBeTruthy();
  const platform = { scope: 'platform', remote_addrs: ['20.1.0.1'] };
  expect((await ban(one.api, platform)).status).toBe(403);
  expect((await ban(world.anonymous, platform)).status).toBe(401);
  // One that holds such an address is no such address: nodes let it in.
  expect((await ban(world.admin, { ...platform, remote_addrs: ['20.9.0.0/16'] })).status).toBe(200);
  const [{ body } = { body: '{}' }] = await run(
    sql`SELECT body FROM edge_document WHERE kind = 'ban_setting' LIMIT 1`,
  );
  const { never } = JSON.parse(String(body)) as { never: { v4: string }[] };
  expect(Buffer.from(never[0]!.v4, 'base64').toString('hex')).toMatch(/^140900011409000114090100140901ff/);
  await world.admin.get('createNodeIp', { body: { node_id: 1, ip: '20.9.0.3', enabled: true } });
  await keepBanSetting(world.server.services.db);
  const [{ length } = { length: 0 }] = await run(
    sql`SELECT length(body)::int AS length FROM edge_document WHERE kind = 'ban_setting' LIMIT 1`,
  );
  expect(Number(length)).toBeGreaterThan(String(body).length);
  expect(await trySetting(world, 'WafSetting', { never_list_ids: [4711] })).toMatchObject({
    errors: [{ path: 'value.never_list_ids.0' }],
  });
});

it('come from rules at nodes once, longer for who comes again, and only about what the node serves', async () => {
  const { db } = world.server.services;
  let request = 0;
  let ageSeconds = 0;
  const report = (nodeId: number, ...addresses: string[]) =>
    reportBans(
      db,
      nodeId,
      addresses.map((address) => ({
        age_seconds: ageSeconds,
        scope: 'site' as const,
        site_id: own.id,
        client_id: one.id,
        address,
        seconds: 100,
        decision: 'cc_guardian_rule 1',
        request_id: `request ${request}`,
        kernel: false,
      })),
    );
  expect(await report(1, '20.3.0.1', '20.9.1.5', '10.1.1.1')).toBe(1);
  expect(await report(1, '20.3.0.1')).toBe(1);
  expect(await report(4711, '20.3.0.2')).toBe(0);
  const [first, ...more] = await list(one.api, { decision: 'cc_guardian_rule' });
  expect(more).toEqual([]);
  expect(first).toMatchObject({ remote_addr: '20.3.0.1', request_id: 'request 0', created_by: null });
  const lasting = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000);
  expect(lasting(first!)).toBe(100);
  const end = () => run(sql`UPDATE site_reject SET expires_at = now() WHERE remote_addr = '20.3.0.1'`);
  for (const seconds of [200, 400]) {
    await end();
    request += 1;
    await report(1, '20.3.0.1');
    const [now] = await list(one.api, { remote_addr: '20.3.0.1', state: 'standing' });
    expect(lasting(now!)).toBe(seconds);
  }
  // Told again after it was released, by an agent that had died in between: it is none anew.
  await report(1, '20.3.0.4');
  const [released] = await list(one.api, { remote_addr: '20.3.0.4' });
  await one.api.get('releaseSiteRejects', { body: { ids: [released!.id] } });
  await report(1, '20.3.0.4');
  expect(await list(one.api, { remote_addr: '20.3.0.4' })).toMatchObject([{ state: 'released' }]);
  // Told late: what is left of it, and nothing of what is over.
  ageSeconds = 60;
  await report(1, '20.3.0.5');
  expect(lasting((await list(one.api, { remote_addr: '20.3.0.5' }))[0]!)).toBe(40);
  ageSeconds = 3600;
  await report(1, '20.3.0.6');
  expect(await list(one.api, { remote_addr: '20.3.0.6' })).toEqual([]);
  ageSeconds = 0;
  await saveSetting(world, 'WafSetting', { client_bans_max: 0 });
  expect(await report(1, '20.3.0.9')).toBe(0);
  expect(await ban(one.api, { site_id: own.id, remote_addrs: ['20.3.0.9'] })).toMatchObject({
    errors: [{ path: 'remote_addrs' }],
  });
  await saveSetting(world, 'WafSetting', {});
});

it('are all let in only while no more stand than were counted', async () => {
  const body = { site_id: own.id, expected_total: 1 };
  const before = await list(one.api, { state: 'standing' });
  expect(await one.api.call('releaseAllSiteRejects', { body })).toMatchObject({
    status: 409,
    code: errors.selection_changed.code,
    errors: [{ path: 'expected_total' }],
  });
  expect(await one.api.call('releaseAllSiteRejects', { body: { site_id: own.id } as never })).toMatchObject({
    status: 400,
    errors: [{ path: 'expected_total' }],
  });
  expect(await list(one.api, { state: 'standing' })).toEqual(before);
});

it("are released at nodes too, and never another customer's", async () => {
  await ban(other.api, { site_id: foreign.id, remote_addrs: ['20.0.0.1'] });
  const ids = (await list(world.admin, { remote_addr: '20.0.0.1' })).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const released = await one.api.get('releaseSiteRejects', { body: { ids } });
  expect(released).toMatchObject({ released: 1, task_id: expect.any(Number) });
  expect((await told()).filter(({ address }) => address === '20.0.0.1')).toMatchObject([
    { site_id: foreign.id },
  ]);
  expect(
    await one.api.get('releaseAllSiteRejects', { body: { site_id: foreign.id, expected_total: 1 } }),
  ).toMatchObject({
    released: 0,
  });
  expect(await list(other.api)).toMatchObject([{ state: 'standing' }]);
  const before = (await list(one.api, { state: 'released' })).length;
  const { length: expected_total } = await list(one.api, { state: 'standing' });
  const { released: rest } = await one.api.get('releaseAllSiteRejects', { body: { expected_total } });
  expect(rest).toBeGreaterThan(0);
  expect(await list(one.api, { state: 'released' })).toHaveLength(before + rest);
  expect((await told()).map(({ site_id, client_id }) => site_id ?? client_id ?? 0)).toEqual([0, foreign.id]);
  expect((await world.anonymous.call('releaseAllSiteRejects', { body: { expected_total: 0 } })).status).toBe(
    401,
  );
});

it('stand in few documents, whatever ends, and in those of a new line group', async () => {
  const { db } = world.server.services;
  await run(sql`INSERT INTO ban_segment (placed) SELECT 500 FROM generate_series(1, 4)`);
  const addresses = (from: number) =>
    Array.from({ length: 500 }, (_, index) => `20.${from}.1.${index % 250}`);
  for (const from of [20, 21, 22])
    await ban(world.admin, { scope: 'platform', remote_addrs: [...new Set(addresses(from))] });
  await world.admin.get('createLineGroup', { body: { name: 'new' } });
  const before = (await told()).length;
  expect(before).toBe(752);
  await run(sql`UPDATE site_reject SET expires_at = now() WHERE id % 5 <> 0`);
  await compactBans(db);
  await compactBans(db);
  const after = new Set((await told()).map(({ id }) => id));
  const standing = await run(
    sql`SELECT id FROM site_reject WHERE released_at IS NULL AND expires_at > now()`,
  );
  expect(standing.length).toBeGreaterThan(100);
  expect(standing.filter(({ id }) => !after.has(Number(id)))).toEqual([]);
  const [{ documents } = { documents: 0 }] = await run(
    sql`SELECT count(DISTINCT key)::int AS documents FROM edge_document WHERE kind = 'ban' AND NOT deleted`,
  );
  // The one that is being filled, and the one that the others were merged into.
  expect(documents).toBe(2);
});
