import { startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** The platform's settings: each is a form of its own. */

let world: World;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  ({ page } = await openShell(world, { path: '/dashboard/system/setting' }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const formOf = (label: string) => page.locator('form', { has: page.getByLabel(label, { exact: true }) });

test.each([
  [
    'Welcome tip (English)',
    'Hello',
    async () => (await world.admin.get('getConsoleSetting', {})).welcome_tip.en,
  ],
  ['CNAME domain', 'cdn.example.com', async () => (await world.admin.get('getSiteSetting', {})).cname_domain],
  ['Operation log', '90', async () => String((await world.admin.get('getRetention', {})).operation_log_days)],
  ['First port', '2000', async () => String((await world.admin.get('getSitePortSetting', {})).first)],
])('%s is saved, and is there afterwards', async (label, value, stored) => {
  const form = formOf(label);
  await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved'));
  expect(await stored()).toBe(value);
  await page.reload();
  await expect.poll(() => formOf(label).getByLabel(label, { exact: true }).inputValue()).toBe(value);
});

test('what cannot be is told at its field, and is not saved', async () => {
  const form = formOf('First port');
  await form.getByLabel('First port').fill('0');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => form.getByLabel('First port').getAttribute('aria-invalid')).toBe('true');
  expect((await world.admin.get('getSitePortSetting', {})).first).toBe(2000);
});

test('an argument to mask is added', async () => {
  const form = formOf('Masked arguments');
  await form.getByLabel('Masked arguments', { exact: true }).fill('ticket');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved'));
  expect((await world.admin.get('getLogPrivacy', {})).mask_arguments).toContain('ticket');
});
