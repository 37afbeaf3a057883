import { screens, type Role, type ScreenId } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, type Visitor } from './browser.ts';
import { openShell, still } from './shell.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let world: World;
let customer: Customer;
const ids: Partial<Record<ScreenId, number>> = {};

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  const { id } = await makeSite(customer.api, {
    domain: 'a-rather-long-name-of-a-shop.department.example.com',
  });
  const lines = ['one.example.net|192.0.2.1', 'no domain|192.0.2.1'];
  const batch = await customer.api.get('createSiteBatch', { body: { lines } });
  const tag = await world.admin.get('createTag', { body: { name: 'important', color: 'yellow' } });
  await world.admin.get('tagSites', { body: { sites: { site_ids: [id] }, add: [tag.id] } });
  ids.siteBatchDetail = batch.id;
  const first = async (name: 'listNodes' | 'listLineGroups') =>
    (await world.admin.get(name, { query: {} })).list[0]!.id;
  Object.assign(ids, { siteDetail: id, orderDetail: customer.orderId, clientDetail: customer.id });
  Object.assign(ids, {
    nodeDetail: await first('listNodes'),
    lineGroupDetail: await first('listLineGroups'),
  });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const paths = (role: Role): [string, string][] =>
  (Object.keys(screens) as ScreenId[])
    .filter((id) => (screens[id].roles as readonly Role[]).includes(role))
    .map((id) => [id, screens[id].path.replace('{id}', String(ids[id] ?? 1))]);
const publicPaths = ['/auth/jwt/sign-in', '/auth/jwt/sign-up', '/faqs', '/privacy-policy', '/404'];

/** Waits until a page has its heading and has stopped to load. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** Goes to a screen as a link does, without starting the console anew. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await settled(page);
}

/** Does something on every screen of a role, and on every tab that a screen has. */
async function onEachScreen(page: Page, role: Role, look: (name: string) => Promise<void>): Promise<void> {
  for (const [id, path] of paths(role)) {
    await visit(page, path);
    await look(id);
    const tabs = await page
      .locator('main [role=tab]')
      .evaluateAll((all) => all.map((tab) => tab.id.replace(/^tab-/, '')));
    for (const tab of tabs.slice(1)) {
      await visit(page, `${path}?tab=${tab}`);
      await page.locator(`main [role=tab][aria-selected=true]#tab-${tab}`).waitFor();
      await look(`${id} ${tab}`);
    }
  }
}

/** Addresses that a page asked of others than the console's own server. */
function foreignOf({ page }: Pick<Visitor, 'page'>): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.hostname !== '127.0.0.1') foreign.push(url.href);
  });
  return foreign;
}

/** Serious and critical findings of axe, in a line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const results = await page.evaluate(() => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message.slice(0, 120) ?? ''}`),
    );
}

interface Look {
  name: string;
  settings: Record<string, unknown>;
  role: Role;
  width: number;
}
const looks: Look[] = [
  { name: 'light', settings: {}, role: 'admin', width: 1440 },
  { name: 'dark', settings: { colorScheme: 'dark', navColor: 'apparent' }, role: 'admin', width: 1440 },
  {
    name: 'high contrast',
    settings: { contrast: 'hight', navLayout: 'horizontal', primaryColor: 'orange' },
    role: 'admin',
    width: 1440,
  },
  {
    name: 'a customer’s phone',
    settings: { colorScheme: 'dark', contrast: 'hight' },
    role: 'user',
    width: 360,
  },
];

describe.each(looks)('in the look: $name', ({ settings, role, width }) => {
  test(
    'no screen and none of its tabs has a serious or critical finding of axe, a word in the browser’s console, or asks elsewhere',
    { timeout: 400_000 },
    async () => {
      const visitor = await openShell(world, {
        settings,
        width,
        ...(role === 'user' ? { customer } : {}),
      });
      const { page, context, complaints, scriptErrors } = visitor;
      const foreign = foreignOf(visitor);
      const found: string[] = [];
      const look = async (name: string) =>
        found.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
      await onEachScreen(page, role, async (name) => {
        await look(name);
        const current = await page.locator('nav [aria-current=page]').count();
        if (current === 0) found.push(`${name}: no menu entry and no tab is the current one`);
      });
      await page.getByRole('button', { name: /^Interface settings/ }).click();
      await page.getByRole('dialog').waitFor();
      await still(page);
      await look('settings drawer');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('site');
      await page.getByRole('option').first().waitFor();
      await still(page);
      await look('search');
      expect(found).toEqual([]);
      expect([...complaints, ...scriptErrors, ...foreign]).toEqual([]);
      await context.close();
    },
  );

  test('neither have the pages before sign-in', async () => {
    const visitor = await openConsole(world.adminUrl);
    const { page, context } = visitor;
    const foreign = foreignOf(visitor);
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((stored) => localStorage.setItem('app-settings', stored), JSON.stringify(settings));
    const found: string[] = [];
    for (const path of publicPaths) {
      await page.goto(path);
      await settled(page);
      found.push(...(await findings(page)).map((finding) => `${path}: ${finding}`));
    }
    expect([...found, ...foreign]).toEqual([]);
    await context.close();
  });
});

/** Texts that their boxes cut, and anything that makes the page scroll sideways. What a title tells in full is not cut. */
function cutTexts(): string[] {
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const wide = overflow > 0 ? [`the page is ${overflow} px wider than the window`] : [];
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '');
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    if (!hasText(element) || element.clientWidth <= 1) return false;
    if (element.closest('[aria-hidden=true], fieldset, .cm-editor, [title], [aria-label][role=img]'))
      return false;
    const style = getComputedStyle(element);
    return (
      style.visibility !== 'hidden' &&
      style.overflowX === 'hidden' &&
      element.scrollWidth > element.clientWidth + 1
    );
  });
  return [
    ...wide,
    ...cut.map(
      (element) => `${element.tagName}.${element.className} “${element.textContent.trim().slice(0, 60)}”`,
    ),
  ];
}

const widths = [360, 768, 1280, 1920];

/** What is cut at each of the widths. A width is drawn once its media queries have told React. */
async function cutAt(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
    found.push(...(await page.evaluate(cutTexts)).map((text) => `${name} at ${width}: ${text}`));
  }
  return found;
}

test.each(['zh', 'en'] as const)(
  'in %s, no text of any screen or tab is cut at 360, 768, 1280 and 1920 px',
  { timeout: 400_000 },
  async (language) => {
    const found: string[] = [];
    const { page, context, complaints } = await openShell(world, { language });
    await onEachScreen(page, 'admin', async (name) => {
      found.push(...(await cutAt(page, name)));
    });
    await context.close();
    const guest = await openConsole(world.adminUrl, language);
    for (const path of publicPaths) {
      await guest.page.goto(path);
      await settled(guest.page);
      found.push(...(await cutAt(guest.page, path)));
    }
    await guest.context.close();
    expect([...found, ...complaints]).toEqual([]);
  },
);
