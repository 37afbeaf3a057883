import {
  allows,
  builtinGroups,
  fillPath,
  routes,
  shippedPermissions,
  type BuiltinGroup,
  type RouteName,
  type RouteSpec,
} from '@breakwater/contract';
import {
  makeApiClient,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminUser } from './db/schema.ts';
import { builtinGroupId } from './modules/admin-user/admin-group.store.ts';
import { hashPassword } from './password.ts';
import { belongsOn } from './plugins/mount.ts';

/** Every route of the contract, called by everybody who must not, and by those who may. */

let world: World;
let one: Customer;
let other: Customer;
let groups: Map<BuiltinGroup, ApiClient>;
let tokens: Record<'admin' | 'customer', string>;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  const passwordHash = await hashPassword('a long password');
  const signIns = builtinGroups.map(async (group): Promise<[BuiltinGroup, ApiClient]> => {
    const username = unique(group);
    const { db } = world.server.services;
    const groupId = await builtinGroupId(db, group);
    await db.insert(adminUser).values({ username, passwordHash, groupId });
    return [group, await world.signInAdmin(username, 'a long password')];
  });
  groups = new Map(await Promise.all(signIns));
  const [admin, customer] = await Promise.all([
    world.anonymous.get('signInAdmin', { body: { username: 'admin', password: world.adminPassword } }),
    world.anonymousUser.get('signInClient', { body: { email: one.email, password: one.password } }),
  ]);
  tokens = { admin: admin.token, customer: customer.token };
});
afterAll(() => world.close());

const specs = Object.entries(routes) as [RouteName, RouteSpec][];
const guarded = specs.filter(([, spec]) => spec.access.kind !== 'public' && spec.access.kind !== 'node');

/** Words that stand in a path, by the parameter. */
const named: Record<string, string> = { side: 'cdn', metric: 'request', kind: 'site', part: 'country' };

/** Whether an answer goes on: of such, only its beginning is looked at. */
const isStream = (spec: RouteSpec): boolean => spec.transport === 'stream';

/** Whoever makes this call has no session for the next. */
const endsItsSession = (name: RouteName): boolean => name === 'signOut';

/** A body of the right kind of thing with nothing in it: whoever may call gets as far as the validation. */
async function poke(client: ApiClient, name: RouteName, spec: RouteSpec) {
  if (isStream(spec)) {
    const stream = await client.open(name, { query: {} } as never);
    stream.close();
    return stream;
  }
  const path = fillPath(
    spec.path.replace(/\{(side|metric|kind|part)\}/g, (_, key: string) => named[key] ?? key),
    { id: 1_000_000 },
  );
  if (spec.method === 'GET' || spec.method === 'DELETE') return client.send(spec.method, path);
  return client.send(spec.method, path, spec.transport === 'file' ? new FormData() : {});
}

describe.each(guarded)('%s', (name, spec) => {
  const admin = belongsOn(spec.access, 'admin');

  it('refuses a caller without a session', async () => {
    const answer = await poke(admin ? world.anonymous : world.anonymousUser, name, spec);
    expect(answer).toMatchObject({ status: 401, ...(isStream(spec) ? {} : { code: 10300 }) });
  });

  it('refuses a token of the other console', async () => {
    const token = tokens[admin ? 'customer' : 'admin'];
    const answer = await poke(
      makeApiClient(() => (admin ? world.adminUrl : world.userUrl), token),
      name,
      spec,
    );
    expect(answer).toMatchObject({ status: 401, ...(isStream(spec) ? {} : { code: 10300 }) });
  });

  it('lets in exactly the groups that hold its permission', async () => {
    if (!belongsOn(spec.access, 'admin') || endsItsSession(name)) return;
    for (const [group, client] of groups) {
      const { status } = await poke(client, name, spec);
      const permissions = new Set(shippedPermissions(group));
      if (allows(spec.access, { role: 'admin', permissions }))
        expect([200, 400, 404], group).toContain(status);
      else expect(status, group).toBe(403);
    }
  });

  it('is not there for customers unless it is theirs', async () => {
    if (endsItsSession(name)) return;
    const { status } = await poke(one.api, name, spec);
    if (belongsOn(spec.access, 'user')) expect([200, 400, 404]).toContain(status);
    else expect(status).toBe(404);
  });
});

/** Each call by itself is made in `test-fuzz/foreign.test.ts`. */
describe("another customer's rows", () => {
  it('are in no list', async () => {
    const site = await makeSite(other.api);
    const filter = { client_id: other.id };
    expect((await one.api.get('listSites', { query: filter })).total).toBe(0);
    expect((await one.api.get('listSites', { query: { domain_name: site.domain } })).total).toBe(0);
    expect((await one.api.get('listOrders', { query: filter })).total).toBe(0);
    expect((await one.api.get('listCertificates', { query: filter })).total).toBe(0);
    expect((await one.api.get('listAccessLogs', { query: filter })).total).toBe(0);
  });

  it('cannot be built on: an order of somebody else takes no site', async () => {
    const answer = await one.api.call('createSite', {
      body: { domains: [`${unique('www')}.example.com`], origin: '192.0.2.1', order_id: other.orderId },
    });
    expect(answer).toMatchObject({ status: 400, code: 40000, errors: [{ path: 'order_id' }] });
  });
});
