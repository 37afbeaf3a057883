import { consoleSettingDefault, errors, logShippingSettings, siteSettings } from '@breakwater/contract';
import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  readSetting,
  saveSetting,
  startWorld,
  trySetting,
  unique,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemActor } from '../../events/record-event.ts';
import { readSetting as readStored, saveSetting as saveStored } from './setting.store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('the console setting', () => {
  it('is read by anybody and changed by an owner', async () => {
    expect(await world.anonymous.get('getConsoleSetting', {})).toEqual({
      version: 0,
      value: consoleSettingDefault,
    });
    const banner = { ...consoleSettingDefault.upgrade_banner, shown: true, link: 'https://example.com/buy' };
    const value = { ...consoleSettingDefault, upgrade_banner: banner };
    await saveSetting(world, 'ConsoleSetting', value);
    expect(await world.anonymousUser.get('getConsoleSetting', {})).toEqual({ version: 1, value });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])('refuses the link %s', async (link) => {
    const answer = await trySetting(world, 'ConsoleSetting', {
      ...consoleSettingDefault,
      upgrade_banner: { ...consoleSettingDefault.upgrade_banner, link },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.upgrade_banner.link' }] });
  });
});

describe('what log lines do not have', () => {
  it('has names that are secrets almost everywhere, until an operator says otherwise', async () => {
    expect((await readSetting(world, 'LogPrivacy')).mask_arguments).toContain('access_token');
    await saveSetting(world, 'LogPrivacy', { mask_arguments: [' Card ', 'a[b]'] });
    expect(await readSetting(world, 'LogPrivacy')).toEqual({ mask_arguments: ['card', 'a[b]'] });
    for (const name of ['', 'a b', 'a=b', 'x'.repeat(65)])
      expect(await trySetting(world, 'LogPrivacy', { mask_arguments: [name] })).toMatchObject({
        status: 400,
        errors: [{ path: 'value.mask_arguments.0' }],
      });
  });
});

describe('a save', () => {
  it('that was built on an older version is refused, and the newer one stays', async () => {
    const { version, value } = await world.admin.get('getSiteSetting', {});
    const save = (check_hours: number) =>
      world.admin.call('updateSiteSetting', { body: { version, value: { ...value, check_hours } } });
    expect(await save(5)).toMatchObject({ status: 200, data: { version: version + 1 } });
    expect(await save(6)).toMatchObject({ status: 409, code: errors.stale_version.code });
    expect(await readSetting(world, 'SiteSetting')).toMatchObject({ check_hours: 5 });
  });

  it('of many at once is done by one', async () => {
    for (const _ of ['the first row', 'another version']) {
      const { version, value } = await world.admin.get('getRetention', {});
      const answers = await Promise.all(
        [2, 3, 4, 5].map((task_days) =>
          world.admin.call('updateRetention', { body: { version, value: { ...value, task_days } } }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 409, 409, 409,
      ]);
      const [done] = answers.filter(({ status }) => status === 200);
      expect(await world.admin.get('getRetention', {})).toEqual(done!.data);
    }
  });

  it('keeps a secret that it does not say, takes one away, and shows none', async () => {
    const shipping = { kind: 'http', http_url: 'https://logs.example.com/' };
    const stored = async () => {
      const { db, secrets } = world.server.services;
      const { value } = await readStored(db, logShippingSettings);
      const { http_authorization: sealed } = value;
      return sealed === undefined ? undefined : secrets.decrypt(sealed);
    };
    // Sealed it is longer than what may be typed.
    const long = 'x'.repeat(2000);
    const saved = await saveSetting(world, 'LogShipping', { ...shipping, http_authorization: long });
    expect(saved).toMatchObject({ http_authorization_set: true });
    expect(saved).not.toHaveProperty('http_authorization');
    expect(await stored()).toBe(long);
    await saveSetting(world, 'LogShipping', { ...saved, http_authorization: '' });
    expect(await stored()).toBe(long);
    expect(JSON.stringify(await world.admin.get('getSettings', {}))).not.toMatch(/xxxx|v2\./);
    const none = await saveSetting(world, 'LogShipping', { ...saved, http_authorization_set: false });
    expect(none).toMatchObject({ http_authorization_set: false });
    expect(await stored()).toBeUndefined();
  });

  it('is undone when what follows from it fails', async () => {
    const { services } = world.server;
    const before = await readStored(services.db, siteSettings);
    const value = { ...before.value, check_hours: 100 };
    const fail = async () => Promise.reject(new Error('what follows'));
    const save = saveStored(services, systemActor, siteSettings, { version: before.version, value }, fail);
    await expect(save).rejects.toThrow('what follows');
    expect(await readStored(services.db, siteSettings)).toEqual(before);
  });
});

describe('the list of settings', () => {
  it('has those that the caller may read, each as its own route answers it', async () => {
    const { list } = await world.admin.get('getSettings', {});
    expect(list.map(({ key }) => key).toSorted()).toEqual([
      'account_limits',
      'attack_notice',
      'console',
      'filing_setting',
      'flood',
      'http_filter_setting',
      'log_privacy',
      'log_retention',
      'log_shipping',
      'platform_https',
      'retention',
      'site',
      'site_port',
      'vulnerability_setting',
      'waf_setting',
    ]);
    const { updated_at: at, ...site } = list.find(({ key }) => key === 'site')!;
    expect(site).toEqual({ key: 'site', ...(await world.admin.get('getSiteSetting', {})) });
    expect(at).not.toBeNull();
    expect(list.find(({ key }) => key === 'site_port')).toMatchObject({ version: 0, updated_at: null });

    const { api: reader } = await makeAdministrator(world, ['setting.read']);
    const seen = await reader.get('getSettings', {});
    expect(seen.list.map(({ key }) => key)).not.toContain('log_retention');
    expect(seen.list).toHaveLength(14);
    expect((await reader.call('updateRetention', { body: { version: 0, value: {} } })).status).toBe(403);
  });

  it('is nothing for customers, for who may read none, or without a session', async () => {
    const customer = await makeCustomer(world);
    const { api: other } = await makeAdministrator(world, ['area.read']);
    expect((await customer.api.call('getSettings', {})).status).toBe(404);
    expect((await other.call('getSettings', {})).status).toBe(403);
    expect((await world.anonymous.call('getSettings', {})).status).toBe(401);
  });
});

describe('signing up', () => {
  const person = () => ({
    email: `${unique('new')}@example.com`,
    password: 'a long password',
    firstName: 'Li',
    lastName: 'Wei',
  });

  it('makes an account and a session', async () => {
    const body = person();
    const { accessToken } = await world.anonymousUser.get('signUp', { body });
    const account = await makeApiClient(() => world.userUrl, accessToken).get('currentAccount', {});
    expect(account).toMatchObject({ role: 'user', name: 'Li Wei', email: body.email, status: 'active' });
    const again = await world.anonymousUser.call('signUp', { body });
    expect(again).toMatchObject({
      status: 400,
      errors: [{ path: 'email', message: 'This email is taken' }],
    });
  });

  it('can be switched off', async () => {
    await saveSetting(world, 'ConsoleSetting', { ...consoleSettingDefault, sign_up: false });
    expect(await world.anonymousUser.call('signUp', { body: person() })).toMatchObject({ status: 403 });
  });

  it.each([
    ['password', { password: 'short' }],
    ['email', { email: 'nobody' }],
    ['firstName', { firstName: ' ' }],
  ])('names a wrong %s', async (path, wrong) => {
    const answer = await world.anonymousUser.call('signUp', { body: { ...person(), ...wrong } });
    expect(answer).toMatchObject({ status: 400, errors: [{ path }] });
  });
});
