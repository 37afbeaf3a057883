import { makeCustomer, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn } from './browser.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('a wrong password is told in the language of the reader', async () => {
  const { page, close } = await openConsole(world.adminUrl, 'zh');
  await signIn(page, 'admin', 'wrong', 'zh');
  await seen(page.getByRole('alert').getByText('失败。密码或账号错误'));

  await page.getByRole('button', { name: '语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await signIn(page, 'admin', 'wrong');
  await seen(page.getByRole('alert').getByText('Failed: wrong password or account'));
  await close();
});

test('who chose no language sees the operator’s default, or what the browser asks for', async () => {
  const visitor = await openConsole(world.userUrl);
  const headingFor = async (language: 'zh' | 'en' | 'browser', locale: string) => {
    const { version, value } = await world.admin.get('getConsoleSetting', {});
    await world.admin.get('updateConsoleSetting', { body: { version, value: { ...value, language } } });
    const context = await visitor.context.browser()!.newContext({ baseURL: world.userUrl, locale });
    const page = await context.newPage();
    await page.goto('/auth/jwt/sign-in');
    const text = await page.getByRole('heading', { level: 1 }).textContent();
    await context.close();
    return text;
  };
  expect(await headingFor('en', 'zh-CN')).toBe('Sign in to the console');
  expect(await headingFor('browser', 'en-GB')).toBe('Sign in to the console');
  expect(await headingFor('browser', 'fr-FR')).toBe('登录控制台');
  expect(await headingFor('zh', 'en-GB')).toBe('登录控制台');
  await visitor.close();
});

test('empty fields are told before anything is sent', async () => {
  const { page, close } = await openConsole(world.adminUrl);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await seen(page.getByText('This field is required'));
  expect(await page.getByText('This field is required').count()).toBe(2);
  await close();
});

test('who was on the way to a screen comes to it after signing in', async () => {
  const { page, close, scriptErrors } = await openConsole(world.adminUrl);
  await page.goto('/dashboard/node/node?name=local');
  await page.waitForURL(/\/auth\/jwt\/sign-in\?returnTo=/);
  await signIn(page, 'admin', world.adminPassword);
  await page.waitForURL(/\/dashboard\/node\/node\?name=local/);
  await seen(page.getByRole('row').filter({ hasText: 'local' }));

  await page.goto('/auth/jwt/sign-in');
  await page.waitForURL(/\/dashboard$/);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('a session that the server ended leads to sign-in once, whatever was in flight', async () => {
  const customer = await makeCustomer(world);
  const { page, close, scriptErrors } = await openConsole(world.userUrl);
  await page.goto('/dashboard/statistics/monitor?refresh=5');
  await signIn(page, customer.email, customer.password);
  await page.waitForURL(/\/dashboard\/statistics\/monitor/);
  await seen(page.getByRole('region', { name: 'Bandwidth' }));

  // The screen asks for all its figures at once, every five seconds: each of them is refused.
  const visits: string[] = [];
  page.on('framenavigated', (frame) => visits.push(new URL(frame.url()).pathname));
  await world.admin.get('changeClientPassword', {
    params: { id: customer.id },
    body: { password: 'another password' },
  });
  await page.waitForURL(/\/auth\/jwt\/sign-in/);
  const stored = await page.evaluate(() =>
    ['jwt_access_token', 'isAdmin', 'expires_in'].map((key) => localStorage.getItem(key)),
  );
  expect(stored).toEqual([null, null, null]);
  await seen(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect(visits.filter((path) => path === '/auth/jwt/sign-in')).toHaveLength(1);

  await signIn(page, customer.email, 'another password');
  await page.waitForURL(/\/dashboard\/statistics\/monitor\?refresh=5/);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('the keys of the session are those of the specification', async () => {
  const { page, close } = await openConsole(world.adminUrl);
  await signIn(page, 'admin', world.adminPassword);
  await page.waitForURL(/\/dashboard$/);
  const keys = await waitFor('the account in storage', () =>
    page.evaluate(() =>
      localStorage.getItem('LoginInfos') === null
        ? undefined
        : Object.fromEntries(Object.entries(localStorage) as [string, string][]),
    ),
  );
  expect(keys).toMatchObject({
    isAdmin: 'true',
    user_id: expect.stringMatching(/^\d+$/),
    LoginInfo: '{"username":"admin"}',
  });
  expect(JSON.parse(keys['expires_in'] ?? '')).toEqual({
    loginTime: expect.any(Number),
    expires_in: expect.any(Number),
  });
  expect(Object.keys(JSON.parse(keys['LoginInfos'] ?? '') as object)).toEqual([
    'name',
    'email',
    'last_login_ip',
  ]);
  await close();
});
