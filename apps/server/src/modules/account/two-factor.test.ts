import {
  makeAdministrator,
  makeAdministratorIn,
  makeCustomer,
  makeMember,
  startWorld,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq, like, sql } from 'drizzle-orm';
import { Secret, TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { operationLog, recoveryCode, signInAttempt, twoFactor } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());
/** All of them come from one address, which may be wrong only so often. */
beforeEach(() => world.server.services.db.delete(signInAttempt));
const stepMs = 30_000;
/** It is the middle of a step, here and in the server: between making a code and sending it none ends. */
beforeEach(() => {
  const now = Math.floor(Date.now() / stepMs) * stepMs + stepMs / 2;
  vi.useFakeTimers({ toFake: ['Date'], now });
  return () => vi.useRealTimers();
});

interface Somebody {
  id: number;
  api: ApiClient;
  password: string;
  name: string;
  tryIn(one_time_code?: string, password?: string): ReturnType<ApiClient['call']>;
  reset(): ReturnType<ApiClient['call']>;
}
async function administrator(): Promise<Somebody> {
  const one = await makeAdministrator(world, ['area.read']);
  return {
    ...one,
    name: one.username,
    tryIn: (one_time_code, password = one.password) =>
      world.anonymous.call('signInAdmin', {
        body: { username: one.username, password, ...(one_time_code === undefined ? {} : { one_time_code }) },
      }),
    reset: () => world.admin.call('resetAdminTwoFactor', { params: { id: one.id } }),
  };
}
async function customer(): Promise<Somebody> {
  const one = await makeCustomer(world);
  return {
    ...one,
    name: one.email,
    tryIn: (one_time_code, password = one.password) =>
      world.anonymousUser.call('signInClient', {
        body: { email: one.email, password, ...(one_time_code === undefined ? {} : { one_time_code }) },
      }),
    reset: () => world.admin.call('resetClientTwoFactor', { params: { id: one.id } }),
  };
}
async function member(): Promise<Somebody> {
  const one = await makeMember(world, (await makeCustomer(world)).api, ['site.read']);
  return {
    ...one,
    name: one.email,
    tryIn: (one_time_code, password = one.password) =>
      world.anonymousUser.call('signInClient', {
        body: { email: one.email, password, ...(one_time_code === undefined ? {} : { one_time_code }) },
      }),
    reset: () => world.admin.call('resetMemberTwoFactor', { params: { id: one.id } }),
  };
}
const everybody = [
  ['an administrator', administrator],
  ['a customer', customer],
  ['a member', member],
] as const;

/** A code of an app, for the step that is so many from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * stepMs });

/** Switches it on, with the code of the step before: that of now is left to sign in with. */
async function switchOn({ api, password }: Somebody) {
  const { secret } = await api.get('startTwoFactor', { body: { password } });
  const { recovery_codes } = await api.get('confirmTwoFactor', {
    body: { one_time_code: codeOf(secret, -1) },
  });
  return { secret, codes: recovery_codes };
}
const needed = { status: 401, code: 40_101 };
const wrong = {
  status: 401,
  code: 40_102,
  errors: [{ path: 'one_time_code', message: 'This code is incorrect or has expired' }],
};

describe.each(everybody)('two-factor authentication of %s', (_, make) => {
  it('counts once a code was confirmed, and from then on a sign-in asks for one', async () => {
    const one = await make();
    expect(await one.api.call('startTwoFactor', { body: { password: 'wrong' } })).toMatchObject({
      status: 400,
      errors: [{ path: 'password' }],
    });
    const { secret, otpauth_uri } = await one.api.get('startTwoFactor', { body: { password: one.password } });
    const read = URI.parse(otpauth_uri) as TOTP;
    expect(read).toMatchObject({ issuer: 'Breakwater', label: one.name, digits: 6, period: 30 });
    expect(read.secret.base32).toBe(secret);
    expect((await one.tryIn()).status).toBe(200);
    const confirm = (one_time_code: string) => one.api.call('confirmTwoFactor', { body: { one_time_code } });
    expect(await confirm('000000')).toMatchObject({ status: 400, errors: [{ path: 'one_time_code' }] });
    const { data } = await confirm(codeOf(secret, -1));
    expect(data.recovery_codes).toHaveLength(10);
    expect(await one.api.get('getTwoFactor', {})).toEqual({
      enabled_at: expect.any(String),
      recovery_codes_left: 10,
    });
    expect(await one.tryIn()).toMatchObject(needed);
    expect(await one.tryIn('000000')).toMatchObject(wrong);
    expect(await one.tryIn(codeOf(secret), 'wrong')).toMatchObject({ status: 401, code: 1 });
    expect(await one.tryIn(codeOf(secret))).toMatchObject({ status: 200 });
    expect(await one.api.call('startTwoFactor', { body: { password: one.password } })).toMatchObject({
      status: 409,
    });
  });

  it('takes no code twice, nor one of a step before, also at the same moment', async () => {
    const one = await make();
    const { secret } = await switchOn(one);
    const code = codeOf(secret);
    const answers = await Promise.all([one.tryIn(code), one.tryIn(code)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(await one.tryIn(code)).toMatchObject(wrong);
    expect(await one.tryIn(codeOf(secret, -1))).toMatchObject(wrong);
    expect(await one.tryIn(codeOf(secret, 1))).toMatchObject({ status: 200 });
  });

  it('takes each recovery code once, however it is written, also at the same moment', async () => {
    const one = await make();
    const { codes } = await switchOn(one);
    expect(new Set(codes).size).toBe(10);
    const answers = await Promise.all([one.tryIn(codes[0]), one.tryIn(codes[0])]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect((await one.tryIn(codes[1]!.replaceAll('-', ' ').toUpperCase())).status).toBe(200);
    expect((await one.api.get('getTwoFactor', {})).recovery_codes_left).toBe(8);
  });

  it('takes no recovery code of somebody else', async () => {
    const [one, other] = [await make(), await make()];
    const { codes } = await switchOn(one);
    await switchOn(other);
    expect(await other.tryIn(codes[0])).toMatchObject(wrong);
    expect((await one.tryIn(codes[0])).status).toBe(200);
  });

  it('has new recovery codes, and is switched off, for the password and a code', async () => {
    const one = await make();
    const { secret, codes } = await switchOn(one);
    const renew = (password: string, one_time_code: string) =>
      one.api.call('renewRecoveryCodes', { body: { password, one_time_code } });
    expect(await renew('wrong', codeOf(secret))).toMatchObject({ errors: [{ path: 'password' }] });
    expect(await renew(one.password, '000000')).toMatchObject({ errors: [{ path: 'one_time_code' }] });
    const code = codeOf(secret);
    const { data } = await renew(one.password, code);
    expect(await one.tryIn(codes[0])).toMatchObject(wrong);
    const disable = (one_time_code: string) =>
      one.api.call('disableTwoFactor', { body: { password: one.password, one_time_code } });
    expect(await disable(code)).toMatchObject({ status: 400, errors: [{ path: 'one_time_code' }] });
    expect((await disable(data.recovery_codes[0]!)).status).toBe(200);
    expect((await one.tryIn()).status).toBe(200);
    expect(await one.api.get('getTwoFactor', {})).toEqual({ enabled_at: null, recovery_codes_left: 0 });
  });

  it('is reset by whoever may set the password, which ends the sessions', async () => {
    const one = await make();
    await switchOn(one);
    expect((await one.reset()).status).toBe(200);
    expect(await one.api.call('currentAccount', {})).toMatchObject({ status: 401, code: 406 });
    expect((await one.tryIn()).status).toBe(200);
  });

  it('keeps its secrets sealed or hashed, and out of the operation log', async () => {
    const one = await make();
    const { secret, codes } = await switchOn(one);
    const { db } = world.server.services;
    const rows = JSON.stringify([
      await db.select().from(twoFactor),
      await db.select().from(recoveryCode),
      await db.select().from(operationLog).where(like(operationLog.path, '/prod-api/account/%')),
    ]);
    expect(rows).not.toContain(secret);
    for (const code of codes) expect(rows).not.toContain(code);
    expect(rows).not.toContain(one.password);
  });
});

describe('codes', () => {
  it('are guessed ten times from everywhere together; a recovery code is taken all the same', async () => {
    const one = await administrator();
    const { secret, codes } = await switchOn(one);
    const { db } = world.server.services;
    // Each from an address of its own: what is counted by address and account is forgotten in between.
    const forget = () => db.delete(signInAttempt).where(sql`${signInAttempt.key} NOT LIKE 'code:%'`);
    for (let n = 0; n < 10; n++) {
      await forget();
      expect(await one.tryIn(String(n).padStart(6, '0'))).toMatchObject({ status: 401 });
    }
    await forget();
    expect(await one.tryIn(codeOf(secret))).toMatchObject({ status: 429 });
    expect((await one.tryIn(codes[0])).status).toBe(200);
  }, 20_000);

  it('that are asked for are no failures: who signs in often is not refused', async () => {
    const one = await customer();
    await switchOn(one);
    for (let n = 0; n < 8; n++) expect(await one.tryIn()).toMatchObject(needed);
  });
});

describe('whose two-factor somebody may reset', () => {
  it('is of nobody who holds more', async () => {
    const manager = await makeAdministrator(world, ['admin_user.read', 'admin_user.write']);
    const { list } = await world.admin.get('listAdminGroups', { query: {} });
    const owner = await makeAdministratorIn(world, list.find(({ builtin }) => builtin === 'owner')!.id);
    const params = { id: owner.id };
    expect(await manager.api.call('resetAdminTwoFactor', { params })).toMatchObject({
      status: 403,
      code: 40_301,
    });
    expect((await world.admin.call('resetAdminTwoFactor', { params })).status).toBe(200);
  });

  it('is of customers for those who may set their passwords', async () => {
    const one = await customer();
    const support = await makeAdministrator(world, ['client.read', 'client.write']);
    const params = { id: one.id };
    expect(await support.api.call('resetClientTwoFactor', { params })).toMatchObject({ status: 403 });
    expect(await world.admin.call('resetClientTwoFactor', { params: { id: 1_000_000 } })).toMatchObject({
      status: 404,
    });
  });

  it('shows in the lists of administrators and customers', async () => {
    const [one, other] = [await administrator(), await customer()];
    const shown = async () => [
      (await world.admin.get('getAdminUser', { params: { id: one.id } })).two_factor,
      (await world.admin.get('getClient', { params: { id: other.id } })).two_factor,
    ];
    await one.api.get('startTwoFactor', { body: { password: one.password } });
    expect(await shown()).toEqual([false, false]);
    await Promise.all([switchOn(one), switchOn(other)]);
    expect(await shown()).toEqual([true, true]);
    const { db } = world.server.services;
    expect(await db.$count(twoFactor, eq(twoFactor.clientId, other.id))).toBe(1);
  });
});
