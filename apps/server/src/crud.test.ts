import { errors, hideSecrets, routes, type EventSubject, type RouteSpec } from '@breakwater/contract';
import { makeCustomer, makeNode, startWorld, unique, type Answer, type World } from '@breakwater/test-world';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type * as z from 'zod';
import { event } from './db/schema.ts';

/** What `crud` does for every entity that it handles. Who may call what: `access.test.ts`, `test-fuzz/foreign.test.ts`. */

let world: World;
let lineGroupId: number;
let customerId: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customerId = (await makeCustomer(world)).id;
  lineGroupId = (await world.admin.get('listLineGroups', { query: {} })).list[0]!.id;
});
afterAll(() => world.close());

type Fields = Record<string, unknown>;
interface Entity {
  path: string;
  /** Of events. */
  subject: EventSubject;
  /** What one is made of, besides its name. */
  fields: () => Fields;
  /** The field that is another's already where all fields are. */
  unique: string;
  /** Another value of a field. */
  change: Fields;
  /** Makes one that something needs. */
  used?: () => Promise<number>;
}

const free = { month: 0, quarter: null, half_year: null, year: null };
const limits = { sites: null, domains_per_site: null, ports_per_site: null };
const email = () => `${unique('crud')}@example.com`;

const entities: Entity[] = [
  {
    path: 'area',
    subject: 'area',
    fields: () => ({ description: 'north' }),
    unique: 'name',
    change: { description: 'south' },
    used: async () => {
      const { id } = await makeNode(world, { ip: '203.0.113.9' });
      return (await world.admin.get('getNode', { params: { id } })).area_id;
    },
  },
  {
    path: 'acme_account',
    subject: 'acme_account',
    fields: () => ({ directory: 'lets_encrypt', terms_agreed: true }),
    unique: 'name',
    change: { priority: 3 },
  },
  {
    path: 'line_group',
    subject: 'line_group',
    fields: () => ({ description: 'all' }),
    unique: 'name',
    change: { description: 'some' },
    used: async () => lineGroupId,
  },
  {
    path: 'product',
    subject: 'product',
    fields: () => ({ line_group_id: lineGroupId, prices: free, limits }),
    unique: 'name',
    change: { stock: 3 },
    used: async () => (await world.admin.get('listProducts', { query: {} })).list[0]!.id,
  },
  {
    path: 'client',
    subject: 'client',
    fields: () => ({ email: email(), password: 'a long password' }),
    unique: 'email',
    change: { remark: 'pays in time' },
    used: async () => (await makeCustomer(world)).id,
  },
  {
    path: 'member',
    subject: 'member',
    fields: () => ({ client_id: customerId, email: email(), password: 'a long password', permissions: [] }),
    unique: 'email',
    change: { enabled: false },
  },
  {
    path: 'domain_name_blacklist',
    subject: 'domain_name_blacklist',
    fields: () => ({ name: `${unique('listed')}.example.com`, kind: 'exact' }),
    unique: 'name',
    change: { reason: 'gambling' },
  },
  {
    path: 'tags',
    subject: 'tag',
    fields: () => ({ color: 'red' }),
    unique: 'name',
    change: { color: 'blue' },
  },
  {
    path: 'waf_matcher',
    subject: 'waf_matcher',
    fields: () => ({ description: 'one' }),
    unique: 'name',
    change: { description: 'another' },
  },
  {
    path: 'filing',
    subject: 'filing',
    fields: () => ({
      name: `${unique('filed')}.com`,
      number: '京ICP备12345678号-1',
      client_id: customerId,
    }),
    unique: 'name',
    change: { number: '京ICP备12345678号-2' },
  },
];

const send = (method: string, target: string, body?: Fields) =>
  world.admin.send(method, target, body) as Promise<Answer<Fields & { id: number; version: number }>>;

/** What was sent, as an answer has it. */
function shownOf(path: string, body: Fields): Fields {
  const specs: RouteSpec[] = Object.values(routes);
  const update = specs.find((spec) => spec.method === 'PUT' && spec.path === `${path}/{id}`)!;
  // Some is for creating one alone.
  const known = Object.entries(body).filter(([name]) => name in (update.body as z.ZodObject).shape);
  return hideSecrets(update.body!, Object.fromEntries(known));
}

describe('a description', () => {
  const content = '192.0.2.1';
  const described: [path: string, fields: () => Fields][] = [
    ['area', () => ({})],
    ['line_group', () => ({})],
    ['product', () => ({ line_group_id: lineGroupId, prices: free, limits })],
    ['address_list', () => ({ content })],
    ['user_group', () => ({ permissions: [] })],
  ];
  it.each(described)(
    'of %s is the name where it is absent, and refused where it is empty',
    async (path, fields) => {
      const all = `/prod-api/${path}`;
      const name = unique('Thing');
      const { data } = await send('POST', all, { name, ...fields() });
      const one = `${all}/${data.id}`;
      const { data: found } = await send('GET', one);
      expect(found).toMatchObject({ name, description: name });
      const version = found.version === undefined ? {} : { version: found.version };
      for (const [method, at, more] of [
        ['POST', all, {}],
        ['PUT', one, version],
      ] as const)
        expect(await send(method, at, { name, description: ' ', ...fields(), ...more })).toMatchObject({
          status: 400,
          errors: [{ path: 'description', message: 'This field is required' }],
        });
      const renamed = unique('Thing');
      await send('PUT', one, { name: renamed, ...fields(), ...version });
      expect((await send('GET', one)).data).toMatchObject({ name: renamed, description: renamed });
    },
  );
});

describe.each(entities)('$path', ({ path, subject, fields, unique: uniqueField, change }) => {
  const all = `/prod-api/${path}`;
  const make = async () => {
    const body = { name: unique('Thing'), ...fields() };
    const { data } = await send('POST', all, body);
    return { id: data.id, one: `${all}/${data.id}`, sent: shownOf(all, body) };
  };
  const refusedAt = (field: string) => ({ status: 400, code: 40_000, errors: [{ path: field }] });

  it('is created, read, found, changed and deleted, each with its event', async () => {
    const { id, one, sent } = await make();
    expect(await send('GET', one)).toMatchObject({ status: 200, data: { id, ...sent, version: 1 } });
    expect(await send('PUT', one, { ...sent, ...change, version: 1 })).toMatchObject({
      status: 200,
      data: {},
    });
    const changed = { id, ...sent, ...change, version: 2 };
    const found = await send('GET', `${all}?name=${String(sent['name'])}`);
    expect(found.data).toMatchObject({ total: 1, list: [changed] });
    // Others are there too, or it would be found by any ids.
    await make();
    expect((await send('GET', `${all}?ids=${id},999999`)).data).toMatchObject({ total: 1, list: [changed] });
    expect((await send('DELETE', one)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expect(await send(method, one)).toMatchObject({ status: 404 });
    expect(await send('PUT', one, { ...sent, version: 2 })).toMatchObject({ status: 404 });

    const rows = await world.server.services.db
      .select()
      .from(event)
      .where(and(eq(event.subjectKind, subject), eq(event.subjectId, id)))
      .orderBy(asc(event.id));
    expect(rows.map(({ kind }) => kind)).toEqual(['created', 'updated', 'removed']);
    const [[field, after]] = Object.entries(change) as [[string, unknown]];
    expect(rows[1]).toMatchObject({ subjectName: sent['name'], actorType: 'admin', actorName: 'admin' });
    expect(rows[1]!.data.changes).toEqual([expect.objectContaining({ path: field, after })]);
  });

  it('is saved over nothing newer, also by many at once, and a save that changes nothing is no event', async () => {
    const { one, sent, id } = await make();
    const save = (version: number) => send('PUT', one, { ...sent, ...change, version });
    const answers = await Promise.all([1, 1, 1].map(save));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await save(1)).toMatchObject({ status: 409, code: errors.stale_version.code });
    expect(await save(2)).toMatchObject({ status: 200 });
    expect((await send('GET', one)).data).toMatchObject({ ...change, version: 3 });
    const { db } = world.server.services;
    const where = and(eq(event.subjectKind, subject), eq(event.subjectId, id), eq(event.kind, 'updated'));
    expect(await db.$count(event, where)).toBe(1);
  });

  it('is refused at its field: taken, without a name, of no version', async () => {
    const [{ one, sent }, other] = [await make(), await make()];
    const taken = { ...other.sent, [uniqueField]: sent[uniqueField] };
    expect(await send('PUT', other.one, { ...taken, version: 1 })).toMatchObject(refusedAt(uniqueField));
    expect(await send('POST', all, { ...fields(), ...taken })).toMatchObject(refusedAt(uniqueField));
    expect(await send('PUT', one, { ...sent, name: '  ', version: 1 })).toMatchObject(refusedAt('name'));
    expect(await send('PUT', one, sent)).toMatchObject(refusedAt('version'));
  });
});

describe.each(entities.filter(({ used }) => used))('$path', ({ path, used }) => {
  it('stays while something needs it', async () => {
    const answer = await send('DELETE', `/prod-api/${path}/${await used!()}`);
    expect(answer).toMatchObject({ status: 409, code: errors.in_use.code });
  });
});
