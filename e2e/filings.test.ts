import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** Filing numbers: a line group asks for them, a customer enters one, an operator confirms it. */

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
let zone: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  zone = `${unique('filed')}.com`;
  site = await makeSite(customer.api, { domain: `www.${zone}` });
  await makeSite(customer.api, { domain: `shop.${zone}` });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const actOn = async (page: Page, action: string) => {
  await page
    .getByRole('row')
    .getByRole('button', { name: new RegExp(zone) })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

test('a line group says whom the switch would hit, before it is saved', async () => {
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  const { page, close, scriptErrors, complaints } = await openShell(world, {
    path: `/dashboard/line_group/line_group_detail/${list[0]!.id}`,
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('switch', { name: 'Require a filing number' }).click();
  await seen(drawer.getByText(/no confirmed filing number and will not be served/));
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Required' }).click();
  await seen(
    page
      .getByRole('row')
      .filter({ hasText: `www.${zone}` })
      .getByText('Not served'),
  );
  await page.getByRole('checkbox', { name: `Select www.${zone}` }).click();
  await seen(page.getByText('1 selected'));
  expect(await page.getByRole('checkbox', { name: `Select shop.${zone}` }).isChecked()).toBe(false);
  expect([...scriptErrors, ...complaints]).toEqual([]);
  await close();
});

test('the customer is told on the site, and enters a number, whose form is checked at its field', async () => {
  const { page, close, scriptErrors } = await openShell(world, {
    customer,
    path: `/dashboard/site/sitedetail/${site.id}`,
  });
  await seen(page.getByText(`www.${zone} (missing)`));
  await page.getByRole('alert').getByRole('link', { name: 'Filing numbers' }).click();
  await page.getByRole('button', { name: 'Enter filing number' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Registrable domain').fill(`www.${zone}`);
  await drawer.getByLabel('Filing number').fill('ICP 12345678');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => drawer.getByLabel('Filing number').getAttribute('aria-invalid')).toBe('true');
  await drawer.getByLabel('Filing number').fill('京icp备 12345678号-1');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => drawer.getByLabel('Registrable domain').getAttribute('aria-invalid')).toBe('true');
  await drawer.getByLabel('Registrable domain').fill(zone);
  await drawer.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row').filter({ hasText: zone });
  await seen(row.getByText('京ICP备12345678号-1'));
  await seen(row.getByText('Pending', { exact: true }));
  expect(scriptErrors).toEqual([]);
  await close();
});

test('an operator confirms it, and the site is served again', async () => {
  const { page, close, scriptErrors, complaints } = await openShell(world, {
    path: '/dashboard/site/filing',
  });
  await actOn(page, 'Confirm number');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Holder').fill('Example Ltd.');
  await dialog.getByRole('button', { name: 'Confirm number' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: zone });
  await seen(row.getByText('Confirmed', { exact: true }));
  await seen(row.getByText('Example Ltd.'));
  await page.goto('/dashboard/site/filing/unfiled?required=yes');
  await seen(page.getByText(/No domains without a filing number|No results|no matching/i).first());
  expect([...scriptErrors, ...complaints]).toEqual([]);
  await close();
});

test('the operator names who tells of numbers, with a secret that is needed', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/system/setting' });
  await page.getByRole('combobox', { name: 'Confirmed by' }).click();
  await page.getByRole('option', { name: 'Custom HTTP API' }).click();
  await page.getByLabel('Endpoint URL').fill('https://filing.example.com/ask');
  const form = page.locator('form').filter({ has: page.getByLabel('Endpoint URL') });
  await form.getByRole('button', { name: 'Save' }).click();
  const secret = form.getByRole('textbox', { name: 'Signing secret' });
  await expect.poll(() => secret.getAttribute('aria-invalid')).toBe('true');
  await form.getByRole('button', { name: 'Set: Signing secret' }).click();
  await form.getByLabel('Signing secret', { exact: true }).fill('a secret of at least sixteen');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await world.admin.get('getFilingSetting', {})).value)
    .toMatchObject({
      provider: 'custom_http',
      secret_set: true,
    });
  await close();
});
