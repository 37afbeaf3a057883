import { rolesOf, screens, type RouteName, type ScreenId } from '@breakwater/contract';
import {
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen } from '../browser.ts';
import { flood } from '../flood-node.ts';
import { visit, visitTab } from './screens.ts';
import { openShell, type ShellVisitor } from '../shell.ts';

/** Whatever visitors and customers call things, a row of a list is one line, and no page is wider than its window. */

/** A compact row, with its border. */
const rowMax = 38;
/** Without a space, with marks that turn the direction, with what goes above and below a line, and with pictures. */
const hostile = `${'W'.repeat(40)}\u202e\u2067\u05d0\u0628\u0301\u0301\u0301\u0301👩‍👩‍👧‍👧Ǻ${'m'.repeat(2000)}`;
/** The same with what ends a line. */
const broken = `a\r\nb\tc\u0001\u2028d\u0085${hostile}`;

let world: World;
let customer: Customer;
const ids: Partial<Record<ScreenId, number>> = {};

/** Makes one with texts that are as long as they may be. */
async function make(api: ApiClient, name: RouteName, bodyOf: (text: string) => object): Promise<number> {
  for (const length of [2000, 500, 255, 253, 200, 128, 100, 64, 50, 32, 20]) {
    const answer = await api.call(name, { body: bodyOf(hostile.slice(0, length)) } as never);
    if (answer.code === 0) return (answer.data as { id: number } | null)?.id ?? 0;
  }
  throw new Error(`${name} takes no such text`);
}

async function makeRows(): Promise<void> {
  const { admin } = world;
  const label = 'w'.repeat(60);
  const site = await makeSite(customer.api, {
    domain: `${label}.${label}.${label}.${'x'.repeat(50)}.example`,
  });
  const lineGroups = await admin.get('listLineGroups', { query: {} });
  const prices = { month: 0, quarter: null, half_year: null, year: null };
  const limits = { sites: null, domains_per_site: null, ports_per_site: null };
  const area = await make(admin, 'createArea', (name) => ({ name, description: name }));
  await make(admin, 'createNode', (name) => ({ name, area_id: area, ip: '198.51.100.7' }));
  await make(admin, 'createLineGroup', (name) => ({ name, description: name }));
  const product = await make(admin, 'createProduct', (name) => ({
    name,
    description: name,
    line_group_id: lineGroups.list[0]!.id,
    prices,
    limits,
  }));
  const password = 'a long password';
  const email = () => `${'m'.repeat(40)}${unique('x')}@${label}.example.com`;
  const client = await make(admin, 'createClient', (name) => ({
    name,
    email: email(),
    password,
    remark: name,
  }));
  await make(admin, 'createOrder', (text) => ({
    client_id: client,
    product_id: product,
    cycle: 'month',
    another_name: text,
    notes: text,
  }));
  const group = await make(admin, 'createAdminGroup', (name) => ({
    name,
    description: name,
    permissions: [],
  }));
  await make(admin, 'createAdminUser', (name) => ({
    username: unique('u'.repeat(20)),
    name,
    email: email(),
    password,
    group_id: group,
  }));
  for (const [api, own] of [
    [admin, world.adminPassword],
    [customer.api, customer.password],
  ] as const) {
    const tag = await make(api, 'createTag', (name) => ({ name, color: 'red' }));
    if (api === customer.api)
      await api.get('tagSites', { body: { sites: { site_ids: [site.id] }, add: [tag] } });
    await make(api, 'createAddressList', (name) => ({ name, description: name, content: '192.0.2.1' }));
    await make(api, 'createDnsAccount', (name) => ({
      name,
      provider: 'powerdns',
      params: { url: 'https://dns.example.com', api_key: 'k', server_id: 'localhost' },
    }));
    await make(api, 'createCaptchaAccount', (name) => ({
      name,
      provider: 'turnstile',
      params: { site_key: '0x4'.repeat(60), secret_key: 'k' },
    }));
    await make(api, 'createApiToken', (name) => ({
      name,
      permissions: ['site.read'],
      expires_at: null,
      password: own,
    }));
  }
  await makeMember(world, customer.api, ['site.read'], [site.id]);
  await customer.api.get('createSiteBatch', { body: { lines: [`${label}.${label}.example|192.0.2.1`] } });
  // An address nobody asked for stands in the log of operations too.
  await admin.send('POST', `/prod-api/tags?x=${encodeURIComponent(hostile.slice(0, 1500))}`, {
    name: broken,
  });
  const { order_id, client_id } = await admin.get('getSite', { params: { id: site.id } });
  const lines = ['', 'access_control 2'].map((decision, index) =>
    makeLine({
      time: new Date(Date.now() - 60_000).toISOString(),
      request_id: `${index}`.repeat(32),
      site_id: site.id,
      order_id,
      client_id,
      decision,
      status: decision ? 403 : 200,
      method: hostile.slice(0, 60),
      host: hostile,
      request_uri: `/${broken}`,
      user_agent: broken,
      referer: broken,
      content_type: broken,
      protocol: hostile,
      remote_addr: '2001:db8:1111:2222:3333:4444:5555:6666',
      origin_addr: hostile,
    }),
  );
  await world.server.services.logStore.ingest({
    nodeId: 1,
    file: 'access.1',
    offset: 0,
    lines: toBytes(lines),
  });
  const flooded = await make(admin, 'createNode', (name) => ({ name, area_id: area, ip: '198.51.100.80' }));
  const params = { id: lineGroups.list[0]!.id };
  await admin.get('bindNodes', { params, body: { add: [flooded] } });
  const nodes = await admin.get('listNodes', { query: {} });
  Object.assign(ids, {
    siteDetail: site.id,
    orderDetail: customer.orderId,
    clientDetail: client,
    productDetail: product,
    lineGroupDetail: lineGroups.list[0]!.id,
    nodeDetail: nodes.list[0]!.id,
    floodDetail: await flood(world, { id: flooded, name: hostile.slice(0, 60) }, '198.51.100.80'),
  });
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  await makeRows();
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** Rows that are too high, cells that are wider than they may be, and a page that is. */
const wrong = (page: Page) =>
  page.evaluate((most) => {
    const overflow = document.documentElement.scrollWidth - innerWidth;
    const found = overflow > 0 ? [`the page is ${overflow} px wider than the window`] : [];
    for (const row of document.querySelectorAll<HTMLElement>('main tr.row')) {
      const cells = [...row.querySelectorAll('td')];
      const high = cells.filter((cell) => [...cell.children].some((child) => child.clientHeight > most));
      if (row.offsetHeight > most)
        found.push(
          `a row is ${row.offsetHeight} px high: ${high.map(({ dataset }) => dataset.column).join()} ${row.innerHTML.slice(0, 1200)}`,
        );
      for (const cell of cells)
        // A table of few columns shares out what room is left.
        if (cell.offsetWidth > 450) found.push(`${cell.dataset.column} is ${cell.offsetWidth} px wide`);
    }
    for (const card of document.querySelectorAll<HTMLElement>('main [role=listitem][data-row]'))
      if (card.scrollWidth > card.clientWidth + 1 || card.offsetHeight > 700)
        found.push(
          `a card is ${card.scrollWidth} of ${card.clientWidth} px wide, ${card.offsetHeight} px high`,
        );
    return found;
  }, rowMax);

describe.each(['admin', 'user'] as const)('for %s', (role) => {
  let visitor: ShellVisitor;
  let rows = 0;
  beforeAll(async () => {
    visitor = await openShell(world, { ...(role === 'user' ? { customer } : {}), width: 1280 });
  });
  const own = (Object.keys(screens) as ScreenId[]).filter((id) => rolesOf(screens[id].access).includes(role));
  test.each(own)('%s', async (id) => {
    const { page } = visitor;
    const path = screens[id].path.replace('{id}', String(ids[id] ?? 1));
    await visit(page, path);
    const tabs = await page
      .locator('main [role=tab]')
      .evaluateAll((all) => all.map((tab) => tab.id.slice(4)));
    const found: string[] = [];
    for (const tab of tabs.length > 0 ? tabs : ['']) {
      if (tab !== '' && tab !== tabs[0]) await visitTab(page, `${path}?tab=${tab}`, tab);
      rows += await page.locator('main tr.row').count();
      for (const width of [1280, 900, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(
          () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
        );
        found.push(...(await wrong(page)).map((each) => `${tab} at ${width}: ${each}`));
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    expect(found).toEqual([]);
  });
  test('there were rows to look at', () => expect(rows).toBeGreaterThan(role === 'admin' ? 20 : 8));
});

test('a cell that is cut tells the whole on hover, and so does the drawer', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/statistics/http_access' });
  const cell = page.locator('td[data-column=host]').first();
  await seen(cell);
  await cell.hover();
  await expect.poll(() => cell.getAttribute('title')).toBe(hostile);
  await page.locator('td[data-column=time] button').first().click();
  await seen(page.getByRole('dialog').getByText(hostile, { exact: true }).first());
  await close();
});

test.each([1280, 900, 360])('at %i a site’s tags give way to its domain', async (width) => {
  const domain = 'www.shop.example.com';
  const { list } = await customer.api.get('listSites', { query: { domain_name: domain } });
  if (list.length === 0) {
    const { id } = await makeSite(customer.api, { domain });
    for (const name of ['important', 'test environment', 'key customer']) {
      const tag = await customer.api.get('createTag', { body: { name: unique(name), color: 'blue' } });
      await customer.api.get('tagSites', { body: { sites: { site_ids: [id] }, add: [tag.id] } });
    }
  }
  const { page, close } = await openShell(world, { customer, width, path: '/dashboard/site/list' });
  const link = page.locator('main').getByRole('link', { name: domain, exact: true });
  await seen(link);
  const cut = await link.evaluate(({ parentElement: box }) => [box!.scrollWidth, box!.clientWidth]);
  expect(cut[0]).toBeGreaterThan(100);
  expect(cut[0]).toBeLessThanOrEqual(cut[1]!);
  await close();
});
