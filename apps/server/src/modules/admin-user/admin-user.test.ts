import { adminPermissions, shippedPermissions, type BuiltinGroup } from '@breakwater/contract';
import {
  makeAdministrator,
  makeAdministratorIn,
  makeApiClient,
  makeCustomer,
  startWorld,
  unique,
  waitFor,
  type Administrator,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const password = 'a long password';
const readGroup = (id: number) => world.admin.get('getAdminGroup', { params: { id } });
const readUser = (id: number) => world.admin.get('getAdminUser', { params: { id } });
async function shipped(builtin: BuiltinGroup) {
  const { list } = await world.admin.get('listAdminGroups', { query: {} });
  return list.find((group) => group.builtin === builtin)!;
}
/** What a call that writes one takes of what was read. */
const inputOf = ({
  username,
  name,
  email,
  group_id,
  enabled,
  version,
}: Awaited<ReturnType<typeof readUser>>) => ({
  username,
  name,
  email,
  group_id,
  enabled,
  version,
});

describe('groups', () => {
  it('are shipped with what the contract says, in the reader’s language until they are renamed', async () => {
    const { list } = await world.admin.get('listAdminGroups', { query: {} });
    expect(list.slice(0, 5).map(({ builtin }) => builtin)).toEqual([
      'owner',
      'operator',
      'support',
      'finance',
      'read_only',
    ]);
    for (const { builtin, name, permissions } of list.slice(0, 5)) {
      expect(name).toBeNull();
      expect(permissions).toEqual(shippedPermissions(builtin!));
    }
    const { id, version } = await shipped('finance');
    const change = (body: { name: string; description?: string; version: number }) =>
      world.admin.get('updateAdminGroup', {
        params: { id },
        body: { permissions: shippedPermissions('finance'), ...body },
      });
    await change({ name: 'Accounts', description: 'Money', version });
    expect(await readGroup(id)).toMatchObject({ name: 'Accounts', description: 'Money' });
    await change({ name: '财务', version: version + 1 });
    expect(await readGroup(id)).toMatchObject({ builtin: 'finance', name: null, description: '财务' });
  });

  it('are made, changed and deleted', async () => {
    const name = unique('Group');
    const { id } = await world.admin.get('createAdminGroup', {
      body: { name, permissions: ['area.write', 'area.read', 'area.read'] },
    });
    expect(await readGroup(id)).toMatchObject({
      name,
      description: name,
      permissions: ['area.read', 'area.write'],
      user_count: 0,
      version: 1,
    });
    await world.admin.get('updateAdminGroup', {
      params: { id },
      body: { name, description: 'north', permissions: [], version: 1 },
    });
    expect(await readGroup(id)).toMatchObject({ description: 'north', permissions: [], version: 2 });
    await world.admin.get('removeAdminGroup', { params: { id } });
    expect(await world.admin.call('getAdminGroup', { params: { id } })).toMatchObject({ status: 404 });
  });

  it('have names of their own, and none that a shipped one has', async () => {
    const body = { name: unique('Group'), permissions: [] };
    await world.admin.get('createAdminGroup', { body });
    for (const name of [body.name, 'Owner', '所有者'])
      expect(await world.admin.call('createAdminGroup', { body: { ...body, name } })).toMatchObject({
        status: 400,
        errors: [{ path: 'name', message: 'This name is taken' }],
      });
  });

  it('hold what the catalogue has, and nothing else', async () => {
    const answer = await world.admin.call('createAdminGroup', {
      body: { name: unique('Group'), permissions: ['area.read', 'everything' as never] },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'permissions.1' }] });
  });

  it('are not overwritten by who read an older version', async () => {
    const { groupId } = await makeAdministrator(world, ['area.read']);
    const save = (version: number) =>
      world.admin.call('updateAdminGroup', {
        params: { id: groupId },
        body: { name: unique('Group'), permissions: [], version },
      });
    expect(await save(1)).toMatchObject({ status: 200 });
    expect(await save(1)).toMatchObject({ status: 409, code: 40_901 });
  });

  it('stay while somebody belongs to them', async () => {
    const { id, groupId } = await makeAdministrator(world, ['area.read']);
    const params = { id: groupId };
    expect((await readGroup(groupId)).user_count).toBe(1);
    expect(await world.admin.call('removeAdminGroup', { params })).toMatchObject({
      status: 409,
      code: 40_902,
    });
    await world.admin.get('removeAdminUser', { params: { id } });
    await world.admin.get('removeAdminGroup', { params });
  });
});

describe('administrators', () => {
  it('are made, listed, changed and deleted, and no answer has a hash', async () => {
    const { id: groupId } = await shipped('read_only');
    const username = unique('admin');
    const { id } = await world.admin.get('createAdminUser', {
      body: { username, name: 'Ann', email: 'Ann@example.com', password, group_id: groupId },
    });
    const made = await readUser(id);
    expect(made).toMatchObject({
      username,
      name: 'Ann',
      email: 'ann@example.com',
      group: { builtin: 'read_only', name: null },
      enabled: true,
      beyond: false,
      last_login_at: null,
      version: 1,
    });
    await world.signInAdmin(username, password);
    await world.admin.get('updateAdminUser', { params: { id }, body: { ...inputOf(made), name: 'Bea' } });
    const { list, total } = await world.admin.get('listAdminUsers', {
      query: { username: username.toUpperCase(), group_id: groupId, enabled: 'yes' },
    });
    expect(total).toBe(1);
    expect(list[0]).toMatchObject({ id, name: 'Bea', last_login_ip: '127.0.0.1', version: 2 });
    expect(JSON.stringify([made, list])).not.toMatch(/argon2|password/);
    await world.admin.get('removeAdminUser', { params: { id } });
    expect(await world.admin.call('getAdminUser', { params: { id } })).toMatchObject({ status: 404 });
  });

  it('say in both languages what is wrong with a field', async () => {
    const body = { username: 'admin', password, group_id: (await shipped('support')).id };
    const { token } = await world.anonymous.get('signInAdmin', {
      body: { username: 'admin', password: world.adminPassword },
    });
    const errorsOf = async (input: typeof body, language: 'zh' | 'en') =>
      (await makeApiClient(() => world.adminUrl, token, language).call('createAdminUser', { body: input }))
        .errors;
    expect(await errorsOf(body, 'en')).toEqual([{ path: 'username', message: 'This username is taken' }]);
    expect(await errorsOf(body, 'zh')).toEqual([{ path: 'username', message: '该用户名已被使用' }]);
    expect(await errorsOf({ ...body, username: 'ann@example.com' }, 'zh')).toEqual([
      { path: 'username', message: '用户名不能使用邮箱地址，邮箱用于客户登录' },
    ]);
    expect(await errorsOf({ ...body, username: unique('a'), group_id: 1_000_000 }, 'en')).toEqual([
      { path: 'group_id', message: 'Not one of the options' },
    ]);
  });

  it('are not overwritten by who read an older version', async () => {
    const { id } = await makeAdministrator(world, []);
    const body = inputOf(await readUser(id));
    expect(await world.admin.call('updateAdminUser', { params: { id }, body })).toMatchObject({
      status: 200,
    });
    expect(await world.admin.call('updateAdminUser', { params: { id }, body })).toMatchObject({
      status: 409,
      code: 40_901,
    });
  });

  it('lose their sessions with a new password, when they are disabled, and when they are deleted', async () => {
    const ways: ((one: Administrator) => Promise<unknown>)[] = [
      ({ id }) =>
        world.admin.get('changeAdminPassword', { params: { id }, body: { password: 'another password' } }),
      async ({ id }) =>
        world.admin.get('updateAdminUser', {
          params: { id },
          body: { ...inputOf(await readUser(id)), enabled: false },
        }),
      ({ id }) => world.admin.get('removeAdminUser', { params: { id } }),
    ];
    for (const end of ways) {
      const one = await makeAdministrator(world, ['area.read']);
      await one.api.get('listAreas', { query: {} });
      await end(one);
      expect(await one.api.call('listAreas', { query: {} })).toMatchObject({ status: 401, code: 406 });
      const body = { username: one.username, password: one.password };
      expect(await world.anonymous.call('signInAdmin', { body })).toMatchObject({ status: 401, code: 1 });
    }
  });

  it('are there for who may read them only, and for no customer', async () => {
    const { api } = await makeAdministrator(world, ['admin_user.read']);
    expect((await api.get('listAdminUsers', { query: {} })).total).toBeGreaterThan(0);
    const body = { username: unique('a'), password, group_id: 1 };
    expect(await api.call('createAdminUser', { body })).toMatchObject({ status: 403, code: 40_300 });
    expect(await api.call('removeAdminGroup', { params: { id: 1 } })).toMatchObject({ status: 403 });
    const stranger = await makeAdministrator(world, ['area.read']);
    expect(await stranger.api.call('listAdminUsers', { query: {} })).toMatchObject({ status: 403 });
    expect(await world.anonymous.call('listAdminUsers', { query: {} })).toMatchObject({ status: 401 });
    const customer = await makeCustomer(world);
    expect(await customer.api.call('listAdminUsers', { query: {} })).toMatchObject({ status: 404 });
  });
});

describe('whoever manages administrators', () => {
  const managing = ['admin_user.read', 'admin_user.write', 'admin_user.group'] as const;
  let manager: Administrator;
  beforeAll(async () => {
    manager = await makeAdministrator(world, [...managing, 'area.read']);
  });

  it('grants nothing by a group that they do not hold', async () => {
    const save = (permissions: (typeof adminPermissions)[number][]) =>
      manager.api.call('createAdminGroup', { body: { name: unique('Group'), permissions } });
    expect(await save(['area.read'])).toMatchObject({ status: 200 });
    expect(await save(['area.read', 'area.write'])).toMatchObject({
      status: 400,
      errors: [{ path: 'permissions', message: 'This includes permissions that you do not have' }],
    });
    const { version, name } = await readGroup(manager.groupId);
    const body = { name: name!, permissions: [...managing, 'area.write' as const], version };
    expect(
      await manager.api.call('updateAdminGroup', { params: { id: manager.groupId }, body }),
    ).toMatchObject({ status: 400, errors: [{ path: 'permissions' }] });
  });

  it('puts nobody, themselves included, into a group that holds more', async () => {
    const owner = await shipped('owner');
    const refused = { status: 400, errors: [{ path: 'group_id' }] };
    const body = { username: unique('a'), password, group_id: owner.id };
    expect(await manager.api.call('createAdminUser', { body })).toMatchObject(refused);
    const self = inputOf(await readUser(manager.id));
    expect(
      await manager.api.call('updateAdminUser', {
        params: { id: manager.id },
        body: { ...self, group_id: owner.id },
      }),
    ).toMatchObject(refused);
    const { id } = await manager.api.get('createAdminUser', { body: { ...body, group_id: manager.groupId } });
    await manager.api.get('removeAdminUser', { params: { id } });
  });

  it('changes neither administrators nor groups that hold more', async () => {
    const owner = await shipped('owner');
    const params = { id: 1 };
    const refused = { status: 403, code: 40_301 };
    const body = inputOf(await readUser(1));
    expect(await manager.api.get('getAdminUser', { params })).toMatchObject({ beyond: true });
    expect(await manager.api.call('updateAdminUser', { params, body })).toMatchObject(refused);
    expect(await manager.api.call('changeAdminPassword', { params, body: { password } })).toMatchObject(
      refused,
    );
    expect(await manager.api.call('removeAdminUser', { params })).toMatchObject(refused);
    const group = { name: 'x', permissions: [], version: owner.version };
    expect(
      await manager.api.call('updateAdminGroup', { params: { id: owner.id }, body: group }),
    ).toMatchObject(refused);
    const { id } = await world.admin.get('createAdminGroup', {
      body: { name: unique('Group'), permissions: ['area.write'] },
    });
    expect(await manager.api.call('removeAdminGroup', { params: { id } })).toMatchObject(refused);
  });
});

describe('the last owner', () => {
  const lastOwner = { status: 409, code: 40_920 };

  it('stays enabled, in a group that holds everything', async () => {
    const params = { id: 1 };
    const body = inputOf(await readUser(1));
    const owner = await shipped('owner');
    const group_id = (await shipped('operator')).id;
    const tries = [
      world.admin.call('updateAdminUser', { params, body: { ...body, enabled: false } }),
      world.admin.call('updateAdminUser', { params, body: { ...body, group_id } }),
      world.admin.call('removeAdminUser', { params }),
      world.admin.call('updateAdminGroup', {
        params: { id: owner.id },
        body: {
          name: 'Owner',
          permissions: adminPermissions.filter((name) => name !== 'area.write'),
          version: owner.version,
        },
      }),
    ];
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(lastOwner);
    expect(await readUser(1)).toMatchObject({ enabled: true, version: body.version });
  });

  it('is one of two who remove each other at the same time', async () => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      const { list } = await fresh.admin.get('listAdminGroups', { query: {} });
      const owners = await Promise.all([
        makeAdministratorIn(fresh, list[0]!.id),
        makeAdministratorIn(fresh, list[0]!.id),
      ]);
      await fresh.admin.get('removeAdminUser', { params: { id: 1 } });
      const answers = await Promise.all(
        owners.map(({ api }, index) =>
          api.call('removeAdminUser', { params: { id: owners[1 - index]!.id } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = owners[answers.findIndex(({ status }) => status === 200)]!;
      expect((await left.api.get('listAdminUsers', { query: {} })).list).toMatchObject([{ id: left.id }]);
    } finally {
      await fresh.close();
    }
  });
});

describe('a change of a group', () => {
  it('holds at once, for sessions and streams that are open', async () => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      const { api, groupId } = await makeAdministrator(fresh, ['area.read', 'statistics.read']);
      await api.get('listAreas', { query: {} });
      const stream = await api.open('watchLive', { query: {} });
      const set = (permissions: ('area.read' | 'statistics.read')[], version: number) =>
        fresh.admin.get('updateAdminGroup', {
          params: { id: groupId },
          body: { name: unique('Group'), permissions, version },
        });
      await set(['statistics.read'], 1);
      expect(await api.call('listAreas', { query: {} })).toMatchObject({ status: 403 });
      await set(['area.read'], 2);
      await waitFor('the end of the stream', () => stream.ended);
      await api.get('listAreas', { query: {} });
      expect((await api.open('watchLive', { query: {} })).status).toBe(403);
    } finally {
      await fresh.close();
    }
  });
});

describe('the first administrator', () => {
  it('can be renamed, and the groups too: the next start makes neither anew', async () => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      const everything = { name: 'Everything', permissions: [...adminPermissions] };
      const { id: group_id } = await fresh.admin.get('createAdminGroup', { body: everything });
      const first = inputOf(await fresh.admin.get('getAdminUser', { params: { id: 1 } }));
      const body = { ...first, username: 'ann', group_id };
      await fresh.admin.get('updateAdminUser', { params: { id: 1 }, body });
      await fresh.admin.get('removeAdminGroup', { params: { id: first.group_id } });
      await fresh.stopControlPlane();
      await fresh.startControlPlane();
      expect((await fresh.admin.get('listAdminUsers', { query: {} })).list).toMatchObject([
        { username: 'ann' },
      ]);
      const { list } = await fresh.admin.get('listAdminGroups', { query: {} });
      expect(list.map(({ builtin }) => builtin)).not.toContain('owner');
    } finally {
      await fresh.close();
    }
  });
});

describe('a customer’s password', () => {
  it('is not set by support, who would then be the customer', async () => {
    const customer = await makeCustomer(world);
    const support = await makeAdministratorIn(world, (await shipped('support')).id);
    const request = { params: { id: customer.id }, body: { password: 'known to support' } };
    expect(await support.api.call('changeClientPassword', request)).toMatchObject({ status: 403 });
    await world.signInClient(customer.email, customer.password);
    const operator = await makeAdministratorIn(world, (await shipped('operator')).id);
    await operator.api.get('changeClientPassword', request);
  });
});
