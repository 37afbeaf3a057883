import {
  makeAdministrator,
  makeCustomer,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** The page of a product: what is sold, and who bought it. */

const name = unique('Plan');
let world: World;
let customer: Customer;
let id: number;
let first: { order_no: string };
let second: { order_no: string };
let other: { order_no: string };
const path = () => `/dashboard/product/productdetail/${id}`;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  const { list } = await world.admin.get('listProducts', { query: {} });
  ({ id } = await world.admin.get('createProduct', {
    body: {
      name,
      line_group_id: list[0]!.line_group_id,
      prices: { month: 1990, quarter: null, half_year: null, year: 0 },
      limits: { sites: 7, domains_per_site: null, ports_per_site: null },
      prompts: 'Point here|Set a CNAME to {cname}|yellow',
    },
  }));
  const order = async (another_name: string) => {
    const body = { client_id: customer.id, product_id: id, cycle: 'month' as const, another_name };
    return world.admin.get('getOrder', { params: await world.admin.get('createOrder', { body }) });
  };
  [first, second] = [await order('first'), await order('second')];
  other = await world.admin.get('getOrder', { params: { id: customer.orderId } });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('a product is found by its name, says what it sells, lists its orders, and is changed and left from its page', async () => {
  const { page, close, complaints } = await openShell(world, {});
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(name);
  await seen(page.getByRole('group', { name: 'Products' }).getByRole('option', { name }));
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path()}`);
  await seen(page.getByRole('heading', { name, level: 1 }));
  const fact = (label: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
      .locator('dd');
  expect(await fact('Monthly').textContent()).toContain('19.90');
  expect(await fact('Quarterly').textContent()).toBe('Not offered');
  expect(await fact('Yearly').textContent()).toBe('Free');
  expect(await fact('Sites').textContent()).toBe('7');
  expect(await fact('Domains per site').textContent()).toBe('Unlimited');
  expect(await fact('Orders').textContent()).toBe('2');
  await seen(page.getByText('Set a CNAME to {cname}'));
  // A tab is read when it is opened.
  expect(asked.filter((url) => url.includes('/prod-api/order'))).toEqual([]);

  await page.getByRole('tab', { name: 'Orders' }).focus();
  await page.getByRole('tab', { name: 'Overview' }).press('ArrowRight');
  await page.keyboard.press('Enter');
  const table = page.getByRole('table');
  await seen(table.getByRole('link', { name: first.order_no }));
  await seen(table.getByRole('link', { name: second.order_no }));
  expect(await table.getByText(other.order_no).count()).toBe(0);
  await page.getByLabel('Number, alias or customer').fill('second');
  await page.keyboard.press('Enter');
  await table.getByRole('link', { name: first.order_no }).waitFor({ state: 'detached' });
  await seen(table.getByRole('link', { name: second.order_no }));

  await table.getByRole('link', { name: second.order_no }).click();
  await page.getByRole('main').getByRole('link', { name, exact: true }).click();
  await page.waitForURL(`**${path()}`);
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Sites', { exact: true }).fill('9');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await expect.poll(() => fact('Sites').textContent()).toBe('9');
  await page.getByRole('tab', { name: 'Activity' }).click();
  await seen(page.getByText(/9/).first());

  await page.getByRole('link', { name: 'Products', exact: true }).first().click();
  await seen(page.getByRole('table').getByRole('link', { name, exact: true }));
  expect(complaints).toEqual([]);
  await close();
});

test('who may not read orders has no tab of them, and who may not read products no page', async () => {
  const reader = await makeAdministrator(world, ['product.read']);
  const visitor = await openShell(world, { administrator: reader, path: path() });
  await seen(visitor.page.getByRole('heading', { name, level: 1 }));
  expect(await visitor.page.getByRole('tab').allTextContents()).toEqual(['Overview']);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();

  const seller = await makeAdministrator(world, ['order.read']);
  const stranger = await openShell(world, {
    administrator: seller,
    path: `/dashboard/order/orderdetail/${customer.orderId}`,
  });
  // Its name is no link where it leads nowhere.
  await seen(stranger.page.getByText(other.order_no).first());
  expect(await stranger.page.locator('a[href*=productdetail]').count()).toBe(0);
  await stranger.page.goto(path());
  await stranger.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await stranger.page.getByText(name).count()).toBe(0);
  await stranger.close();

  const own = await openShell(world, { customer, path: `/dashboard/order/orderdetail/${customer.orderId}` });
  await seen(own.page.getByText(other.order_no).first());
  expect(await own.page.locator('a[href*=productdetail]').count()).toBe(0);
  await own.close();
});
