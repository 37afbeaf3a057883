import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
let customer: Customer;
let other: Customer;
let site: { id: number };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
  site = await makeSite(customer.api);
});
afterAll(() => world.close());

const params = () => ({ id: site.id });

async function save(change: object) {
  const { version, value } = await customer.api.get('getUsedSystemRule', { params: params() });
  return customer.api.call('updateUsedSystemRule', {
    params: params(),
    body: { version, value: { ...value, ...change } },
  });
}

async function published(kind: 'site' | 'level', key: string) {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, key)));
  return JSON.parse(row!.body) as Record<string, unknown>;
}

it('is for its owner alone', async () => {
  const read = { params: params() };
  expect(await world.anonymous.call('getUsedSystemRule', read)).toMatchObject({ status: 401 });
  expect(await other.api.call('getUsedSystemRule', read)).toMatchObject({ status: 404 });
  const { version, value } = await customer.api.get('getUsedSystemRule', read);
  const write = { ...read, body: { version, value } };
  expect(await world.anonymous.call('updateUsedSystemRule', write)).toMatchObject({ status: 401 });
  expect(await other.api.call('updateUsedSystemRule', write)).toMatchObject({ status: 404 });
});

it('is off and not there for nodes until it is set, then with what they need and no words', async () => {
  const { value } = await customer.api.get('getUsedSystemRule', { params: params() });
  expect(value).toEqual({
    mode: 'off',
    body_bytes: 65_536,
    large_bodies: 'pass',
    exceptions: [],
    fields: [],
  });
  expect(await published('site', String(site.id))).not.toHaveProperty('used_system_rule');
  const exception = { path: '/editor/*', detector: 'html' as const, note: 'our editor' };
  const saved = await save({
    mode: 'default',
    sql: 'observe',
    exceptions: [exception, { parameter: 'q', until: '2030-01-01T00:00:00.000Z', note: '' }],
  });
  expect(saved).toMatchObject({ status: 200 });
  expect(await published('site', String(site.id))).toMatchObject({
    used_system_rule: {
      mode: 'default',
      sql: 'observe',
      exceptions: [
        { path: '/editor/*', detector: 'html' },
        { parameter: 'q', until: 1_893_456_000 },
      ],
    },
    needs: expect.arrayContaining(['section.used_system_rule']),
  });
  const document = await published('site', String(site.id));
  expect(JSON.stringify(document)).not.toContain('our editor');
});

it('asks nodes for leaks in answers where the group is set by itself, and refuses kinds of modes that are none', async () => {
  const before = await published('site', String(site.id));
  expect(before['needs']).not.toContain('detect.leak');
  expect(
    await save({ leak: 'default', exceptions: [{ parameter: 'stack_trace', detector: 'leak' }] }),
  ).toMatchObject({
    status: 200,
  });
  expect(await published('site', String(site.id))).toMatchObject({
    used_system_rule: { leak: 'default', exceptions: [{ parameter: 'stack_trace', detector: 'leak' }] },
    needs: expect.arrayContaining(['detect.leak']),
  });
  expect(await save({ leak: 'off' })).toMatchObject({ status: 200 });
  expect((await published('site', String(site.id)))['needs']).not.toContain('detect.leak');
});

it('is inherited field by field', async () => {
  const query = { level: 'client', target_id: customer.id, section: 'used_system_rule' } as const;
  const level = await world.admin.get('getSiteLevelSection', { query });
  const set = await world.admin.call('updateSiteLevelSection', {
    query,
    body: { version: level.version, value: { ...level.value, mode: 'strict', xss: 'off' } },
  });
  expect(set).toMatchObject({ status: 200 });
  const own = await customer.api.get('getUsedSystemRule', { params: params() });
  expect(own.value).toMatchObject({ mode: 'default', sql: 'observe', xss: 'off' });
  const next = await makeSite(customer.api);
  const { value } = await customer.api.get('getUsedSystemRule', { params: { id: next.id } });
  expect(value).toMatchObject({ mode: 'strict', xss: 'off' });
});

it.each([
  ['exceptions.0.path', { exceptions: [{ path: 'editor' }] }],
  ['exceptions.0.path', { exceptions: [{ path: '/a?b' }] }],
  ['exceptions.0.path', { exceptions: [{ note: 'all' }] }],
  ['exceptions.0.detector', { exceptions: [{ detector: 'all' }] }],
  ['body_bytes', { body_bytes: 200_000 }],
  ['sql', { sql: 'on' }],
  ['leak', { leak: 'block' }],
  ['fields.0.parameter', { fields: [{ parameter: '', type: 'code' }] }],
])('says at %s what is wrong', async (field, change) => {
  const answer = await save(change);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer)).toContain(`value.${field}`);
});
