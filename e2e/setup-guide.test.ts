import { makeCustomer, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const done = (page: Page, name: string) => seen(step(page, name).getByRole('img', { name: 'Done' }));

test('an empty installation leads from nothing to a site, by what the server finds', async () => {
  const { page, close } = await openShell(world);
  await seen(page.getByRole('heading', { name: 'Get started', exact: true }));
  await done(page, 'Bring a node online');
  await done(page, 'Add a node to a line group');
  await page.getByRole('link', { name: 'Add your first site' }).click();
  await page.getByLabel('Domains').fill('first.example.com');
  await page.getByLabel('Origin address').fill('203.0.113.10');
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await page.waitForURL(/sitedetail/);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first().click();
  await done(page, 'Add a site and its origin');
  await seen(step(page, 'Point DNS to the platform').getByRole('link', { name: 'Check DNS' }));

  // Closed, it stays closed, and is found again in the account's menu.
  await page.getByRole('button', { name: 'Close guide' }).click();
  await page.reload();
  await seen(page.getByRole('heading', { name: 'Bandwidth' }));
  expect(await page.getByRole('heading', { name: 'Get started', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('link', { name: 'Get started guide' }).click();
  await seen(page.getByRole('heading', { name: 'Get started', exact: true }));
  await close();
});

test('a customer has the steps that are theirs', async () => {
  const customer = await makeCustomer(world);
  const { page, close } = await openShell(world, { customer, language: 'zh' });
  await seen(page.getByRole('heading', { name: '快速开始' }));
  expect(await page.getByRole('heading', { name: '节点上线' }).count()).toBe(0);
  await page.getByRole('link', { name: '添加第一个站点' }).click();
  await page.waitForURL(/site\/create/);
  await close();
});
