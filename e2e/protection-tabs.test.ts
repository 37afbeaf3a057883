import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** The forms of protection: what is saved stands after a reload, and what is wrong is said at its field. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  site = await makeSite(world.admin);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const open = (tab: string) => page.goto(`/dashboard/site/sitedetail/${site.id}?tab=${tab}`);
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
const params = () => ({ params: { id: site.id } });

test('browser verification', async () => {
  await open('verify');
  await page.getByRole('switch', { name: 'Enable browser verification' }).click();
  await page.getByRole('combobox', { name: 'Challenge' }).click();
  await page.getByRole('option', { name: /^Slider/ }).click();
  const requests = page.getByRole('spinbutton', { name: 'Maximum requests' });
  await requests.fill('5');
  await save();
  await expect.poll(() => requests.getAttribute('aria-invalid')).toBe('true');
  await requests.fill('500');
  await save();
  await expect
    .poll(async () => (await world.admin.get('getBrowserVerifyRule', params())).value)
    .toMatchObject({ enabled: true, kind: 'slide', pass_requests: 500 });
  await page.reload();
  await seen(page.getByRole('combobox', { name: 'Challenge' }).filter({ hasText: 'Slider' }));
  await expect
    .poll(() => page.getByRole('spinbutton', { name: 'Maximum requests' }).inputValue())
    .toBe('500');
  expect(visitor.scriptErrors).toEqual([]);
});

test('attack detection', async () => {
  await open('system-rules');
  await page.getByRole('combobox', { name: 'Mode', exact: true }).click();
  await page.getByRole('option', { name: 'Log only' }).click();
  await page.getByRole('combobox', { name: 'SQL injection', exact: true }).click();
  await page.getByRole('option', { name: 'Strict' }).click();
  const leaks = page.getByRole('combobox', { name: 'Data leaks (responses)', exact: true });
  await seen(leaks.filter({ hasText: 'Not set (Off)' }));
  await leaks.click();
  await page.getByRole('option', { name: 'Standard', exact: true }).click();
  await page.getByRole('button', { name: 'Add exception' }).click();
  const path = rowOf(page, 'Exceptions', 1).getByRole('textbox', { name: 'Path' });
  await path.fill('no-slash');
  await save();
  await seen(page.getByText(/Enter a path that starts with/));
  await path.fill('/editor/*');
  await save();
  await expect
    .poll(async () => (await world.admin.get('getUsedSystemRule', params())).value)
    .toMatchObject({
      mode: 'observe',
      sql: 'strict',
      leak: 'default',
      exceptions: [{ path: '/editor/*' }],
    });
  await page.reload();
  await seen(leaks.filter({ hasText: 'Standard' }));
  await seen(
    page.getByRole('combobox', { name: 'SQL injection', exact: true }).filter({ hasText: 'Strict' }),
  );
  await seen(page.getByRole('combobox', { name: 'Mode', exact: true }).filter({ hasText: 'Log only' }));
  expect(visitor.scriptErrors).toEqual([]);
});

test('settings of bans, and of the notices of attacks', async () => {
  await page.goto('/dashboard/site/waf_setting');
  const bans = page.locator('form', { has: page.getByLabel('Factor for repeat offenders') });
  const saveBans = () => bans.getByRole('button', { name: 'Save' }).click();
  const factor = bans.getByRole('spinbutton', { name: 'Factor for repeat offenders' });
  await factor.fill('99');
  await saveBans();
  await expect.poll(() => factor.getAttribute('aria-invalid')).toBe('true');
  await factor.fill('4');
  await saveBans();
  await expect
    .poll(async () => (await world.admin.get('getWafSetting', {})).value)
    .toMatchObject({ repeat_factor: 4 });
  await page.reload();
  await expect
    .poll(() => page.getByRole('spinbutton', { name: 'Factor for repeat offenders' }).inputValue())
    .toBe('4');

  await page.goto('/dashboard/system/setting');
  const notices = page.locator('form', { has: page.getByLabel('Attack requests', { exact: true }) });
  const requests = notices.getByRole('spinbutton', { name: 'Attack requests' });
  await requests.fill('0');
  await notices.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => requests.getAttribute('aria-invalid')).toBe('true');
  await requests.fill('77');
  await notices.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await world.admin.get('getAttackNotice', {})).value)
    .toMatchObject({ requests: 77 });
  expect(visitor.scriptErrors).toEqual([]);
});
