import { makeCustomer, makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let own: { id: number; domain: string };
let others: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  own = await makeSite(customer.api);
  others = await makeSite(other.api);
  visitor = await openShell(world, { customer });
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the menu has what a customer has, and the sites are their own', async () => {
  const navigation = page.getByRole('navigation').first();
  await navigation.getByRole('link', { name: 'Sites', exact: true }).click();
  await seen(page.getByRole('link', { name: own.domain }));
  expect(await page.getByText(others.domain).count()).toBe(0);
  for (const name of ['Nodes', 'Tasks', 'Customers', 'Operation log'])
    expect(await navigation.getByRole('link', { name, exact: true }).count()).toBe(0);
});

test('another customer’s site is not there, and neither are the screens of operators', async () => {
  await page.goto(`/dashboard/site/sitedetail/${others.id}`);
  await seen(page.getByText('Not found'));
  expect(await page.getByText(others.domain).count()).toBe(0);
  await page.goto('/dashboard/node/node');
  await seen(page.getByRole('heading', { name: 'Page not found' }));
});

test('a customer changes their own site and sees it delivered', async () => {
  await page.goto(`/dashboard/site/sitedetail/${own.id}?tab=cache`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Matches').fill('jpg png');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await page.getByRole('tab', { name: 'Deployment' }).click();
  await seen(page.getByRole('region', { name: 'Site configuration' }).getByRole('row').getByText('Live'));
  expect(visitor.scriptErrors).toEqual([]);
});
