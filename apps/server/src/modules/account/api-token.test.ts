import { request as httpRequest } from 'node:http';
import {
  routes,
  tokenPermissions,
  type Permission,
  type RouteName,
  type RouteSpec,
} from '@breakwater/contract';
import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { apiToken, operationLog, site as siteTable } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const adminWith = (token: string) => makeApiClient(() => world.adminUrl, token);
const userWith = (token: string) => makeApiClient(() => world.userUrl, token);

interface Owner {
  api: ApiClient;
  password: string;
}
const inputOf = ({ password }: Owner, permissions: Permission[], more: object = {}) => ({
  name: unique('token'),
  permissions,
  expires_at: null,
  password,
  ...more,
});
const make = (owner: Owner, permissions: Permission[], more: object = {}) =>
  owner.api.get('createApiToken', { body: inputOf(owner, permissions, more) });
const invalid = { status: 401, code: 40_103 };

describe('an API token', () => {
  it('calls for its owner with a part of what they hold, and is told once', async () => {
    const owner = await makeAdministrator(world, ['area.read', 'area.write', 'tag.read']);
    const { id, token } = await make(owner, ['area.read']);
    expect(token).toMatch(/^bw_[\w-]{43}$/);
    const api = adminWith(token);
    await api.get('listAreas', { query: {} });
    expect(await api.call('createArea', { body: { name: 'x' } })).toMatchObject({ status: 403 });
    expect(await api.call('listTags', { query: {} })).toMatchObject({ status: 403 });
    expect(await api.get('currentAccount', {})).toMatchObject({
      username: owner.username,
      permissions: ['area.read'],
    });
    const { list } = await owner.api.get('listApiTokens', { query: {} });
    expect(list).toMatchObject([
      { id, hint: token.slice(0, 7), permissions: ['area.read'], last_used_ip: '127.0.0.1' },
    ]);
    const { db } = world.server.services;
    const stored = [await db.select().from(apiToken), await db.select().from(operationLog)];
    expect(JSON.stringify([list, stored])).not.toContain(token.slice(8));
  });

  it('holds no more than its owner by now', async () => {
    const owner = await makeAdministrator(world, ['area.read', 'tag.read']);
    const { token } = await make(owner, ['area.read', 'tag.read']);
    const api = adminWith(token);
    await api.get('listTags', { query: {} });
    const { name, version } = await world.admin.get('getAdminGroup', { params: { id: owner.groupId } });
    await world.admin.get('updateAdminGroup', {
      params: { id: owner.groupId },
      body: { name: name!, version, permissions: ['area.read'] },
    });
    expect(await api.call('listTags', { query: {} })).toMatchObject({ status: 403 });
    await api.get('listAreas', { query: {} });
  });

  it('grants nothing that its owner does not hold, or that no token can hold', async () => {
    const owner = await makeAdministrator(world, ['area.read', 'admin_user.read', 'admin_user.write']);
    for (const permission of ['area.write', 'admin_user.write'] as const)
      expect(await owner.api.call('createApiToken', { body: inputOf(owner, [permission]) })).toMatchObject({
        status: 400,
        errors: [{ path: 'permissions' }],
      });
    expect(tokenPermissions).not.toContain('client.password');
    const customer = await makeCustomer(world);
    const body = inputOf(customer, ['node.read']);
    expect(await customer.api.call('createApiToken', { body })).toMatchObject({
      errors: [{ path: 'permissions' }],
    });
  });

  it('is made for the password only, with an end that is to come', async () => {
    const owner = await makeAdministrator(world, ['area.read']);
    const tryWith = (more: object) =>
      owner.api.call('createApiToken', { body: inputOf(owner, ['area.read'], more) });
    expect(await tryWith({ password: 'wrong' })).toMatchObject({ errors: [{ path: 'password' }] });
    const past = new Date(Date.now() - 1000).toISOString();
    expect(await tryWith({ expires_at: past })).toMatchObject({ errors: [{ path: 'expires_at' }] });
    expect(await tryWith({ networks: ['10.0.0.0/99'] })).toMatchObject({ errors: [{ path: 'networks.0' }] });
  });

  it('can be limited to sites: it reaches these and makes nothing, also for an operator, also when they are gone', async () => {
    const customer = await makeCustomer(world);
    const [mine, other] = [await makeSite(customer.api), await makeSite(customer.api)];
    const sites = { site_ids: [mine.id] };
    const operator = await makeAdministrator(world, ['site.read', 'site.write', 'site.delete', 'area.read']);
    const tokens = [
      userWith((await make(customer, ['site.read', 'site.write', 'site.delete'], sites)).token),
      adminWith((await make(operator, ['site.read', 'site.write', 'site.delete', 'area.read'], sites)).token),
    ];
    for (const api of tokens) {
      const listed = async () => (await api.get('listSites', { query: {} })).list.map(({ id }) => id);
      expect(await listed()).toEqual([mine.id]);
      await api.get('getCacheRule', { query: { site_id: mine.id } });
      expect(await api.call('getCacheRule', { query: { site_id: other.id } })).toMatchObject({ status: 404 });
      expect(await api.call('removeSite', { params: { id: other.id } })).toMatchObject({ status: 404 });
      const made = {
        domains: [`${unique('new')}.example.com`],
        origin: '127.0.0.1',
        order_id: customer.orderId,
      };
      expect((await api.call('createSite', { body: made })).status).toBe(403);
      const lines = [`${unique('new')}.example.com|127.0.0.1`];
      expect((await api.call('createSiteBatch', { body: { lines } })).status).toBe(403);
    }
    expect(await tokens[1]!.call('listAreas', { query: {} })).toMatchObject({ status: 403 });
    await world.server.services.db.delete(siteTable).where(eq(siteTable.id, mine.id));
    for (const api of tokens) expect((await api.get('listSites', { query: {} })).list).toEqual([]);
  });

  it('is limited to no site that its owner does not reach', async () => {
    const customer = await makeCustomer(world);
    const { id } = await makeSite((await makeCustomer(world)).api);
    for (const site_ids of [[id], [2_147_483_647]])
      expect(
        await customer.api.call('createApiToken', { body: inputOf(customer, ['site.read'], { site_ids }) }),
      ).toMatchObject({ status: 400, errors: [{ path: 'site_ids' }] });
  });

  it('comes to no account, password, session or token, whatever it holds', async () => {
    const owner = { api: world.admin, password: world.adminPassword };
    const { token } = await make(owner, [...tokenPermissions]);
    const api = adminWith(token);
    const own = (Object.entries(routes) as [RouteName, RouteSpec][]).filter(
      ([, { access }]) => access.kind === 'signed_in' && access.tokens === false,
    );
    expect(own.length).toBeGreaterThan(10);
    for (const [name, { method, path }] of own) {
      const answer = await api.send(method, path.replace('{id}', '1'), method === 'GET' ? undefined : {});
      expect(answer.status, name).toBe(403);
    }
    const params = { id: 1 };
    const body = { password: 'another password' };
    const tries = [
      api.call('changeAdminPassword', { params, body }),
      api.call('changeClientPassword', { params, body }),
      api.call('resetAdminTwoFactor', { params }),
      api.call('resetClientTwoFactor', { params }),
      api.call('createAdminUser', { body: { username: unique('a'), ...body, group_id: 1 } }),
      api.call('createAdminGroup', { body: { name: 'x', permissions: [] } }),
    ];
    for (const answer of await Promise.all(tries)) expect(answer.status).toBe(403);
  });

  it('ends with its date, its deletion, and its owner', async () => {
    const owner = await makeAdministrator(world, ['area.read']);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const [dated, deleted, kept] = [
      await make(owner, ['area.read'], { expires_at: soon }),
      await make(owner, ['area.read']),
      await make(owner, ['area.read']),
    ];
    await adminWith(dated.token).get('listAreas', { query: {} });
    const { db } = world.server.services;
    await db.update(apiToken).set({ expiresAt: new Date() }).where(eq(apiToken.id, dated.id));
    expect(await adminWith(dated.token).call('listAreas', { query: {} })).toMatchObject(invalid);
    await owner.api.get('removeApiToken', { params: { id: deleted.id } });
    expect(await adminWith(deleted.token).call('listAreas', { query: {} })).toMatchObject(invalid);
    const params = { id: owner.id };
    const { username, name, email, group_id, version } = await world.admin.get('getAdminUser', { params });
    const body = { username, name, email, group_id, version, enabled: false };
    await world.admin.get('updateAdminUser', { params, body });
    expect(await adminWith(kept.token).call('listAreas', { query: {} })).toMatchObject(invalid);
    await world.admin.get('removeAdminUser', { params });
    expect(await db.$count(apiToken, eq(apiToken.id, kept.id))).toBe(0);
  });

  it('is taken from its addresses only', async () => {
    const owner = await makeAdministrator(world, ['area.read']);
    const { token } = await make(owner, ['area.read'], { networks: ['127.0.0.2/31', '2001:db8::/32'] });
    const from = (localAddress: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        httpRequest(
          `${world.adminUrl}/prod-api/area`,
          { localAddress, headers, agent: false },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        )
          .on('error', reject)
          .end();
      });
    expect(await from('127.0.0.2')).toBe(200);
    expect(await from('127.0.0.3')).toBe(200);
    expect(await from('127.0.0.4')).toBe(401);
    expect(await adminWith(token).call('listAreas', { query: {} })).toMatchObject(invalid);
  });

  it('is deleted by its owner only, and unknown ones are nothing', async () => {
    const [owner, other] = [await makeCustomer(world), await makeCustomer(world)];
    const { id, token } = await make(owner, ['site.read']);
    expect((await other.api.get('listApiTokens', { query: {} })).list).toEqual([]);
    expect(await other.api.call('removeApiToken', { params: { id } })).toMatchObject({ status: 404 });
    expect(await world.admin.call('removeApiToken', { params: { id } })).toMatchObject({ status: 404 });
    await userWith(token).get('listSites', { query: {} });
    expect(await userWith(`${token}x`).call('listSites', { query: {} })).toMatchObject(invalid);
    expect(await userWith('bw_').call('listSites', { query: {} })).toMatchObject(invalid);
    // Of the other console.
    expect(await adminWith(token).call('listSites', { query: {} })).toMatchObject(invalid);
  });

  it('of a customer comes to their own rows only', async () => {
    const [owner, other] = [await makeCustomer(world), await makeCustomer(world)];
    const { token } = await make(owner, ['site.read', 'site.write']);
    const site = await makeSite(other.api);
    const own = await makeSite(userWith(token));
    expect(await userWith(token).call('getSite', { params: { id: site.id } })).toMatchObject({ status: 404 });
    expect((await userWith(token).get('listSites', { query: {} })).list).toMatchObject([{ id: own.id }]);
  });

  it('stands in the operation log beside its owner', async () => {
    const owner = await makeAdministrator(world, ['area.read', 'area.write']);
    const name = unique('deploy');
    const { token } = await make(owner, ['area.read', 'area.write'], { name });
    await adminWith(token).get('createArea', { body: { name: unique('Area') } });
    const { list } = await world.admin.get('listOperationLogs', { query: { user_id: owner.id } });
    expect(list[0]).toMatchObject({ user_name: owner.username, program: name });
    expect(list.at(-1)).toMatchObject({ program: '' });
  });
});
