import { accountLimits } from '@breakwater/contract';
import {
  makeApiClient,
  makeCustomer,
  makeMember,
  saveSetting,
  startWorld,
  trySetting,
  waitFor,
  type Customer,
  type World,
  unique,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { accountUsage } from '../db/schema.ts';
import { buildListener } from '../listener.ts';
import { AccountLimits, pruneAccountUsage } from './account-limits.ts';

/** Two servers on one database, with what each of them holds in memory. */

const metricsToken = 'a token for the figures';
let world: World;
let one: Customer;
let other: Customer;
let token: string;
const urls: string[] = [];
const closers: (() => Promise<unknown>)[] = [];
const max = { requests_per_minute: 40, expensive_per_minute: 10, uploads_per_hour: 2, refreshes_per_hour: 3 };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), metricsToken });
  [one, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  const { email, password } = one;
  ({ token } = await world.anonymousUser.get('signInClient', { body: { email, password } }));
  await saveSetting(world, 'AccountLimits', max);
  const { services } = world.server;
  for (let server = 0; server < 2; server++) {
    const app = await buildListener({ ...services, limits: new AccountLimits(services.db) }, 'user');
    await app.listen({ host: '127.0.0.1', port: 0 });
    urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    closers.push(() => app.close());
  }
});
afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
  await world?.close();
});

const tokenOf = async ({ email, password }: Customer) =>
  (await world.anonymousUser.get('signInClient', { body: { email, password } })).token;
const on = (server: number, by: string, language: 'zh' | 'en' = 'en') =>
  makeApiClient(() => urls[server]!, by, language);
const forget = () => world.server.services.db.delete(accountUsage);
const expensive = (server: number, by: string) => on(server, by).call('listAccessLogs', { query: {} });

describe('expensive questions of one account', () => {
  it('are counted together on all servers and for all its sessions and members, and no other account is affected', async () => {
    await forget();
    const { email, password } = await makeMember(world, one.api, ['access_log.read']);
    const body = { email, password };
    const { token: second } = await world.anonymousUser.get('signInClient', { body });
    const asked = Array.from({ length: 14 }, (_, n) => expensive(n % 2, n % 3 === 0 ? second : token));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(max.expensive_per_minute);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const answer of refused) {
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(answer).toMatchObject({
        code: 42_902,
        message: 'Too many requests from this account. Try again later',
      });
    }
    expect((await expensive(0, await tokenOf(other))).status).toBe(200);
    // What costs little goes on.
    expect((await on(0, token).call('listSites', { query: {} })).status).toBe(200);
  });

  it('are open again with the next window', async () => {
    await world.server.services.db.update(accountUsage).set({ endsAt: sql`now() - interval '1 second'` });
    expect((await expensive(1, token)).status).toBe(200);
  });
});

it('uploads are counted before their body is read', async () => {
  await forget();
  const form = () => new FormData();
  for (const status of [400, 400, 429, 429])
    expect((await on(status % 2, token).send('POST', '/prod-api/site/import', form())).status).toBe(status);
});

it('refreshes are counted', async () => {
  await forget();
  const params = { id: 1_000_000 };
  for (const status of [404, 404, 404, 429])
    expect((await on(0, token).call('refreshAddressList', { params })).status).toBe(status);
});

it('requests are counted in each process, and others go on', async () => {
  const third = await makeCustomer(world);
  const by = await tokenOf(third);
  const answers = await Promise.all(
    Array.from({ length: max.requests_per_minute + 5 }, () => on(0, by, 'zh').call('getMenu', {})),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  expect(answers.find(({ status }) => status === 429)!.message).toBe('账号请求过于频繁，请稍后再试');
  expect((await on(1, by).call('getMenu', {})).status).toBe(200);
  expect((await on(0, await tokenOf(other)).call('getMenu', {})).status).toBe(200);
});

it('the figures say how many were refused', async () => {
  const { limits } = world.server.services;
  /** An account of its own each time, which has asked for nothing yet. */
  const refused = async () => {
    const account = unique('client');
    for (let call = 0; call < max.refreshes_per_hour; call++) await limits.take(account, 'refresh');
    return limits.take(account, 'refresh').then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.error === 'too_many_requests',
    );
  };
  // This process may know the setting of five seconds ago.
  await waitFor('a refusal', refused);
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${world.adminUrl}/metrics`, { headers })).text();
  expect(text).toMatch(/^breakwater_account_limit_refusals_total\{kind="refresh"\} [1-9]/m);
});

it('windows that are over are forgotten', async () => {
  const { db } = world.server.services;
  await db.update(accountUsage).set({ endsAt: sql`now() - interval '1 second'` });
  await pruneAccountUsage(db);
  expect(await db.$count(accountUsage)).toBe(0);
});

it('the setting is for owners, and has an end at both sides', async () => {
  expect(await trySetting(world, 'AccountLimits', { ...max, uploads_per_hour: 0 })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.uploads_per_hour' }],
  });
  expect(await one.api.send('GET', '/prod-api/setting/account_limits')).toMatchObject({ status: 404 });
  expect(accountLimits.parse({})).toEqual({
    requests_per_minute: 6000,
    expensive_per_minute: 1200,
    uploads_per_hour: 600,
    refreshes_per_hour: 600,
  });
});
