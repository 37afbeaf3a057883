import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { adminPermissions } from '@breakwater/contract';
import { makeApiClient, makeCustomer, startWorld, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { client, operationLog, signInAttempt } from '../../db/schema.ts';
import { countAttempt } from '../account/attempt.store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** Posts from an address of this machine; answers the status. */
function postFrom(localAddress: string, url: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const call = request(url, { method: 'POST', localAddress, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

describe('sign-in of an administrator', () => {
  it('answers token, jwt_buffer_time, user_id and username', async () => {
    const { status, data } = await world.anonymous.call('signInAdmin', {
      body: { username: 'admin', password: world.adminPassword },
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      token: expect.any(String),
      jwt_buffer_time: 28_800,
      user_id: 1,
      username: 'admin',
    });
  });

  it('tells who is signed in', async () => {
    expect(await world.admin.get('currentAccount', {})).toMatchObject({
      username: 'admin',
      role: 'admin',
      group: { builtin: 'owner', name: null },
      permissions: adminPermissions,
      status: 'active',
      last_login_ip: '127.0.0.1',
    });
  });

  it.each([
    ['a wrong password', 'admin', 'wrong'],
    ['an unknown account', 'nobody', 'wrong'],
  ])('answers code 1 to %s, in the language asked for', async (_, username, password) => {
    const english = await world.anonymous.call('signInAdmin', { body: { username, password } });
    expect(english).toMatchObject({ status: 401, code: 1, message: 'Failed: wrong password or account' });
    const chinese = await makeApiClient(() => world.adminUrl, undefined, 'zh').call('signInAdmin', {
      body: { username, password },
    });
    expect(chinese.message).toBe('失败。密码或账号错误');
  });

  it('limits failures of an account from an address, however right the password is afterwards', async () => {
    const attempt = (password: string) =>
      world.anonymous.call('signInAdmin', { body: { username: 'limited', password } });
    const tries = await Promise.all(Array.from({ length: 8 }, () => attempt('wrong')));
    expect(tries.filter((answer) => answer.code === 1)).toHaveLength(5);
    expect(tries.filter((answer) => answer.status === 429)).toHaveLength(3);
    expect(await attempt('wrong')).toMatchObject({ status: 429, code: 42_900 });
  });

  it('lets nobody lock out another: from elsewhere the account signs in', async () => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      const signIn = (localAddress: string, password: string) =>
        postFrom(localAddress, `${fresh.adminUrl}/prod-api/auth/login`, { username: 'admin', password });
      const wrong = await Promise.all(Array.from({ length: 9 }, () => signIn('127.0.0.2', 'wrong')));
      expect(wrong.filter((status) => status === 429)).toHaveLength(4);
      expect(await signIn('127.0.0.2', fresh.adminPassword)).toBe(429);
      expect(await signIn('127.0.0.3', fresh.adminPassword)).toBe(200);
      // However many are wrong in its name.
      for (let n = 10; n < 15; n++)
        await Promise.all(Array.from({ length: 5 }, () => signIn(`127.0.0.${n}`, 'wrong')));
      const before = Date.now();
      expect(await signIn('127.0.0.4', fresh.adminPassword)).toBe(200);
      expect(Date.now() - before).toBeGreaterThan(1500);
    } finally {
      await fresh.close();
    }
  }, 60_000);

  it('counts IPv6 by what one subscriber has, and waits longer with each try before it refuses', async () => {
    const { db } = world.server.services;
    const attempt = async (end: string, network = '2001:db8:1:2') => {
      const before = Date.now();
      await countAttempt(db, { account: 'admin:six', address: `${network}::${end}` });
      return Date.now() - before;
    };
    const waits = [
      await attempt('1'),
      await attempt('2'),
      await attempt('3'),
      await attempt('4'),
      await attempt('5'),
    ];
    expect(waits[0]).toBeLessThan(400);
    expect(waits[3]).toBeGreaterThan(900);
    expect(waits[4]).toBeGreaterThan(1900);
    await expect(attempt('6')).rejects.toMatchObject({ error: 'too_many_attempts' });
    expect(await attempt('1', '2001:db8:1:3')).toBeLessThan(400);
  }, 20_000);

  it('limits failures per address across accounts', async () => {
    const fresh = await startWorld({ templateUrl: inject('templateUrl') });
    try {
      const codes = [];
      for (let n = 0; n < 32; n++) {
        const body = { username: `somebody-${n}`, password: 'wrong' };
        codes.push((await fresh.anonymous.call('signInAdmin', { body })).status);
      }
      expect(codes.slice(0, 30).every((status) => status === 401)).toBe(true);
      expect(codes.slice(30)).toEqual([429, 429]);
    } finally {
      await fresh.close();
    }
  });

  it('keeps no password in the operation log', async () => {
    await world.anonymous.call('signInAdmin', { body: { username: 'logged', password: 'a secret word' } });
    const rows = await world.server.services.db.select().from(operationLog);
    const row = rows.find((found) => found.requestBody.includes('logged'));
    expect(row).toMatchObject({
      userType: 'unknown',
      method: 'POST',
      path: '/prod-api/auth/login',
      status: 401,
    });
    expect(JSON.stringify(rows)).not.toContain('a secret word');
  });
});

describe('a session', () => {
  it('ends with code 10300 when the token is not ours, not signed, or over', async () => {
    const { secrets } = world.server.services;
    const sign = (key: Uint8Array, expires: string, session: string = randomUUID()) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('1')
        .setJti(session)
        .setAudience('admin')
        .setExpirationTime(expires)
        .sign(key);
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1","aud":"admin","jti":"0","exp":9999999999}')}.`;
    const tokens = [
      'nonsense',
      unsigned,
      await sign(new Uint8Array(32), '1h'),
      await sign(secrets.sessionKey, '-1s'),
      await sign(secrets.sessionKey, '1h', 'no session'),
    ];
    for (const token of tokens)
      expect(await makeApiClient(() => world.adminUrl, token).call('currentAccount', {})).toMatchObject({
        status: 401,
        code: 10_300,
      });
    // Ours, and of no session that there is.
    const token = await sign(secrets.sessionKey, '1h');
    expect(await makeApiClient(() => world.adminUrl, token).call('currentAccount', {})).toMatchObject({
      status: 401,
      code: 406,
    });
  });

  it('ends with a sign-out, on the server', async () => {
    const customer = await makeCustomer(world);
    await customer.api.get('signOut', {});
    expect(await customer.api.call('currentAccount', {})).toMatchObject({ status: 401, code: 406 });
  });

  it('ends with code 406 when the customer is disabled or has a new password', async () => {
    const customer = await makeCustomer(world);
    const params = { id: customer.id };
    await world.admin.get('changeClientPassword', { params, body: { password: 'another password' } });
    expect(await customer.api.call('currentAccount', {})).toMatchObject({ status: 401, code: 406 });

    const again = await world.signInClient(customer.email, 'another password');
    expect((await again.call('currentAccount', {})).data).toMatchObject({
      role: 'user',
      email: customer.email,
    });
    const fields = { name: 'Gone', email: customer.email, status: 'disabled' as const, version: 1 };
    await world.admin.get('updateClient', { params, body: fields });
    expect(await again.call('currentAccount', {})).toMatchObject({ status: 401, code: 406 });
    const signIn = { body: { email: customer.email, password: 'another password' } };
    expect(await world.anonymousUser.call('signInClient', signIn)).toMatchObject({ status: 401, code: 1 });
  });

  it('leaves nothing of a password but an argon2id hash', async () => {
    const customer = await makeCustomer(world);
    const { db } = world.server.services;
    const [row] = await db.select().from(client).where(eq(client.id, customer.id));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$/);
    expect(await db.select().from(signInAttempt)).not.toContainEqual(
      expect.objectContaining({ key: expect.stringContaining(`pair:client:${customer.email}`) }),
    );
  });
});
