import { screens, type ScreenId } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type World } from '@breakwater/test-world';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole } from './browser.ts';
import { openShell, still } from './shell.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let world: World;
const ids: Partial<Record<ScreenId, number>> = {};

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  const customer = await makeCustomer(world);
  const { id } = await makeSite(customer.api, {
    domain: 'a-rather-long-name-of-a-shop.department.example.com',
  });
  const lines = ['one.example.net|192.0.2.1', 'no domain|192.0.2.1'];
  const batch = await world.admin.get('createSiteBatch', { body: { lines } });
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

const paths = (): [string, string][] =>
  (Object.keys(screens) as ScreenId[]).map((id) => [
    id,
    screens[id].path.replace('{id}', String(ids[id] ?? 1)),
  ]);
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
  await page.waitForURL((url) => url.pathname === path);
  await settled(page);
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

const looks: [string, Record<string, unknown>][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark', navColor: 'apparent' }],
  ['high contrast', { contrast: 'hight', navLayout: 'horizontal', primaryColor: 'orange' }],
];

describe.each(looks)('in %s', (_, settings) => {
  test(
    'no screen has a serious or critical finding of axe, nor a word in the browser’s console',
    { timeout: 240_000 },
    async () => {
      const { page, context, complaints, scriptErrors } = await openShell(world, { settings });
      const found: string[] = [];
      for (const [id, path] of paths()) {
        await visit(page, path);
        found.push(...(await findings(page)).map((finding) => `${id}: ${finding}`));
      }
      await page.getByRole('button', { name: /^Interface settings/ }).click();
      await page.getByRole('dialog').waitFor();
      await still(page);
      found.push(...(await findings(page)).map((finding) => `settings drawer: ${finding}`));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('site');
      await page.getByRole('option').first().waitFor();
      await still(page);
      found.push(...(await findings(page)).map((finding) => `search: ${finding}`));
      expect(found).toEqual([]);
      expect([...complaints, ...scriptErrors]).toEqual([]);
      await context.close();
    },
  );

  test('neither have the pages before sign-in', async () => {
    const { page, context } = await openConsole(world.adminUrl);
    await page.evaluate((stored) => localStorage.setItem('app-settings', stored), JSON.stringify(settings));
    const found: string[] = [];
    for (const path of publicPaths) {
      await page.goto(path);
      await settled(page);
      found.push(...(await findings(page)).map((finding) => `${path}: ${finding}`));
    }
    expect(found).toEqual([]);
    await context.close();
  });
});

/** Texts that their boxes cut, and anything that makes the page scroll sideways. */
function cutTexts(): string[] {
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const wide = overflow > 0 ? [`the page is ${overflow} px wider than the window`] : [];
  const cut = [
    ...document.querySelectorAll<HTMLElement>('h1, h2, h3, button, label, th, [role=tab], p'),
  ].filter((element) => {
    const style = getComputedStyle(element);
    if (style.visibility === 'hidden' || element.closest('[aria-hidden=true], .MuiInputLabel-root, fieldset'))
      return false;
    return (
      element.clientWidth > 0 &&
      style.overflowX === 'hidden' &&
      element.scrollWidth > element.clientWidth + 1 &&
      !element.title
    );
  });
  return [
    ...wide,
    ...cut.map((element) => `${element.tagName} “${element.textContent.trim().slice(0, 60)}”`),
  ];
}

test.each([360, 768, 1280, 1920])(
  'no text is cut at %i px, in either language',
  { timeout: 240_000 },
  async (width) => {
    const found: string[] = [];
    for (const language of ['zh', 'en'] as const) {
      const { page, context } = await openShell(world, { width, language });
      for (const [id, path] of paths()) {
        await visit(page, path);
        found.push(...(await page.evaluate(cutTexts)).map((text) => `${id} ${language}: ${text}`));
      }
      await context.close();
      const guest = await openConsole(world.adminUrl, language);
      await guest.page.setViewportSize({ width, height: 900 });
      for (const path of publicPaths) {
        await guest.page.goto(path);
        await settled(guest.page);
        found.push(...(await guest.page.evaluate(cutTexts)).map((text) => `${path} ${language}: ${text}`));
      }
      await guest.context.close();
    }
    expect(found).toEqual([]);
  },
);
