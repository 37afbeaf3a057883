import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { EarlyRead } from '../apps/console/src/api/early-read.ts';
import { closeBrowser, forgetWindows, openConsole, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await makeSite(world.admin, { domain: 'first.example.com' });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

beforeEach(forgetWindows);

/** The scripts that the page's own text names, and those that were fetched by the time a heading was there. */
async function scriptsOf(page: Page, path: string): Promise<{ named: string[]; fetched: string[] }> {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) fetched.push(pathname);
  });
  const answer = await page.goto(path);
  const text = await answer!.text();
  await seen(page.locator('h1').first());
  return { named: [...text.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, file]) => file!), fetched };
}

test('a page names every script its screen needs, so that they come in one round', async () => {
  const guest = await openConsole(world.adminUrl);
  const signIn = await scriptsOf(guest.page, '/auth/jwt/sign-in');
  expect(signIn.fetched.filter((file) => !signIn.named.includes(file))).toEqual([]);
  expect(signIn.named.filter((file) => !signIn.fetched.includes(file))).toEqual([]);
  await guest.close();

  const { page, close } = await openShell(world);
  for (const path of ['/dashboard/site/list', '/dashboard/site/sitedetail/1']) {
    const { named } = await scriptsOf(page, path);
    const text = (await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/(sites?|shell|tables?)-[\w-]{8}\.js/.test(name))
        .map(({ name }) => new URL(name).pathname),
    )) as string[];
    expect(text.length).toBeGreaterThan(2);
    expect(text.filter((file) => file.endsWith('.js') && !named.includes(file))).toEqual([]);
    // Filters, and what opens over a page, come after the rows.
    expect(named.filter((file) => /\/(filters|inputs|overlays)-/.test(file))).toEqual([]);
  }
  await close();
});

test('all icons come as one picture, and are drawn from it', async () => {
  const { page, close } = await openShell(world);
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/icons-')) fetched.push(request.url());
  });
  await page.reload();
  await seen(page.locator('h1').first());
  const undrawn = () =>
    page.evaluate(() => {
      const icons = [...document.querySelectorAll<SVGUseElement>('svg use')].filter((icon) =>
        icon.checkVisibility(),
      );
      return icons.length > 10 ? icons.filter((icon) => icon.getBBox().width === 0).length : 'too few icons';
    });
  await expect.poll(undrawn).toBe(0);
  expect(new Set(fetched).size).toBe(1);
  await close();
});

/** Parts that come after what one came for: where messages appear, long work, the guide of a new installation, and what draws charts. */
const afterwards = /\/(toasts|messages|echarts|work-button|setup-guide|copy)-/;
const boundBytes = { '/auth/jwt/sign-in': 200_000, '/dashboard': 320_000 };

test('a first screen fetches what it shows, and nothing that nobody has asked for', async () => {
  const measure = async (page: Page, path: keyof typeof boundBytes) => {
    const { named } = await scriptsOf(page, path);
    await page.waitForLoadState('networkidle');
    const scripts = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .map(({ name, encodedBodySize }) => ({ file: new URL(name).pathname, bytes: encodedBodySize }))
        .filter(({ file }) => file.endsWith('.js')),
    );
    const files = scripts.map(({ file }) => file);
    expect(files.filter((file) => !named.includes(file) && !afterwards.test(file))).toEqual([]);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
    const first = scripts.filter(({ file }) => named.includes(file));
    expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(boundBytes[path]);
  };
  const guest = await openConsole(world.adminUrl);
  await measure(guest.page, '/auth/jwt/sign-in');
  await guest.close();
  const { page, close } = await openShell(world);
  await measure(page, '/dashboard');
  await close();
});

test('a list is asked for once, and its rows are there without a skeleton when they come at once', async () => {
  const { page, close } = await openShell(world);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/prod-api/site') asked.push(request.url());
  });
  await page.goto('/dashboard/site/list?page_size=50');
  await seen(page.getByRole('link', { name: 'first.example.com' }));
  expect(asked).toHaveLength(1);
  expect(new URL(asked[0]!).searchParams.get('page_size')).toBe('50');
  await close();
});

test('the server is asked who this is, and for the list of sites, before the code of the page is there', async () => {
  const { page, close } = await openShell(world);
  let letCome = (): void => {};
  const held = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  await page.route(/\/assets\/(index|react|shell|sites|tables)-/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = ['/prod-api/auth/info', '/prod-api/site'].map((path) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === path),
  );
  await page.goto('/dashboard/site/list?page_size=50', { waitUntil: 'commit' });
  await Promise.all(asked);
  letCome();
  await seen(page.getByRole('link', { name: 'first.example.com' }));
  await close();
});

test('buttons and pages of a list do not wait for the code of its filters, which move nothing when they come', async () => {
  const { page, close } = await openShell(world);
  for (const [width, search] of [
    [1280, ''],
    [430, ''],
    [360, '?domain_name=example'],
  ] as const) {
    const { promise: held, resolve: letCome } = Promise.withResolvers<void>();
    await page.route(/\/assets\/filters-/, async (route) => {
      await held;
      await route.continue();
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/dashboard/site/list${search}`);
    await seen(page.getByRole('link', { name: 'Add site' }));
    await seen(page.getByRole('button', { name: 'Next page' }));
    const place = page.locator('[data-filters]');
    expect(await place.locator('input').count()).toBe(0);
    const before = await place.boundingBox();
    letCome();
    await seen(place.locator('input').first());
    expect(await place.boundingBox(), `${width} px`).toEqual(before);
    await page.unroute(/\/assets\/filters-/);
  }
  await close();
});

test('no list is asked for twice, by the page and by its code', async () => {
  const pages = JSON.parse(
    await readFile(new URL('../apps/console/dist/first-files.json', import.meta.url), 'utf8'),
  ) as Record<'admin' | 'user', Record<string, { early?: { reads: EarlyRead[] } }>>;
  const { page, close } = await openShell(world);
  let asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const lists = Object.entries(pages.admin).flatMap(([path, { early }]) =>
    early && early.reads.length > 1 ? [{ path, reads: early.reads }] : [],
  );
  expect(lists.length).toBeGreaterThan(25);
  for (const { path, reads } of lists) {
    asked = [];
    await page.goto(path);
    await seen(page.locator('main h1').first());
    await page.waitForFunction(() => !document.querySelector('main .MuiSkeleton-root'));
    for (const read of reads)
      expect(
        asked.filter((one) => one === read.path),
        `${path} asks for ${read.path}`,
      ).toHaveLength(1);
  }
  await close();
});

test('what was asked for one session early is no answer for another', async () => {
  const { page, close } = await openShell(world);
  const bearers: (string | undefined)[] = [];
  const { promise: askedEarly, resolve } = Promise.withResolvers<void>();
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/prod-api/auth/info') return;
    bearers.push(request.headers()['authorization']);
    resolve();
  });
  await page.route(/\/assets\/shell-/, async (route) => {
    await askedEarly;
    // In another window, the same administrator has signed in anew.
    const body = { username: 'admin', password: world.adminPassword };
    const { token } = await world.anonymous.get('signInAdmin', { body });
    await page.evaluate((other) => localStorage.setItem('jwt_access_token', other), token);
    await route.continue();
  });
  await page.goto('/dashboard/site/list');
  await seen(page.getByRole('link', { name: 'first.example.com' }));
  expect(bearers).toHaveLength(2);
  expect(bearers[0]).not.toBe(bearers[1]);
  await close();
});

test('what was read for a console whose code did not come is not used for the next', async () => {
  const { page, close } = await openShell(world);
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/prod-api/auth/info') asked += 1;
  });
  await page.route(/\/assets\/shell-/, (route) => route.abort());
  await page.goto('/dashboard/site/list');
  await seen(page.getByRole('button', { name: 'Try again' }));
  const before = asked;
  await page.unroute(/\/assets\/shell-/);
  // Without a new start of the window.
  await page.evaluate(() => {
    history.pushState({}, '', location.href);
    history.back();
  });
  await seen(page.getByRole('link', { name: 'first.example.com' }));
  expect(asked).toBe(before + 1);
  await close();
});
