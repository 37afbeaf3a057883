import { readSetting, saveSetting, startWorld, type World } from '@breakwater/test-world';
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
    'Welcome message (English)',
    'Hello',
    async () => (await readSetting(world, 'ConsoleSetting')).welcome_tip.en,
  ],
  ['CNAME domain', 'cdn.example.com', async () => (await readSetting(world, 'SiteSetting')).cname_domain],
  ['Operation log', '90', async () => String((await readSetting(world, 'Retention')).operation_log_days)],
  ['First port', '2000', async () => String((await readSetting(world, 'SitePortSetting')).first)],
])('%s is saved, and is there afterwards', async (label, value, stored) => {
  const form = formOf(label);
  await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved'));
  expect(await stored()).toBe(value);
  await page.reload();
  await expect.poll(() => formOf(label).getByLabel(label, { exact: true }).inputValue()).toBe(value);
});

test('a setting is put back as it was; after a secret was replaced, nothing offers that', async () => {
  const form = formOf('Last port');
  const last = () => readSetting(world, 'SitePortSetting').then((setting) => setting.last);
  const before = await last();
  await form.getByLabel('Last port').fill('3000');
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved'));
  expect(await last()).toBe(3000);
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Undone'));
  expect(await last()).toBe(before);
  await expect.poll(() => form.getByLabel('Last port').inputValue()).toBe(String(before));

  await saveSetting(world, 'LogShipping', { kind: 'http', http_url: 'https://logs.example.com/' });
  await page.reload();
  const shipping = formOf('Destination');
  await shipping.getByRole('button', { name: 'Set: Authorization header' }).click();
  await shipping.getByLabel('Authorization header', { exact: true }).fill('Bearer y');
  await shipping.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved'));
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

test('what cannot be is told at its field, and is not saved', async () => {
  const form = formOf('First port');
  await form.getByLabel('First port').fill('0');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => form.getByLabel('First port').getAttribute('aria-invalid')).toBe('true');
  expect((await readSetting(world, 'SitePortSetting')).first).toBe(2000);
});

test('an argument to mask is added', async () => {
  const form = formOf('Masked parameters');
  await form.getByLabel('Masked parameters', { exact: true }).fill('ticket');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Save' }).click();
  // By what is stored: the message of the save before may still be there.
  await expect.poll(async () => (await readSetting(world, 'LogPrivacy')).mask_arguments).toContain('ticket');
});

test('who saved meanwhile is not undone: what was typed stays, and the newer content is loaded beside it', async () => {
  const form = formOf('Operation log');
  const field = (label: string) => form.getByLabel(label, { exact: true });
  await field('Operation log').fill('77');
  await saveSetting(world, 'Retention', { ...(await readSetting(world, 'Retention')), task_days: 44 });
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('Changed by someone else'));
  expect(await field('Operation log').inputValue()).toBe('77');
  expect(await readSetting(world, 'Retention')).toMatchObject({ operation_log_days: 90, task_days: 44 });
  await expect.poll(() => field('Tasks and sub-tasks').inputValue()).toBe('44');
  expect(await field('Operation log').inputValue()).toBe('77');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => readSetting(world, 'Retention'))
    .toMatchObject({ operation_log_days: 77, task_days: 44 });
});

test('a secret is not shown; it stays, is kept after all, and is taken away', async () => {
  const shipping = { kind: 'http', http_url: 'https://logs.example.com/', http_authorization: 'Bearer x' };
  await saveSetting(world, 'LogShipping', shipping);
  await page.reload();
  const form = formOf('Destination');
  const shown = () => form.getByLabel('Authorization header', { exact: true }).inputValue();
  const isSet = async () => (await readSetting(world, 'LogShipping')).http_authorization_set;
  await expect.poll(shown).toBe('Set (cannot be viewed)');
  await form.getByRole('button', { name: 'Remove: Authorization header' }).click();
  expect(await shown()).toBe('Will be removed on save');
  await form.getByRole('button', { name: 'Keep current value: Authorization header' }).click();
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await form.getByLabel('URL', { exact: true }).fill('https://logs.example.com/in');
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Settings saved').first());
  await expect.poll(() => form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  expect(await isSet()).toBe(true);
  await form.getByRole('button', { name: 'Remove: Authorization header' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(isSet).toBe(false);
  await expect.poll(shown).toBe('Not set');
});
