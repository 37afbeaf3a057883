import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { startCaptchaVendor, type CaptchaVendorServer } from '@breakwater/test-world/captcha-vendor';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { actOnRow, openShell } from './shell.ts';

/** Accounts at vendors of challenges, and the site that shows one. */

let world: World;
let vendor: CaptchaVendorServer;
let page: Page;
beforeAll(async () => {
  [world, vendor] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    startCaptchaVendor(),
  ]);
  ({ page } = await openShell(world, { path: '/dashboard/site/captcha_account' }));
});
afterAll(async () => {
  await closeBrowser();
  await vendor?.close();
  await world?.close();
});

const act = (name: string, action: string) => actOnRow(page, name, action);

test('an account is added with the fields of its provider, tested, and kept with its secret', async () => {
  await page.getByRole('button', { name: 'Add CAPTCHA account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add CAPTCHA account' });
  await form.getByLabel('Name', { exact: true }).fill('Our checks');
  await form.getByLabel('Provider').click();
  await page.getByRole('option', { name: 'Google reCAPTCHA' }).click();
  await form.getByLabel('Site key').fill(vendor.siteKey);
  await form.getByLabel('Server address').fill(vendor.url);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('This field is required'));
  await form.getByRole('button', { name: /: Secret key$/ }).click();
  await form.getByLabel('Secret key', { exact: true }).fill(vendor.secretKey);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Not tested' }));
  await act('Our checks', 'Test');
  await seen(page.getByText('The control plane reaches the provider'));
  await seen(page.getByRole('cell', { name: 'Working' }));
  const { list } = await world.admin.get('listCaptchaAccounts', { query: {} });
  expect(list).toMatchObject([
    { name: 'Our checks', params: { version: 'v2', secret_key_set: true, url: vendor.url } },
  ]);
});

test('a site shows it, and it says so', async () => {
  const site = await makeSite(world.admin);
  await page.goto(new URL(`/dashboard/site/sitedetail/${site.id}?tab=verify`, page.url()).href);
  await page.getByRole('switch', { name: 'Enable browser verification' }).click();
  await page.getByLabel('Challenge', { exact: true }).click();
  await page.getByRole('option', { name: 'Third-party CAPTCHA' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('This field is required'));
  await page.getByRole('combobox', { name: 'CAPTCHA account' }).click();
  await page.getByRole('option', { name: 'Our checks' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await world.admin.get('listCaptchaAccounts', { query: {} })).list[0]?.site_count)
    .toBe(1);
  await page.goto(new URL('/dashboard/site/captcha_account', page.url()).href);
  await seen(page.getByRole('cell', { name: '1 site' }));
  const row = page.getByRole('row', { name: /Our checks/ });
  await row.getByRole('button').last().click();
  const remove = page.getByRole('menuitem', { name: 'Delete' });
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
});
