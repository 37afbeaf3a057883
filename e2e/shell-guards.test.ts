import {
  makeCustomer,
  readSetting,
  saveSetting,
  startWorld,
  unique,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, forgetWindows, openConsole, seen, signIn } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the way in: root, unknown paths and screens without a session lead where the specification says', async () => {
  const { page, close, scriptErrors } = await openConsole(world.adminUrl);
  await page.waitForURL(/\/auth\/jwt\/sign-in$/);
  await page.goto('/no/such/page');
  await seen(page.getByRole('heading', { name: 'Page not found' }));
  // The address stays, to be read and mended.
  expect(new URL(page.url()).pathname).toBe('/no/such/page');

  await page.goto('/dashboard/site/list?domain_name=example');
  await page.waitForURL(/\/auth\/jwt\/sign-in\?returnTo=/);
  expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/dashboard/site/list?domain_name=example');
  expect(await page.evaluate(() => localStorage.getItem('returnTo'))).toBe(
    '/dashboard/site/list?domain_name=example',
  );
  for (const path of ['/faqs', '/privacy-policy', '/auth/jwt/sign-up']) {
    await page.goto(path);
    await seen(page.locator('h1'));
    expect(new URL(page.url()).pathname).toBe(path);
  }
  expect(scriptErrors).toEqual([]);
  await close();
});

test('who is signed in passes by the pages of guests, and never to another host', async () => {
  const { page, close } = await openShell(world);
  await page.goto('/auth/jwt/sign-up');
  await page.waitForURL(/\/dashboard$/);
  await page.goto('/auth/jwt/sign-in?returnTo=%2Fdashboard%2Fnode%2Fnode');
  await page.waitForURL(/\/dashboard\/node\/node$/);
  await page.goto('/auth/jwt/sign-in?returnTo=https%3A%2F%2Fevil.example.com%2Fdashboard');
  await page.waitForURL((url) => url.pathname === '/dashboard');
  expect(page.url().startsWith(world.adminUrl)).toBe(true);
  await close();
});

test('while the server is asked who this is, the whole window waits', async () => {
  const { page, close } = await openShell(world);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/prod-api\/auth\/info/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/site/list');
  const waiting = page.getByRole('status', { name: 'Loading…' });
  // It is drawn once before the console's code is there, and once by its router.
  await expect.poll(() => waiting.boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
  answer();
  await seen(page.getByRole('heading', { name: 'Sites', exact: true }));
  await waiting.waitFor({ state: 'detached' });
  await close();
});

test('the sign-in page welcomes by the name of the application and the tip of the operator', async () => {
  const setting = await readSetting(world, 'ConsoleSetting');
  await saveSetting(world, 'ConsoleSetting', {
    ...setting,
    welcome_tip: { zh: '您好，运维', en: 'Hello, operator' },
  });
  const { page, close } = await openConsole(world.adminUrl);
  await seen(page.getByText('Welcome to Breakwater'));
  await seen(page.getByText('Hello, operator'));
  // No way in is shown that nobody has set up.
  expect(await page.locator('[aria-disabled=true]').count()).toBe(0);
  expect((await page.locator('form').boundingBox())?.width).toBe(420);
  await close();
});

test('a customer signs up and is in; a closed sign-up says so', async () => {
  const { page, close, scriptErrors } = await openConsole(world.userUrl);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await seen(page.getByText('This field is required'));
  const email = `${unique('new')}@example.com`;
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await seen(page.getByText('Too short'));
  await page.getByLabel('Password', { exact: true }).fill('long enough a password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/dashboard$/);
  expect(
    await page.evaluate(() => [localStorage.getItem('isuser'), localStorage.getItem('isAdmin')]),
  ).toEqual(['true', null]);
  expect(scriptErrors).toEqual([]);
  await close();

  const setting = await readSetting(world, 'ConsoleSetting');
  await saveSetting(world, 'ConsoleSetting', { ...setting, sign_up: false });
  const late = await openConsole(world.userUrl);
  await late.page.goto('/auth/jwt/sign-up');
  await seen(late.page.getByText('Sign-up is disabled'));
  await late.close();
  await saveSetting(world, 'ConsoleSetting', { ...setting, sign_up: true });
});

test('three requests in flight when the session ends: one way out, and back to where one was', async () => {
  const customer = await makeCustomer(world);
  const { page, close, scriptErrors } = await openShell(world, {
    customer,
    path: '/dashboard/finance/order',
  });
  // What this screen and its frame ask for has come: what is held below are the next one's.
  await page.waitForLoadState('networkidle');
  await world.admin.get('changeClientPassword', {
    params: { id: customer.id },
    body: { password: 'another password' },
  });
  // Held until three are on their way, so that each of them is refused.
  const flying: (() => Promise<void>)[] = [];
  await page.route(/\/prod-api\//, async (route) => {
    flying.push(() => route.continue());
    if (flying.length >= 3) await Promise.all(flying.splice(0).map((go) => go()));
  });
  const codes: number[] = [];
  page.on('response', (response) => {
    if (response.status() === 401)
      void response.json().then(
        ({ code }: { code: number }) => codes.push(code),
        () => undefined,
      );
  });
  const visits: string[] = [];
  page.on('framenavigated', (frame) => visits.push(new URL(frame.url()).pathname));
  // The home screen asks for several figures at once; each is refused.
  await page.getByRole('navigation').first().getByRole('link', { name: 'Home', exact: true }).click();
  await page.waitForURL(/\/auth\/jwt\/sign-in/);
  await seen(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect(visits.filter((path) => path === '/auth/jwt/sign-in')).toHaveLength(1);
  await expect.poll(() => [...new Set(codes)]).toEqual([406]);
  expect(
    await page.evaluate(() =>
      ['jwt_access_token', 'isAdmin', 'expires_in'].map((key) => localStorage.getItem(key)),
    ),
  ).toEqual([null, null, null]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await signIn(page, customer.email, 'another password');
  await page.waitForURL(/\/dashboard(\/finance\/order)?$/);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('storage that throws is logged, and the console works on', async () => {
  const { page, close, scriptErrors } = await openConsole(world.adminUrl);
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()));
  await page.addInitScript(() => {
    for (const name of ['getItem', 'setItem', 'removeItem'] as const)
      Storage.prototype[name] = () => {
        throw new DOMException('no room', 'QuotaExceededError');
      };
  });
  await page.goto('/');
  await page.waitForURL(/sign-in/);
  await page.getByRole('button', { name: '语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await signIn(page, 'admin', world.adminPassword);
  await page.waitForURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await page.locator('[data-color-scheme=dark]').waitFor();
  await page.getByRole('navigation').first().getByRole('link', { name: 'Sites', exact: true }).click();
  await seen(page.getByRole('heading', { name: 'Sites', exact: true }));
  expect(logged.some((text) => text.startsWith('cannot write jwt_access_token to storage'))).toBe(true);
  expect(scriptErrors).toEqual([]);
  await close();
});

test('a rejection that nobody waited for stays out of sight, and operators find it', async () => {
  const { page, close, scriptErrors } = await openShell(world);
  const { console_faults: before } = await world.admin.get('getSystemInfo', {});
  await page.evaluate(() => {
    for (let n = 0; n < 3; n++) void Promise.reject(new TypeError('nobody caught this'));
  });
  // The same one is told once.
  await expect.poll(async () => (await world.admin.get('getSystemInfo', {})).console_faults).toBe(before + 1);
  expect(scriptErrors.splice(0)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('nobody caught this')),
  );
  await seen(page.locator('main h1'));
  await page.reload();
  await seen(page.getByText(/unhandled errors? on console pages/));
  expect(scriptErrors).toEqual([]);
  await close();
});

test('a server that is away: the error page, with a retry that works once it is back', async () => {
  // Code of a screen that was fetched before is shown all the same.
  await forgetWindows();
  const { page, close } = await openShell(world, { language: 'zh' });
  await world.stopControlPlane();
  try {
    await page.getByRole('link', { name: '客户', exact: true }).click();
    await seen(page.getByRole('heading', { name: '哎呀！出了点问题' }));
    await seen(page.getByText('服务暂不可用，请稍后再试'));
    await page.getByRole('button', { name: '重试' }).click();
    await seen(page.getByRole('heading', { name: '哎呀！出了点问题' }));
  } finally {
    await world.startControlPlane();
  }
  await page.getByRole('button', { name: '重试' }).click();
  await seen(page.getByRole('heading', { name: '客户', exact: true }));
  await close();
});

test('a call that nobody answers ends after 30 seconds, and one that does not get through says so', async () => {
  const { page, close } = await openShell(world);
  await page.clock.install();
  await page.route('**/prod-api/area?**', () => {
    // It stays unanswered.
  });
  const asked = page.waitForRequest('**/prod-api/area?**');
  await page.goto('/dashboard/node/area');
  await asked;
  // The list may be asked for before the screen is there, which begins to count then.
  await seen(page.getByRole('heading', { name: 'Areas', exact: true }));
  await page.clock.fastForward(29_000);
  expect(await page.getByText(/Timeout/).count()).toBe(0);
  await page.clock.fastForward(2000);
  await seen(page.getByText(/Timeout: no response from the server/));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.clock.resume();

  await page.route('**/prod-api/tags?**', (route) => route.abort());
  await page.goto('/dashboard/site/tags');
  await seen(page.getByText(/Connection exception/));
  await close();
});

test('a console that cannot learn where its server is shows the error page, with a way home', async () => {
  const { page, close } = await openShell(world);
  await world.stopControlPlane();
  try {
    // Who comes back to a window that the browser had kept finds a console, and no server.
    await page.getByRole('button', { name: 'Node management' }).click();
    await page.getByRole('link', { name: 'Areas' }).click();
    await seen(page.getByRole('alert').getByRole('link', { name: 'Back to home' }));
    expect(await page.getByRole('alert').getByRole('link').getAttribute('href')).toBe('/');
  } finally {
    await world.startControlPlane();
  }
  await close();
});

test('what even the error page cannot show has a last page, with a way to try again', async () => {
  const { page, close } = await openConsole(world.adminUrl, 'zh');
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken') === null) return;
    // No picture can be drawn, neither a screen's nor the error page's.
    Document.prototype.createElementNS = () => {
      throw new Error('no pictures here');
    };
  });
  await page.evaluate(() => sessionStorage.setItem('broken', 'true'));
  await page.goto('/auth/jwt/sign-in');
  const last = page.getByRole('alert');
  await seen(last.getByRole('heading', { name: '哎呀！出了点问题' }));
  await seen(last.getByText('no pictures here'));
  await page.evaluate(() => sessionStorage.removeItem('broken'));
  await last.getByRole('button', { name: '重试' }).click();
  await seen(page.getByRole('button', { name: '登录', exact: true }));
  expect(await page.getByRole('alert').count()).toBe(0);
  await close();
});
