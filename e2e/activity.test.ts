import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
const added = `${unique('added')}.example.com`;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  const params = { id: site.id };
  await customer.api.get('updateSiteDomains', {
    params,
    body: { version: 1, domains: [site.domain, added] },
  });
  await world.admin.get('updateSiteStatus', { params, body: { version: 2, status: 'suspended', note: '' } });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const tabOf = (path: string) => `${path}?tab=activity`;

test('an operator reads what happened to a site, who did it, and what it was before', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto(`/dashboard/site/sitedetail/${site.id}`);
  await page.getByRole('tab', { name: 'Activity' }).click();
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('button', { name: /^Status changed.*Version 3.*admin/ }));
  const changed = panel.getByRole('button', { name: /^Domains changed.*Version 2.*Customer/ });
  await changed.click();
  await seen(panel.getByText(`Domains: added ${added}`));
  await seen(panel.getByRole('button', { name: /^Created/ }));
  expect(scriptErrors).toEqual([]);
});

test('a customer reads it in Chinese, and is told of the platform instead of a name', async () => {
  const { page, scriptErrors } = await openSession(world, { customer, language: 'zh' });
  await page.goto(tabOf(`/dashboard/site/sitedetail/${site.id}`));
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('heading', { name: '动态' }));
  const suspended = panel.getByRole('button', { name: /^状态变更.*版本 3/ });
  await seen(suspended);
  expect(await suspended.textContent()).toContain('平台');
  expect(await panel.textContent()).not.toContain('admin');
  await seen(panel.getByRole('button', { name: /^修改域名.*1 处变更/ }));
  expect(scriptErrors).toEqual([]);
});

test('nodes, customers, orders and line groups have theirs, and what happens meanwhile comes by itself', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto(tabOf(`/dashboard/order/orderdetail/${customer.orderId}`));
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('button', { name: /^Created/ }));
  await world.admin.get('updateOrderNotes', {
    params: { id: customer.orderId },
    body: { another_name: 'Renamed', notes: '', version: 1 },
  });
  await panel.getByRole('button', { name: /^Changed/ }).click();
  await seen(panel.getByText('Alias: (empty) → Renamed'));
  const { list } = await world.admin.get('listNodes', { query: {} });
  await page.goto(tabOf(`/dashboard/node/nodedetail/${list[0]!.id}`));
  await seen(panel.getByRole('button', { name: /^Created/ }));
  await seen(panel.getByText('System').first());
  expect(scriptErrors).toEqual([]);
});

test('a row of a list shows its activity beside it', async () => {
  const name = unique('list');
  await world.admin.get('createAddressList', { body: { name, content: '192.0.2.1' } });
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard/site/address_list');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  const drawer = page.getByRole('dialog', { name: `Activity: ${name}` });
  await drawer.getByRole('button', { name: /^Created/ }).click();
  await seen(drawer.getByText('Entries: 1'));
  // What is empty in something new is no news.
  expect(await drawer.getByText('URL').count()).toBe(0);
  expect(scriptErrors).toEqual([]);
});

test('the operation log begins with what happened, in words; the calls are beside it, those of nobody when asked for', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard/system/sys_http_log');
  const panel = page.getByRole('tabpanel');
  const changed = panel
    .getByRole('button', { name: /^Domains changed.*Customer/ })
    .filter({ hasText: `Site ${site.domain}` });
  await changed.click();
  await seen(panel.getByText(`Domains: added ${added}`));
  await seen(panel.getByRole('link', { name: `Open ${site.domain}` }).first());
  await page.getByRole('tab', { name: 'Requests' }).click();
  await seen(panel.getByRole('row').filter({ hasText: 'domain_name' }));
  expect(await panel.getByRole('row').filter({ hasText: 'Not signed in' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'User type' }).click();
  await page.getByRole('option', { name: 'Not signed in' }).click();
  await page.waitForURL(/user_type=unknown/);
  expect(scriptErrors).toEqual([]);
});
