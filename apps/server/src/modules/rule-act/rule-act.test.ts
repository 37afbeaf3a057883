import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { errors, type RuleAct } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressList, edgeDocument, event, lineGroup, site as siteTable } from '../../db/schema.ts';
import { readLocalNode } from '../../seed.ts';
import { makeDueLists } from '../address-list/rule-entries.ts';

/** What nodes tell of rules that put visitors on lists, and that notify. */

let world: World;
let one: Customer;
let other: Customer;
let local: ControlPlane;
const ending = new AbortController();

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [one, other] = [await makeCustomer(world), await makeCustomer(world)];
  const { services } = world.server;
  const account = (await readLocalNode(services.database, services.secrets))!;
  local = new ControlPlane({ ...account, url: world.userUrl }, ending.signal);
});
afterAll(async () => {
  ending.abort();
  await world.close();
});

const db = () => world.server.services.db;
let count = 0;
const makeList = async (api = one.api, more = {}) =>
  (await api.get('createAddressList', { body: { name: `List ${++count}`, source: 'rules', ...more } })).id;
const rulesFor = (listId: number) => [
  { action: 'list' as const, list: { list_id: listId, seconds: 3600 }, note: 'traps' },
];
async function putRules(id: number, rules: object[], api = one.api) {
  const { version } = await api.get('getMatcherRule', { params: { id } });
  return api.call('updateMatcherRule', { params: { id }, body: { version, value: { rules } } as never });
}
async function siteWith(listId: number, customer = one) {
  const site = await makeSite(customer.api);
  expect(await putRules(site.id, rulesFor(listId), customer.api)).toMatchObject({ status: 200 });
  return site.id;
}
const now = () => Math.floor(Date.now() / 1000);
const act = (siteId: number, more: Partial<RuleAct> = {}): RuleAct => ({
  action: 'list',
  site_id: siteId,
  rule: '1',
  identity: 5,
  note: 'traps',
  address: '198.51.100.7',
  request_id: 'a'.repeat(32),
  seconds: 3600,
  at: now(),
  ...more,
});
const contentOf = async (id: number, api = one.api) =>
  (await api.get('getAddressList', { params: { id } })).content
    .split('\n')
    .map((line) => line.split(' #')[0]);
const made = async (id: number) => {
  await makeDueLists(world.server.services);
  return contentOf(id);
};

it('puts visitors on the list, each once, tells nodes, and takes them off when their time is over', async () => {
  const list = await makeList();
  const site = await siteWith(list);
  const told = [act(site, { list_id: list }), act(site, { list_id: list, address: '2001:db8::/64' })];
  await local.reportRuleActs(told);
  await local.reportRuleActs(told);
  expect(await made(list)).toEqual(['198.51.100.7', '2001:db8::/64']);
  const [document] = await db()
    .select({ body: edgeDocument.body })
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'address_list'), eq(edgeDocument.key, String(list))))
    .limit(1);
  expect(document!.body).toContain(`"list_id":${list}`);
  const { content, entry_count: entries } = await one.api.get('getAddressList', { params: { id: list } });
  expect(entries).toBe(2);
  expect(content).toContain(`matcher_rule 1 ${'a'.repeat(32)}`);
  await db().execute(
    sql`UPDATE address_list_entry SET expires_at = now() - interval '1 second' WHERE list_id = ${list} AND address = '198.51.100.7'`,
  );
  await db()
    .update(addressList)
    .set({ nextFetchAt: sql`now()` })
    .where(eq(addressList.id, list));
  expect(await made(list)).toEqual(['2001:db8::/64']);
});

it('keeps who comes again for longer, and nobody longer for a clock that is ahead', async () => {
  const list = await makeList();
  const site = await siteWith(list);
  const endOf = async () => {
    const { rows } = await db().execute<{ seconds: number }>(
      sql`SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM address_list_entry WHERE list_id = ${list}`,
    );
    return rows[0]!.seconds;
  };
  await local.reportRuleActs([act(site, { list_id: list, at: now() - 1800 })]);
  expect(Math.abs((await endOf()) - 1800)).toBeLessThan(60);
  await local.reportRuleActs([act(site, { list_id: list, at: now() + 50_000 })]);
  expect(Math.abs((await endOf()) - 3600)).toBeLessThan(60);
  await local.reportRuleActs([act(site, { list_id: list, at: now() - 1800 })]);
  expect(Math.abs((await endOf()) - 3600)).toBeLessThan(60);
  await local.reportRuleActs([act(site, { list_id: list, at: now() - 5000, address: '198.51.100.8' })]);
  expect(await made(list)).toEqual(['198.51.100.7']);
});

it('takes nothing for lists that the site does not use, of other customers, of another kind, or of other nodes', async () => {
  const list = await makeList();
  const site = await siteWith(list);
  const unused = await makeList();
  const theirs = await makeList(other.api);
  await siteWith(theirs, other);
  const plain = await makeList(one.api, { source: 'inline', content: '203.0.113.1' });
  for (const id of [unused, theirs, plain]) await local.reportRuleActs([act(site, { list_id: id })]);
  await makeDueLists(world.server.services);
  expect([await contentOf(unused), await contentOf(plain)]).toEqual([[''], ['203.0.113.1']]);
  expect(await contentOf(theirs, other.api)).toEqual(['']);
  const [elsewhere] = await db()
    .insert(lineGroup)
    .values({ name: `Elsewhere ${count}`, description: '' } as never)
    .returning({ id: lineGroup.id });
  await db().update(siteTable).set({ lineGroupId: elsewhere!.id }).where(eq(siteTable.id, site));
  await local.reportRuleActs([act(site, { list_id: list })]);
  expect(await made(list)).toEqual(['']);
});

it('lets rules name only lists of their owner that rules fill, and says it at the field', async () => {
  const site = await makeSite(one.api);
  const plain = await makeList(one.api, { source: 'inline', content: '203.0.113.1' });
  const theirs = await makeList(other.api);
  const answerOf = (id: number | undefined) =>
    putRules(site.id, [{ action: 'list', list: { list_id: id, seconds: 3600 } }]);
  const path = 'value.rules.0.list.list_id';
  expect(await answerOf(plain)).toMatchObject({
    status: 400,
    errors: [{ path, message: 'Choose an address list whose source is “Added by rules”' }],
  });
  expect(await answerOf(theirs)).toMatchObject({ status: 400, errors: [{ path }] });
  expect(await answerOf(undefined)).toMatchObject({ status: 400, errors: [{ path }] });
  const list = await makeList();
  expect(await answerOf(list)).toMatchObject({ status: 200 });
  expect(await one.api.call('removeAddressList', { params: { id: list } })).toMatchObject({ status: 409 });
  const { version, name, description } = await one.api.get('getAddressList', { params: { id: list } });
  const asInline = { version, name, description, source: 'inline' as const, content: '203.0.113.9' };
  const changed = await one.api.call('updateAddressList', { params: { id: list }, body: asInline });
  expect(changed).toMatchObject({ status: 409 });
});

it('keeps whom rules added when the list is renamed, and lets its owner take them off', async () => {
  const list = await makeList();
  const site = await siteWith(list);
  const [first, second] = [
    act(site, { list_id: list }),
    act(site, { list_id: list, address: '198.51.100.8' }),
  ];
  await local.reportRuleActs([first, second]);
  expect(await made(list)).toHaveLength(2);
  const { version, description } = await one.api.get('getAddressList', { params: { id: list } });
  await one.api.get('updateAddressList', {
    params: { id: list },
    body: { version, name: `Renamed ${list}`, description, source: 'rules' },
  });
  expect(await contentOf(list)).toHaveLength(2);
  const remove = (addresses: string[], api = one.api, expected_total = 1) =>
    api.call('removeAddressListEntries', { params: { id: list }, body: { addresses, expected_total } });
  // All of them: no more than were counted.
  expect(await remove([])).toMatchObject({
    status: 409,
    code: errors.selection_changed.code,
    errors: [{ path: 'expected_total', message: '1 when selected, 2 now' }],
  });
  expect(await one.api.call('removeAddressListEntries', { params: { id: list }, body: {} })).toMatchObject({
    status: 400,
    errors: [{ path: 'expected_total' }],
  });
  expect(await made(list)).toHaveLength(2);
  expect(await remove(['198.51.100.7'])).toMatchObject({ status: 200, data: { removed: 1 } });
  expect(await made(list)).toEqual(['198.51.100.8']);
  expect(await remove([], other.api)).toMatchObject({ status: 404 });
  expect(await remove([], world.anonymous)).toMatchObject({ status: 401 });
  expect(await remove([])).toMatchObject({ status: 200, data: { removed: 1 } });
  expect(await made(list)).toEqual(['']);
});

const noticesOf = async (siteId: number) =>
  (
    await db()
      .select({ data: event.data, clientId: event.clientId })
      .from(event)
      .where(and(eq(event.kind, 'rule_matched'), eq(event.subjectId, siteId)))
      .orderBy(asc(event.id))
  ).map(({ data, clientId }) => ({ ...(data as { facts: object }).facts, clientId }));

it('tells that a rule fitted once in its time, whichever node says so; of levels the platform alone', async () => {
  const site = (await makeSite(one.api)).id;
  const notice = (more: Partial<RuleAct> = {}) => act(site, { action: 'notify', ...more });
  await local.reportRuleActs([notice(), notice()]);
  await local.reportRuleActs([notice({ rule: '4' })]);
  expect(await noticesOf(site)).toEqual([
    {
      decision: 'matcher_rule 1',
      note: 'traps',
      address: '198.51.100.7',
      request_id: 'a'.repeat(32),
      clientId: one.id,
    },
  ]);
  await local.reportRuleActs([
    notice({ identity: 6 }),
    notice({ rule: 'global 1' }),
    notice({ rule: 'client 1' }),
  ]);
  expect((await noticesOf(site)).map(({ clientId }) => clientId)).toEqual(
    expect.arrayContaining([one.id, one.id, one.id, null]),
  );
  expect(await noticesOf(site)).toHaveLength(4);
  await db().execute(
    sql`UPDATE rule_notice SET told_at = now() - interval '2 hours' WHERE site_id = ${site}`,
  );
  await local.reportRuleActs([notice()]);
  expect(await noticesOf(site)).toHaveLength(5);
});
