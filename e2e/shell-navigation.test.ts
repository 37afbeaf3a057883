import { screens, type Menu } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { operation } from '../apps/server/src/db/schema.ts';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let siteId: number;
const domain = 'findme.example.com';

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  siteId = (await makeSite(world.admin, { domain })).id;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** More than there are entries in all menus. */
const tabsMax = 100;

test('a group opens on click, holds the page, and closes when one has left it', async () => {
  const { page, close, complaints } = await openShell(world);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const group = navigation.getByRole('button', { name: 'Node management' });
  expect(await group.getAttribute('aria-expanded')).toBe('false');
  await group.click();
  await navigation.getByRole('link', { name: 'Areas' }).click();
  await page.waitForURL(/\/node\/area$/);
  expect(await navigation.getByRole('link', { name: 'Areas' }).getAttribute('aria-current')).toBe('page');
  await expect.poll(() => navigation.locator('[aria-current=page]').count()).toBe(1);
  expect(await group.getAttribute('aria-expanded')).toBe('true');
  await navigation.getByRole('link', { name: 'Sites', exact: true }).click();
  await page.waitForURL(/\/site\/list$/);
  await seen(navigation.getByRole('button', { name: 'Node management', expanded: false }));

  const docs = navigation.getByRole('link', { name: /API docs/ });
  expect(await docs.getAttribute('target')).toBe('_blank');
  expect(complaints).toEqual([]);
  await close();
});

test('an entry shows its badge and caption; a disabled one leads nowhere, and an icon that cannot be had is a neutral one', async () => {
  await world.server.services.db.insert(operation).values({
    kind: 'site_create',
    title: 'x',
    subjectKind: 'site',
    subjectId: 1,
    createdBy: 'test',
    state: 'failed',
  });
  const asked: string[] = [];
  const { page, close } = await openShell(world);
  await page.route(/api\.(iconify\.design|simplesvg\.com|unisvg\.com)/, (route) => {
    asked.push(new URL(route.request().url()).hostname);
    return route.abort();
  });
  // The server's own answer, with what no entry of today's menus has.
  await page.route(/\/prod-api\/menu/, async (route) => {
    const response = await route.fetch();
    const envelope = (await response.json()) as { data: { menu: Menu } };
    for (const entry of envelope.data.menu.flatMap(({ items }) => items)) {
      if (entry.path === screens.orders.path) entry.disabled = true;
      if (entry.path === screens.clients.path) entry.icon = 'nobody:has-this';
      if (entry.path === screens.products.path) entry.roles = ['user'];
    }
    await route.fulfill({ response, json: envelope });
  });
  await page.reload();
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await seen(navigation.getByRole('link', { name: /^Tasks\s*1$/ }));
  await seen(navigation.getByRole('link', { name: /API docs/ }).getByText('Opens in a new tab'));
  await seen(navigation.locator('[aria-disabled=true]').getByText('Orders'));
  expect(await navigation.getByRole('link', { name: 'Orders', exact: true }).count()).toBe(0);
  expect(await navigation.getByRole('link', { name: 'Products' }).count()).toBe(0);
  await expect.poll(() => new Set(asked).size).toBe(3);
  expect(await navigation.getByRole('link', { name: 'Customers' }).locator('svg').count()).toBe(1);
  await close();
});

test('a navigation moves the focus to the heading and names the window', async () => {
  const { page, close } = await openShell(world);
  await page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Orders', exact: true })
    .click();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await page.title()).toBe('Orders · Breakwater');
  await page.goto('/dashboard');
  await page.locator('main h1').waitFor();
  await page.keyboard.press('Tab');
  await seen(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await close();
});

test('a page that takes long to come gets the focus all the same, and is not called by the one before', async () => {
  const { page, close } = await openShell(world);
  let deliver = () => {};
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route(/\/assets\/order-list-/, async (route) => {
    await held;
    await route.continue();
  });
  await page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Orders', exact: true })
    .click();
  await page.locator('main h1').waitFor({ state: 'hidden' });
  expect(await page.title()).toBe('Orders · Breakwater');
  deliver();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Orders');
  await close();
});

test('a page that draws its heading anew once it knows its object keeps the focus there', async () => {
  const { page, close } = await openShell(world);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await navigation.getByRole('button', { name: 'WAF centre' }).click();
  await navigation.getByRole('link', { name: 'Global rules' }).click();
  const tab = page.getByRole('tab', { name: 'Custom rules' });
  await seen(tab);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.keyboard.press('Tab');
  expect(await tab.evaluate((element) => element === document.activeElement)).toBe(true);
  await close();
});

test('mini and horizontal layouts have their sizes, and flyouts on hover and on focus', async () => {
  const { page, close } = await openShell(world);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const width = async () => Math.round((await navigation.boundingBox())!.width);
  const entry = page.getByRole('link', { name: 'Access logs' });
  expect(await width()).toBeGreaterThanOrEqual(239);
  await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
  await expect.poll(width).toBeLessThanOrEqual(88);
  expect(await entry.count()).toBe(0);
  await navigation.getByRole('button', { name: 'Statistics' }).hover();
  await seen(entry);
  expect((await page.locator('.MuiPopper-root', { has: entry }).boundingBox())!.width).toBeGreaterThanOrEqual(
    180,
  );
  await page.mouse.move(800, 600);
  await entry.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /Interface settings/ }).click();
  await page.getByRole('radio', { name: 'Horizontal' }).click();
  await page.keyboard.press('Escape');
  expect(Math.round((await navigation.boundingBox())!.height)).toBe(64);
  await navigation.getByRole('link', { name: 'Home', exact: true }).focus();
  await page.keyboard.press('Tab');
  await seen(entry);
  const isFocused = () => entry.evaluate((link) => link === document.activeElement);
  for (let step = 0; step < tabsMax && !(await isFocused()); step++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/http_access$/);
  await close();
});

test.each(['ltr', 'rtl'])(
  '%s: what has no room in the horizontal menu flies out, for the keyboard too',
  async (direction) => {
    const { page, close, complaints } = await openShell(world, {
      width: 1024,
      settings: { navLayout: 'horizontal', direction },
    });
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    const more = navigation.getByRole('button', { name: 'More' });
    await seen(more);
    const inside = async () => {
      const [bar, last] = [(await navigation.boundingBox())!, (await more.boundingBox())!];
      return last.x >= bar.x && last.x + last.width <= bar.x + bar.width;
    };
    expect(await inside()).toBe(true);
    expect(await navigation.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0);
    const tasks = navigation.getByRole('link', { name: 'Tasks' });
    expect(await tasks.count()).toBe(0);
    await navigation.getByRole('link', { name: 'Home', exact: true }).focus();
    // By keyboard alone: along the bar to the flyout, and within it to a group that flies out in turn.
    for (let steps = 0; steps < tabsMax && (await tasks.count()) === 0; steps += 1)
      await page.keyboard.press('Tab');
    await seen(tasks);
    const settings = navigation.getByRole('link', { name: 'Settings', exact: true });
    for (let steps = 0; steps < tabsMax && (await settings.count()) === 0; steps += 1)
      await page.keyboard.press('Tab');
    await seen(settings);
    const box = (await settings.boundingBox())!;
    expect(box.x >= 0 && box.x + box.width <= 1024).toBe(true);
    await settings.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/system\/setting$/);
    await seen(page.getByRole('heading', { name: 'Settings', exact: true }));
    expect(await more.getAttribute('aria-current')).toBe('true');

    await page.setViewportSize({ width: 3000, height: 900 });
    await more.waitFor({ state: 'detached' });
    await seen(navigation.getByRole('link', { name: 'Tasks' }));
    expect(complaints).toEqual([]);
    await close();
  },
);

test('on a phone the menu is a drawer that a navigation closes', async () => {
  const { page, close } = await openShell(world, { width: 360 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Main navigation' });
  expect((await drawer.boundingBox())!.width).toBeLessThanOrEqual(320);
  await drawer.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.waitForURL(/finance\/order$/);
  await drawer.waitFor({ state: 'detached' });
  expect((await page.locator('header').boundingBox())!.height).toBe(64);
  await close();
});

test('a change of language rebuilds menu, tabs and title', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/site/list' });
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: '简体中文' }).click();
  const navigation = page.getByRole('navigation', { name: '主导航' });
  await seen(navigation.getByRole('link', { name: '站点', exact: true }));
  await seen(page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link', { name: '站点' }));
  await page.waitForFunction(() => document.title.startsWith('站点'));
  expect(
    await page.evaluate(() => [localStorage.getItem('appLanguage'), document.documentElement.lang]),
  ).toEqual(['zh', 'zh-CN']);
  await close();
});

test('tabs open with pages, survive a reload, and close one, others, all, and by the middle button', async () => {
  const { page, close, complaints } = await openShell(world);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const tabs = page.getByRole('navigation', { name: 'Open pages' }).getByRole('link');
  for (const name of ['Sites', 'Certificates', 'Orders']) {
    await navigation.getByRole('link', { name, exact: true }).click();
    await seen(page.getByRole('heading', { name, exact: true }));
  }
  await expect.poll(() => tabs.allTextContents()).toEqual(['Home', 'Sites', 'Certificates', 'Orders']);
  await page.reload();
  await seen(page.getByRole('heading', { name: 'Orders', exact: true }));
  await expect.poll(() => tabs.allTextContents()).toEqual(['Home', 'Sites', 'Certificates', 'Orders']);

  await tabs.getByText('Certificates').click({ button: 'middle' });
  await expect.poll(() => tabs.allTextContents()).toEqual(['Home', 'Sites', 'Orders']);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Tab actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Close current');
  await page.waitForURL(/site\/list$/);
  await expect.poll(() => tabs.allTextContents()).toEqual(['Home', 'Sites']);
  await choose('Close others');
  await expect.poll(() => tabs.allTextContents()).toEqual(['Sites']);
  await choose('Close all');
  await page.waitForURL(/\/dashboard$/);
  await expect.poll(() => tabs.allTextContents()).toEqual(['Home']);
  expect(complaints).toEqual([]);
  await close();
});

test('of more tabs than there is room for, the current one is in sight, and it alone is current', async () => {
  const { page, close } = await openShell(world, { width: 768 });
  const current = page.getByRole('navigation', { name: 'Open pages' }).locator('[aria-current=page]');
  for (const path of [
    'node/node',
    'line_group/line_group',
    'product/product',
    'client/client',
    'finance/order',
    `site/sitedetail/${siteId}`,
  ]) {
    await page.goto(`/dashboard/${path}`);
    await seen(page.locator('main h1'));
  }
  await expect.poll(() => current.allTextContents()).toEqual([domain]);
  /** Whole pixels of it that are outside of the list. */
  const hidden = async () => {
    const [tab, list] = [
      (await current.boundingBox())!,
      (await current.locator('xpath=ancestor::ul').boundingBox())!,
    ];
    return Math.floor(Math.max(0, list.x - tab.x, tab.x + tab.width - list.x - list.width));
  };
  await expect.poll(hidden).toBe(0);
  await page.goBack();
  await expect.poll(() => current.allTextContents()).toEqual(['Orders']);
  await expect.poll(hidden).toBe(0);
  await close();
});

test('the search: by keyboard alone to a menu entry and to a site, and honest about nothing', async () => {
  const { page, close, complaints } = await openShell(world);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search' });
  await seen(page.getByText('Please enter keywords'));
  expect(await field.getAttribute('placeholder')).toBe('Search...');
  expect((await page.getByRole('dialog').boundingBox())!.height).toBe(400);
  await page.keyboard.type('CERTIF');
  await seen(page.locator('mark').getByText('Certif'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/site\/certificate$/);

  await page.keyboard.press('Control+k');
  expect(await field.inputValue()).toBe('');
  await seen(page.getByRole('option', { name: /Home/ }));
  // Nobody waits for the server's answer before Enter.
  await page.keyboard.type('findme');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/site/sitedetail/${siteId}$`));
  await seen(page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name: domain }));

  await page.keyboard.press('Control+k');
  await page.keyboard.type('/docs');
  await seen(page.getByRole('option', { name: /API docs/ }));
  const [outside] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  expect(new URL(outside.url()).pathname).toBe('/docs');
  await outside.close();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('zzzz');
  await seen(page.getByText('Not found', { exact: true }));
  await seen(page.getByText(/Try checking for typos/));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('a customer has the customer’s menu, search and shortcuts, and no screen of the operator', async () => {
  const customer = await makeCustomer(world);
  const { page, close } = await openShell(world, { customer });
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await seen(navigation.getByRole('link', { name: 'Sites', exact: true }));
  for (const name of ['Products', 'Customers', 'Tasks', 'Line groups', /API/])
    expect(await navigation.getByRole('link', { name }).count()).toBe(0);
  expect(await navigation.getByRole('button', { name: 'Node management' }).count()).toBe(0);
  await page.getByRole('button', { name: /^Account/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Account' });
  expect((await drawer.boundingBox())!.width).toBe(320);
  await seen(drawer.getByText(customer.email));
  expect(await drawer.getByRole('link').allTextContents()).toEqual([
    'Dashboard',
    'My account',
    'Order management',
    'Get started guide',
  ]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await seen(page.getByText('Please enter keywords'));
  await page.keyboard.type('findme');
  await seen(page.getByText('Not found', { exact: true }));
  await page.goto('/dashboard/client/client');
  await seen(page.getByRole('heading', { name: 'Page not found' }));
  await close();
});

test('who signs out is out, and their tabs are gone', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/node/node', language: 'zh' });
  await page.getByRole('button', { name: /^账号/ }).click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.waitForURL(/\/auth\/jwt\/sign-in$/);
  await seen(page.getByRole('button', { name: '登录', exact: true }));
  const left = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  for (const key of [
    'jwt_access_token',
    'isAdmin',
    'expires_in',
    'user_id',
    'LoginInfo',
    'LoginInfos',
    'open-tabs',
  ])
    expect(left).not.toContain(key);
  await close();
});

test('? tells the shortcuts, and what nobody waited for is no complaint', async () => {
  const { page, close, complaints, scriptErrors } = await openShell(world);
  await seen(page.locator('main h1'));
  // The frame is there before its shortcuts are.
  await expect
    .poll(async () => {
      await page.keyboard.press('?');
      return page.getByRole('dialog').count();
    })
    .toBe(1);
  await seen(page.getByRole('dialog').getByText('Search', { exact: true }));
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    void Promise.reject(new Error('nobody waits for this'));
    return new Promise((resolve) => setTimeout(resolve));
  });
  expect([...complaints, ...scriptErrors]).toEqual([]);
  await close();
});
