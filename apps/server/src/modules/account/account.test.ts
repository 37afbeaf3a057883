import { randomUUID } from 'node:crypto';
import {
  makeAdministrator,
  makeCustomer,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { accountSession, operationLog } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

interface Somebody {
  api: ApiClient;
  password: string;
  /** Another session of the same account. */
  signIn(password?: string): Promise<ApiClient>;
}
async function administrator(): Promise<Somebody> {
  const one = await makeAdministrator(world, ['area.read', 'statistics.read']);
  return { ...one, signIn: (password = one.password) => world.signInAdmin(one.username, password) };
}
async function customer(): Promise<Somebody> {
  const one = await makeCustomer(world);
  return { ...one, signIn: (password = one.password) => world.signInClient(one.email, password) };
}
const both = [
  ['an administrator', administrator],
  ['a customer', customer],
] as const;

const sessionsOf = async (api: ApiClient) => (await api.get('listSessions', { query: {} })).list;
const ended = { status: 401, code: 406 };

describe.each(both)('sessions of %s', (_, make) => {
  it('are listed, the one that asks is marked, and one or all others end', async () => {
    const one = await make();
    const [second, third] = [await one.signIn(), await one.signIn()];
    const list = await sessionsOf(one.api);
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    for (const each of list)
      expect(each).toMatchObject({ ip: '127.0.0.1', user_agent: expect.stringMatching(/./) });
    const id = (await sessionsOf(second)).find(({ current }) => current)!.id;
    await one.api.get('endSession', { params: { id } });
    expect(await second.call('currentAccount', {})).toMatchObject(ended);
    await one.api.get('endOtherSessions', {});
    expect(await third.call('currentAccount', {})).toMatchObject(ended);
    expect(await sessionsOf(one.api)).toMatchObject([{ current: true }]);
  });

  it('are not for others: neither listed nor ended', async () => {
    const [one, other] = [await make(), await make()];
    const [own] = await sessionsOf(one.api);
    expect((await sessionsOf(other.api)).map(({ id }) => id)).not.toContain(own!.id);
    for (const id of [own!.id, randomUUID()])
      expect(await other.api.call('endSession', { params: { id } })).toMatchObject({ status: 404 });
    await other.api.get('endOtherSessions', {});
    await one.api.get('currentAccount', {});
  });

  it('end with a new password, but for the one that changed it', async () => {
    const one = await make();
    const second = await one.signIn();
    const change = (current_password: string) =>
      one.api.call('changeOwnPassword', { body: { current_password, password: 'another password' } });
    expect(await change('not the password')).toMatchObject({
      status: 400,
      errors: [{ path: 'current_password', message: 'Incorrect password' }],
    });
    await second.get('currentAccount', {});
    expect(await change(one.password)).toMatchObject({ status: 200 });
    expect(await second.call('currentAccount', {})).toMatchObject(ended);
    await one.api.get('currentAccount', {});
    await expect(one.signIn()).rejects.toThrow('wrong password');
    await one.signIn('another password');
  });

  it('guess no password: it can be tried as often as a sign-in', async () => {
    const one = await make();
    const tries = await Promise.all(
      Array.from({ length: 8 }, () =>
        one.api.call('changeOwnPassword', {
          body: { current_password: 'wrong', password: 'another password' },
        }),
      ),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3);
  }, 20_000);
});

it('notes the use of a session once a minute', async () => {
  const { api } = await administrator();
  const [own] = await sessionsOf(api);
  const { db } = world.server.services;
  const note = async (lastUsedAt: Date) => {
    await db
      .update(accountSession)
      .set({ lastUsedAt, ip: '192.0.2.1' })
      .where(eq(accountSession.id, own!.id));
    return (await sessionsOf(api))[0]!;
  };
  const justNow = new Date(Date.now() - 50_000);
  expect(await note(justNow)).toMatchObject({ last_used_at: justNow.toISOString(), ip: '192.0.2.1' });
  const earlier = new Date(Date.now() - 70_000);
  const noted = await note(earlier);
  expect(Date.parse(noted.last_used_at)).toBeGreaterThan(Date.now() - 10_000);
  expect(noted.ip).toBe('127.0.0.1');
});

it('ends the open streams of a session that was ended', async () => {
  const one = await administrator();
  const second = await one.signIn();
  const stream = await second.open('watchLive', { query: {} });
  await one.api.get('endOtherSessions', {});
  await waitFor('the end of the stream', () => stream.ended);
});

describe('a profile', () => {
  it('has a name for the asking, and a new e-mail for the password', async () => {
    const { api, password } = await customer();
    const { email, version } = await api.get('currentAccount', {});
    await api.get('updateProfile', { body: { name: 'Ann', email, version } });
    // Another window still has the name from before.
    const older = { name: 'Bea', email, version };
    expect(await api.call('updateProfile', { body: older })).toMatchObject({ code: 40_901 });
    // Or another e-mail, for which nobody can have been asked for the password.
    const moved = { ...older, email: `${unique('before')}@example.com` };
    expect(await api.call('updateProfile', { body: moved })).toMatchObject({ code: 40_901 });
    const next = `${unique('ann')}@example.com`;
    const change = (body: { password?: string }) =>
      api.call('updateProfile', { body: { name: 'Ann', email: next, version: version + 1, ...body } });
    expect(await change({})).toMatchObject({ status: 400, errors: [{ path: 'password' }] });
    expect(await change({ password: 'wrong' })).toMatchObject({
      status: 400,
      errors: [{ path: 'password' }],
    });
    await change({ password });
    expect(await api.get('currentAccount', {})).toMatchObject({ name: 'Ann', email: next });
    await world.signInClient(next, password);
  });

  it('of a customer has both, and no e-mail of somebody else', async () => {
    const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
    const body = { name: '', email: one.email, version: 1 };
    expect(await one.api.call('updateProfile', { body })).toMatchObject({ errors: [{ path: 'name' }] });
    const taken = { name: 'One', email: other.email, password: one.password, version: 1 };
    expect(await one.api.call('updateProfile', { body: taken })).toMatchObject({
      status: 400,
      errors: [{ path: 'email', message: 'This email is taken' }],
    });
  });

  it('of an administrator makes forms of others stale', async () => {
    const one = await makeAdministrator(world, ['area.read']);
    const params = { id: one.id };
    const before = await world.admin.get('getAdminUser', { params });
    await one.api.get('updateProfile', { body: { name: 'Ann', email: '', version: before.version } });
    const { username, email, group_id, enabled, version } = before;
    const body = { username, name: 'Bea', email, group_id, enabled, version };
    expect(await world.admin.call('updateAdminUser', { params, body })).toMatchObject({ code: 40_901 });
  });
});

it('leaves one’s own password and two-factor to one’s own account', async () => {
  const refused = { status: 403, code: 40_302 };
  const params = { id: 1 };
  const body = { password: 'another password' };
  expect(await world.admin.call('changeAdminPassword', { params, body })).toMatchObject(refused);
  expect(await world.admin.call('resetAdminTwoFactor', { params })).toMatchObject(refused);
});

it('keeps passwords out of the operation log', async () => {
  const one = await customer();
  await one.api.get('changeOwnPassword', {
    body: { current_password: one.password, password: 'a word for nobody' },
  });
  const rows = await world.server.services.db
    .select()
    .from(operationLog)
    .where(eq(operationLog.path, '/prod-api/account/password'));
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/a long password|a word for nobody/);
});
