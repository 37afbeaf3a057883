import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { rolesOf, screens, type Language, type Role, type ScreenId } from '@breakwater/contract';
import {
  makeCustomer,
  makeMember,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openProfile } from '../browser.ts';
import { floodNode } from '../flood-node.ts';
import { openShell, still, type ShellVisitor } from '../shell.ts';
import { cutAt, findings, widen } from './looking.ts';

/** How the console is set up for one pass over every screen of a role and every tab that a screen has. */
export interface Look {
  role: Role;
  language: Language;
  width: number;
  /** What lies under `app-settings`. */
  settings: Record<string, unknown>;
  /** Widths at which no text may be cut, and nothing be wider than the window. */
  uncutAt: readonly number[];
  /** Other widths at which axe looks. */
  axeAt?: readonly number[];
  /** Screens to be looked at, and nothing else. */
  only?: readonly ScreenId[];
}

/** From here on tabs in groups are tabs, and not the choices of a combobox. */
const lg = 1200;

const publicPaths = ['/auth/jwt/sign-in', '/auth/jwt/sign-up', '/faqs', '/privacy-policy', '/404'];

interface Scene {
  world: World;
  customer: Customer;
  /** What stands for `{id}` in the address of a screen; 1 where nothing is said. */
  ids: Partial<Record<ScreenId, number>>;
}

async function makeScene(): Promise<Scene> {
  const world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  const customer = await makeCustomer(world);
  const domain = 'a-rather-long-name-of-a-shop.department.example.com';
  const { id } = await makeSite(customer.api, { domain });
  await makeMember(world, customer.api, ['site.read'], [id]);
  const lines = ['one.example.net|192.0.2.1', 'no domain|192.0.2.1'];
  const batch = await customer.api.get('createSiteBatch', { body: { lines } });
  await world.admin.get('grantDomain', { params: { id }, body: { domain } });
  const prefetch = await customer.api.get('createSitePrefetch', {
    body: { urls: [`https://${domain}/picture.png`] },
  });
  const tag = await world.admin.get('createTag', { body: { name: 'important', color: 'yellow' } });
  await world.admin.get('tagSites', { body: { sites: { site_ids: [id] }, add: [tag.id] } });
  const { certificate, key } = makeSelfSigned('shop.example.com');
  const uploaded = await customer.api.get('createCertificate', {
    body: { name: 'Shop', certificate, private_key: key },
  });
  const groups = await world.admin.get('listLineGroups', { query: {} });
  const sold = await world.admin.get('getOrder', { params: { id: customer.orderId } });
  const flooded = await floodNode(world, { name: 'attacked', ip: '198.51.100.80' });
  const refuge = await makeNode(world, { name: 'refuge', ip: '198.51.100.90' });
  const group = await world.admin.get('createLineGroup', { body: { name: 'Refuge' } });
  await world.admin.get('bindNodes', { params: { id: group.id }, body: { add: [refuge.id] } });
  const ids = {
    siteDetail: id,
    siteBatchDetail: batch.id,
    sitePrefetchDetail: prefetch.ids[0]!,
    orderDetail: customer.orderId,
    clientDetail: customer.id,
    productDetail: sold.product_id,
    certificateDetail: uploaded.id,
    nodeDetail: flooded.nodeId,
    lineGroupDetail: groups.list[0]!.id,
    floodDetail: flooded.id,
  };
  return { world, customer, ids };
}

/**
 * Tests that in a look no screen and none of its tabs has a finding of axe, a word in the browser's
 * console, a text that is cut, or asks elsewhere. The console is loaded once; screens are gone to as links do, and widths
 * are those of one window.
 */
export function testLook(look: Look): void {
  const { role, language, width, settings } = look;
  let scene: Scene;
  let visitor: ShellVisitor;
  const foreign: string[] = [];
  beforeAll(async () => {
    scene = await makeScene();
    visitor = await openShell(scene.world, {
      language,
      width,
      settings,
      ...(role === 'user' ? { customer: scene.customer } : {}),
    });
    noteForeign(visitor.page, foreign);
  });
  afterAll(async () => {
    await closeBrowser();
    await scene?.world.close();
  });
  /** Everything to be said of what the window shows, and of what was complained of since it was last asked. */
  const wrong = async (name: string) => {
    const { page, complaints, scriptErrors } = visitor;
    const shown: string[] = [];
    for (const each of [width, ...(look.axeAt ?? [])]) {
      await widen(page, each);
      await loaded(page);
      shown.push(...(await findings(page)).map((finding) => `at ${each}: ${finding}`));
    }
    shown.push(...(await cutAt(page, look.uncutAt)));
    await widen(page, width);
    const said = [...complaints.splice(0), ...scriptErrors.splice(0), ...foreign.splice(0)];
    return [...shown, ...said].map((each) => `${name}: ${each}`);
  };

  const ofRole = (look.only ?? (Object.keys(screens) as ScreenId[])).filter((id) =>
    rolesOf(screens[id].access).includes(role),
  );
  test.each(ofRole)('%s', async (id) => {
    const { page } = visitor;
    const path = screens[id].path.replace('{id}', String(scene.ids[id] ?? 1));
    await visit(page, path);
    const found = await wrong(id);
    const current = await page.locator('nav [aria-current=page]').count();
    if (current === 0) found.push(`${id}: no menu entry and no tab is the current one`);
    // Gone to where they are tabs, and looked at where they may be none.
    await widen(page, Math.max(width, lg));
    const tabs = await page
      .locator('main [role=tab]')
      .evaluateAll((all) => all.map((tab) => tab.id.replace(/^tab-/, '')));
    for (const tab of tabs.slice(1)) {
      await widen(page, Math.max(width, lg));
      await visitTab(page, `${path}?tab=${tab}`, tab);
      found.push(...(await wrong(`${id} ${tab}`)));
    }
    await widen(page, width);
    expect(found).toEqual([]);
  });
  if (look.only) return;

  test('settings and search', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: language === 'zh' ? /^界面设置/ : /^Interface settings/ }).click();
    await page.getByRole('dialog').waitFor();
    // What slid below the pointer would tell its name, outside of all landmarks.
    await page.mouse.move(1, 1);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await still(page);
    const found = await findings(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('site');
    await page.getByRole('option').first().waitFor();
    await still(page);
    found.push(...(await findings(page)));
    expect(found).toEqual([]);
  });

  test.each(publicPaths)('before sign-in, %s', async (path) => {
    const guest = await openProfile(scene.world.adminUrl, language, { width, height: 900 });
    const { page, close, scriptErrors } = guest;
    const asked: string[] = [];
    noteForeign(page, asked);
    await page.addInitScript(
      (stored) => localStorage.setItem('app-settings', stored),
      JSON.stringify(settings),
    );
    await page.goto(path);
    await loaded(page);
    expect([
      ...(await findings(page)),
      ...(await cutAt(page, look.uncutAt)),
      ...scriptErrors,
      ...asked,
    ]).toEqual([]);
    await close();
  });
}

/** Goes to a screen as a link does, without starting the console anew, and waits for its heading. */
export async function visit(page: Page, path: string): Promise<void> {
  // The first screen is there already.
  if (new URL(page.url()).pathname === path) return loaded(page);
  await page.evaluate(() => {
    for (const heading of document.querySelectorAll('main h1')) heading.setAttribute('data-left', '');
  });
  await follow(page, path);
  await page.locator('main h1:not([data-left])').first().waitFor();
  await loaded(page);
}

export async function visitTab(page: Page, path: string, tab: string): Promise<void> {
  await follow(page, path);
  await page.locator(`main [role=tab][aria-selected=true]#tab-${tab}`).waitFor();
  await loaded(page);
}

async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
}

/** Waits until there is a heading, and nothing that stands for what is still to come. */
async function loaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('main :is(.MuiSkeleton-root, .MuiCircularProgress-root, [aria-busy=true])') ===
      null,
  );
}

/** Notes addresses that a page asks of others than the console's own server. */
function noteForeign(page: Page, foreign: string[]): void {
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.hostname !== '127.0.0.1') foreign.push(`asks ${url.href}`);
  });
}
