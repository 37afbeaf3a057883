import { consoleSettingDefault } from '@breakwater/contract';
import { makeApiClient, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('the console setting', () => {
  it('is read by anybody and changed by an owner', async () => {
    expect(await world.anonymous.get('getConsoleSetting', {})).toEqual(consoleSettingDefault);
    const banner = { ...consoleSettingDefault.upgrade_banner, shown: true, link: 'https://example.com/buy' };
    const changed = { ...consoleSettingDefault, upgrade_banner: banner };
    await world.admin.get('updateConsoleSetting', { body: changed });
    expect(await world.anonymousUser.get('getConsoleSetting', {})).toEqual(changed);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])('refuses the link %s', async (link) => {
    const body = {
      ...consoleSettingDefault,
      upgrade_banner: { ...consoleSettingDefault.upgrade_banner, link },
    };
    const answer = await world.admin.call('updateConsoleSetting', { body });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'upgrade_banner.link' }] });
  });
});

describe('what log lines do not have', () => {
  it('has names that are secrets almost everywhere, until an operator says otherwise', async () => {
    expect((await world.admin.get('getLogPrivacy', {})).mask_arguments).toContain('access_token');
    await world.admin.get('updateLogPrivacy', { body: { mask_arguments: [' Card ', 'a[b]'] } });
    expect(await world.admin.get('getLogPrivacy', {})).toEqual({ mask_arguments: ['card', 'a[b]'] });
    for (const name of ['', 'a b', 'a=b', 'x'.repeat(65)])
      expect(await world.admin.call('updateLogPrivacy', { body: { mask_arguments: [name] } })).toMatchObject({
        status: 400,
        errors: [{ path: 'mask_arguments.0' }],
      });
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
      errors: [{ path: 'email', message: 'This e-mail is taken' }],
    });
  });

  it('can be switched off', async () => {
    await world.admin.get('updateConsoleSetting', { body: { ...consoleSettingDefault, sign_up: false } });
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
