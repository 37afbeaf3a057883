import { makeCustomer, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('long work shows in the header wherever one is, survives a reload, and is one click away', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard' });
  await expect.poll(() => page.getByRole('button', { name: /^Task progress/ }).count()).toBe(0);
  // The node of this world never answers: the delivery stays under way.
  const site = await makeSite(world.admin);
  await page.getByRole('link', { name: 'All sites' }).first().click();
  await page.reload();
  const button = page.getByRole('button', { name: 'Task progress: 1 in progress' });
  await seen(button);
  await button.click();
  const list = page.getByRole('dialog', { name: 'Task progress' });
  await seen(list.getByText(/ · 0 of 1/));
  await list.getByRole('link', { name: site.domain }).click();
  await page.waitForURL(/\/task\/task\?open=/);
  await list.waitFor({ state: 'detached' });
  await close();
});

test('what failed counts until it was looked at', async () => {
  const { page, close } = await openShell(world);
  const { id } = await world.admin.get('createSiteBatch', {
    body: { lines: [`not a domain|192.0.2.1`, `${unique('www')}.example.com|192.0.2.1`] },
  });
  await page.reload();
  await seen(page.getByRole('button', { name: /^Task progress: .* 1 failed/ }));
  await page.getByRole('button', { name: /^Task progress/ }).click();
  const list = page.getByRole('dialog', { name: 'Task progress' });
  await seen(list.getByText(/ · 1 failed/));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Task progress: .* failed/ }).waitFor({ state: 'detached' });
  await page.reload();
  await seen(page.getByRole('button', { name: /^Task progress: \d+ in progress$/ }));
  await page.getByRole('button', { name: /^Task progress/ }).click();
  await list.locator(`a[href$="/batchs/${id}"]`).click();
  await page.waitForURL(new RegExp(`/batchs/${id}`));
  await close();
});

test('a customer sees their own', async () => {
  const customer = await makeCustomer(world);
  const site = await makeSite(customer.api);
  const { page, close } = await openShell(world, { customer });
  await page.getByRole('button', { name: 'Task progress: 1 in progress' }).click();
  const list = page.getByRole('dialog', { name: 'Task progress' });
  await seen(list.getByRole('listitem'));
  expect(await list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('link', { name: site.domain }).click();
  await page.waitForURL(/sitedetail\/\d+\?tab=delivery/);
  await close();
});

test('a change that takes its time shows that it is under way, and a quick one does not', async () => {
  await makeSite(world.admin);
  const { page, close } = await openShell(world, { path: '/dashboard/site/list' });
  await seen(page.getByRole('button', { name: /^Actions for/ }));
  const bar = page.locator('[data-progress]');
  await bar.waitFor({ state: 'detached' });
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/prod-api\/site\/\d+\/status/, async (route) => {
    await held;
    await route.continue();
  });
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Take offline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take offline' }).click();
  await bar.waitFor({ state: 'attached' });
  answer();
  await bar.waitFor({ state: 'detached' });
  await close();
});
