import { errors, filingSetting } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeMember,
  makeSite,
  readSetting,
  saveSetting,
  startVendorServer,
  startWorld,
  trySetting,
  unique,
  type Customer,
  type VendorServer,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { edgeDocument, event, filing } from '../../db/schema.ts';
import { runFilings } from './filing.service.ts';

let world: World;
let customer: Customer;
let other: Customer;
let strict: number;
const secret = 'a secret of at least sixteen';
/** What the operator's own address knows. */
const known = new Map<string, { number: string; holder: string }>();
let provider: VendorServer;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  provider = await startVendorServer(({ headers, body }) => {
    const signed = [headers['x-breakwater-timestamp'], headers['x-breakwater-nonce'], body].join('\n');
    const wanted = createHmac('sha256', secret).update(signed).digest('hex');
    if (headers['x-breakwater-signature'] !== wanted)
      return { status: 401, body: { error: { code: 'bad_signature' } } };
    const { action, name } = JSON.parse(body) as { action: string; name: string };
    return { body: { filing: action === 'find_filing' ? (known.get(name) ?? null) : null } };
  });
  strict = (
    await world.admin.get('createLineGroup', { body: { name: unique('strict'), filing_required: true } })
  ).id;
});
beforeEach(() => saveSetting(world, 'FilingSetting', filingSetting.parse({})));
afterAll(async () => {
  await provider.close();
  await world.close();
});

const db = () => world.server.services.db;
const run = () => runFilings(world.server.services);
const newName = () => `${unique('filed')}.com`;
const number = '京ICP备12345678号-1';
const file = async (name: string, of = number, api = customer.api) =>
  (await api.get('createFiling', { body: { name, number: of } })).id;
const read = (id: number, api = world.admin) => api.get('getFiling', { params: { id } });
const decide = async (id: number, state: 'confirmed' | 'rejected', more = {}) =>
  world.admin.get('decideFiling', {
    params: { id },
    body: { version: (await read(id)).version, state, ...more },
  });
const siteOf = async (domains: string[], api = customer.api) =>
  (await api.get('createSite', { body: { domains, origin: '192.0.2.1' } })).id;
/** As nodes are told. */
const unfiledOnNodes = async (siteId: number) => {
  const where = and(
    eq(edgeDocument.kind, 'site'),
    eq(edgeDocument.key, String(siteId)),
    eq(edgeDocument.deleted, false),
  );
  const [row] = await db().select().from(edgeDocument).where(where);
  const body = JSON.parse(row!.body) as { unfiled_domains?: string[]; needs?: string[] };
  expect(body.needs?.includes('section.unfiled_domains') ?? false).toBe(body.unfiled_domains !== undefined);
  return body.unfiled_domains ?? [];
};
/** A customer whose order is in a line group that asks for numbers. */
async function strictCustomer(): Promise<Customer> {
  const made = await makeCustomer(world);
  await world.admin.get('changeOrderLineGroup', {
    params: { id: made.orderId },
    body: { line_group_id: strict },
  });
  return made;
}
const ask = () =>
  saveSetting(
    world,
    'FilingSetting',
    filingSetting.parse({ provider: 'custom_http', url: provider.url, secret }),
  );

describe('a filing number', () => {
  it('is of a registrable domain: of none below it, and of no suffix', async () => {
    const create = (name: string) => customer.api.call('createFiling', { body: { name, number } });
    for (const name of ['www.example.com', 'com.cn', 'co.uk', 'a b.com', '*.example.com'])
      expect([name, await create(name)]).toMatchObject([name, { status: 400, errors: [{ path: 'name' }] }]);
    expect(await create('www.example.com')).toMatchObject({
      errors: [{ message: expect.stringContaining(': example.com') }],
    });
    const id = await file(`${unique('X')}.CN`);
    expect((await read(id)).name).toMatch(/^x-[0-9a-f]+\.cn$/);
  });

  it('is pending until an operator confirms it, and again once it is changed', async () => {
    const name = newName();
    const id = await file(name);
    expect(await read(id)).toMatchObject({
      state: 'pending',
      number,
      client_id: customer.id,
      decided_by: '',
    });
    await decide(id, 'confirmed', { holder: 'Example Ltd.' });
    expect(await read(id)).toMatchObject({
      state: 'confirmed',
      holder: 'Example Ltd.',
      decided_by: expect.stringMatching(/./),
    });
    expect(await read(id, customer.api)).toMatchObject({ state: 'confirmed', decided_by: '' });
    const { version } = await read(id);
    const change = { name, number: '沪ICP备87654321号' };
    await customer.api.get('updateFiling', { params: { id }, body: { version, ...change } });
    expect(await read(id)).toMatchObject({
      ...change,
      state: 'pending',
      holder: '',
      decided_by: '',
      decided_at: null,
    });
    // What was looked at is not there any more.
    const body = { version, state: 'confirmed' as const };
    expect(await world.admin.call('decideFiling', { params: { id }, body })).toMatchObject({ status: 409 });
    await decide(id, 'rejected', { note: 'of somebody else' });
    expect(await read(id, customer.api)).toMatchObject({
      state: 'rejected',
      reason: 'operator',
      note: 'of somebody else',
    });
    const told = await db()
      .select()
      .from(event)
      .where(and(eq(event.subjectKind, 'filing'), eq(event.subjectId, id)));
    expect(told.map(({ kind }) => kind)).toEqual(['created', 'filing_decided', 'updated', 'filing_decided']);
  });
});

describe('a line group that asks for numbers', () => {
  it('serves no domain without a confirmed one, from the first document on', async () => {
    const { api } = await strictCustomer();
    const [good, bad] = [newName(), newName()];
    const id = await siteOf([`www.${good}`, `*.${good}`, bad], api);
    expect(await unfiledOnNodes(id)).toEqual([`www.${good}`, `*.${good}`, bad]);
    const filed = await file(good, number, api);
    await run();
    expect(await unfiledOnNodes(id)).toHaveLength(3);
    await decide(filed, 'confirmed');
    expect(await run()).toMatchObject({ published: 1 });
    expect(await unfiledOnNodes(id)).toEqual([bad]);
    expect(await run()).toMatchObject({ published: 0 });
    await decide(filed, 'rejected');
    await run();
    expect(await unfiledOnNodes(id)).toHaveLength(3);
    const told = await db()
      .select()
      .from(event)
      .where(and(eq(event.kind, 'filing_lacking'), eq(event.subjectId, id)));
    expect(told).toHaveLength(2);
  });

  it('takes nobody else’s number, nor one of a name beside', async () => {
    const { api } = await strictCustomer();
    const name = newName();
    await decide(await file(name, number, other.api), 'confirmed');
    await decide(await file(`not${name}`, number, api), 'confirmed');
    const id = await siteOf([name], api);
    expect(await unfiledOnNodes(id)).toEqual([name]);
  });

  it('is told of once it is switched on, and off', async () => {
    const group = await world.admin.get('createLineGroup', { body: { name: unique('switch') } });
    const made = await makeCustomer(world);
    await world.admin.get('changeOrderLineGroup', {
      params: { id: made.orderId },
      body: { line_group_id: group.id },
    });
    const name = newName();
    const id = await siteOf([name], made.api);
    expect(await unfiledOnNodes(id)).toEqual([]);
    const set = async (filing_required: boolean) => {
      const { version, name: called } = await world.admin.get('getLineGroup', { params: group });
      const body = { version, name: called, filing_required };
      await world.admin.get('updateLineGroup', { params: group, body });
      await run();
    };
    const unfiled = (query = {}) =>
      world.admin.get('listUnfiledDomains', { query: { line_group_id: group.id, ...query } });
    // Before it is switched on, one can see whom it would hit.
    expect((await unfiled()).list).toMatchObject([
      { domain: name, zone: name, state: 'missing', required: false },
    ]);
    expect((await unfiled({ required: 'yes' })).total).toBe(0);
    await set(true);
    expect(await unfiledOnNodes(id)).toEqual([name]);
    expect((await unfiled({ required: 'yes' })).total).toBe(1);
    await set(false);
    expect(await unfiledOnNodes(id)).toEqual([]);
  });

  it('is moved to by name of what it will not serve', async () => {
    const made = await makeCustomer(world);
    const [good, bad] = [newName(), newName()];
    await siteOf([good, bad], made.api);
    await decide(await file(good, number, made.api), 'confirmed');
    const moved = await world.admin.get('changeOrderLineGroup', {
      params: { id: made.orderId },
      body: { line_group_id: strict },
    });
    expect(moved).toMatchObject({ sites: 1, unfiled_domains: [bad] });
  });

  it('is of its customer’s business, by what is there and what is missing', async () => {
    const { api } = await strictCustomer();
    const [pending, missing] = [newName(), newName()];
    const site_id = await siteOf([pending, missing, `a.${missing}`], api);
    await file(pending, number, api);
    const { list } = await api.get('listUnfiledDomains', { query: { site_id, required: 'yes' } });
    expect(list.map(({ domain, zone, state, site_name: site }) => [domain, zone, state, site])).toEqual(
      expect.arrayContaining([
        [pending, pending, 'pending', pending],
        [missing, missing, 'missing', pending],
        [`a.${missing}`, missing, 'missing', pending],
      ]),
    );
    expect(list).toHaveLength(3);
    expect((await other.api.get('listUnfiledDomains', { query: { site_id } })).total).toBe(0);
    const counted = await api.get('listFilings', { query: { name: pending } });
    expect(counted.list).toMatchObject([{ domain_count: 1 }]);
  });
});

describe('a provider', () => {
  it('confirms what is the same, and rejects what is another’s or nowhere, with what it knows', async () => {
    await ask();
    const [same, holder, differs, nowhere] = [newName(), newName(), newName(), newName()];
    known.set(same, { number: '京ICP备12345678号－1', holder: 'Example Ltd.' });
    known.set(holder, { number: '京ICP备12345678号-7', holder: 'Example Ltd.' });
    known.set(differs, { number: '京ICP备12345678号-2', holder: 'Another' });
    const ids = await Promise.all([
      file(same),
      file(holder, '京ICP备12345678号'),
      file(differs),
      file(nowhere),
    ]);
    await run();
    const rows = await Promise.all(ids.map((id) => read(id)));
    expect(rows).toMatchObject([
      { state: 'confirmed', reason: 'none', holder: 'Example Ltd.' },
      { state: 'confirmed', reason: 'none' },
      { state: 'rejected', reason: 'number_differs', found_number: '京ICP备12345678号-2', holder: '' },
      { state: 'rejected', reason: 'not_found', found_number: '' },
    ]);
    // Nothing is due for a while.
    const before = provider.requests.length;
    await run();
    expect(provider.requests.length).toBe(before);
  });

  const makeDue = (id: number) =>
    db()
      .update(filing)
      .set({ nextCheckAt: new Date(Date.now() - 1000) })
      .where(eq(filing.id, id));

  it('is asked again: what is gone is rejected, and away it changes nothing', async () => {
    await ask();
    const name = newName();
    known.set(name, { number, holder: '' });
    const id = await file(name);
    await run();
    await makeDue(id);
    provider.next.push({ status: 503, body: { error: { code: 'forbidden' } } });
    await run();
    expect(await read(id)).toMatchObject({ state: 'confirmed', last_error: expect.stringMatching(/./) });
    expect((await read(id, customer.api)).last_error).toBe('');
    await makeDue(id);
    provider.next.push({ body: { filing: { number: 7 } } });
    await run();
    expect(await read(id)).toMatchObject({ state: 'confirmed' });
    known.delete(name);
    await makeDue(id);
    await run();
    expect(await read(id)).toMatchObject({ state: 'rejected', reason: 'not_found', last_error: '' });
  });

  it('does not overrule an operator, nor lets a customer do so', async () => {
    await ask();
    const name = newName();
    known.set(name, { number, holder: '' });
    const id = await file(name);
    await decide(id, 'rejected');
    await run();
    const params = { id };
    expect(await customer.api.get('checkFiling', { params })).toMatchObject({ state: 'rejected' });
    expect(await world.admin.get('checkFiling', { params })).toEqual({ state: 'confirmed', message: '' });
  });

  it('says nothing of a number that was changed while it was asked', async () => {
    await ask();
    const name = newName();
    known.set(name, { number, holder: '' });
    const id = await file(name);
    const [row] = await db().select().from(filing).where(eq(filing.id, id));
    const change = { version: row!.version, name, number: '沪ICP备87654321号' };
    const [answer] = await Promise.all([
      customer.api.call('checkFiling', { params: { id } }),
      customer.api.call('updateFiling', { params: { id }, body: change }),
    ]);
    expect(answer.status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ state: 'rejected', reason: 'number_differs' });
  });

  it('is asked with what signs, which is not read back and not kept for another address', async () => {
    await ask();
    const value = await readSetting(world, 'FilingSetting');
    expect(value).toMatchObject({ secret_set: true });
    expect(JSON.stringify(value)).not.toContain(secret);
    const save = (more: object) =>
      trySetting(
        world,
        'FilingSetting',
        filingSetting.parse({ provider: 'custom_http', url: provider.url, ...more }),
      );
    expect(await save({ recheck_days: 7 })).toMatchObject({ status: 200 });
    expect(await save({ url: 'https://elsewhere.example.com/' })).toMatchObject({
      status: 400,
      errors: [{ path: 'value.secret' }],
    });
    expect(await save({ secret_set: false })).toMatchObject({
      status: 400,
      errors: [{ path: 'value.secret' }],
    });
    const nowhere = { provider: 'custom_http', url: '' };
    expect(await trySetting(world, 'FilingSetting', nowhere)).toMatchObject({
      status: 400,
      errors: [{ path: 'value.url' }],
    });
  });
});

it('are nobody else’s business', async () => {
  const id = await file(newName());
  const params = { id };
  const calls = [
    ['listFilings', { query: {} }],
    ['getFiling', { params }],
    ['createFiling', { body: { name: newName(), number } }],
    ['updateFiling', { params, body: { version: 1, name: newName(), number } }],
    ['removeFiling', { params }],
    ['checkFiling', { params }],
    ['decideFiling', { params, body: { version: 1, state: 'confirmed' } }],
    ['getFilingSetting', {}],
    ['updateFilingSetting', { body: { version: 0, value: {} } }],
  ] as const;
  const reader = await makeAdministrator(world, ['site.read']);
  for (const [name, input] of calls) {
    expect([name, (await world.anonymous.call(name, input as never)).status]).toEqual([name, 401]);
    expect([name, (await reader.api.call(name, input as never)).status]).toEqual([name, 403]);
    if ('params' in input)
      expect([name, (await other.api.call(name, input as never)).status]).toEqual([
        name,
        errors.not_found.status,
      ]);
  }
  expect((await other.api.get('listFilings', { query: {} })).list.map((row) => row.id)).not.toContain(id);
  expect(
    await customer.api.call('decideFiling', { params, body: { version: 1, state: 'confirmed' } }),
  ).toMatchObject({ status: 404 });
  // Of a customer as a whole: not for members who have certain sites.
  const site = await makeSite(customer.api);
  const member = await makeMember(world, customer.api, ['site.read'], [site.id]);
  expect((await member.api.call('listFilings', { query: {} })).status).toBe(403);
  expect((await member.api.call('listUnfiledDomains', { query: {} })).status).toBe(200);
});
