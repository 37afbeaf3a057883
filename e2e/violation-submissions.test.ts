import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { siteViolation } from '../apps/server/src/db/schema.ts';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** What visitors send to sites: the share that is looked into, and what was found in it. */

let world: World;
let customer: Customer;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  const row = {
    siteId: site.id,
    host: site.domain,
    category: 'Gambling',
    word: 'free casino',
    excerpt: 'all about the free casino here',
    contentHash: 'ab'.repeat(32),
  };
  await world.server.services.db.insert(siteViolation).values([
    { ...row, requestUri: '/bad.html', action: 'blocked' },
    { ...row, requestUri: '/comments', action: 'recorded', source: 'submitted' },
  ]);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the share is set beside what it means, and what is none is refused at its field', async () => {
  const { page, scriptErrors, close } = await openShell(world, {
    path: '/dashboard/system/http_filter_setting',
  });
  const share = page.getByLabel('Sampled visitor submissions');
  await expect.poll(() => share.inputValue()).toBe('0');
  await seen(page.getByText(/Make sure that the law allows this, and inform your customers/));
  await share.fill('1001');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => share.getAttribute('aria-invalid')).toBe('true');
  await share.fill('50');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await world.admin.get('getHttpFilterSetting', {})).value.submitted_per_mille)
    .toBe(50);
  await page.goto('/dashboard/system/http_filter_setting');
  await expect.poll(() => share.inputValue()).toBe('50');
  expect(scriptErrors).toEqual([]);
  await close();
});

test('an administrator who may not change it finds no way to', async () => {
  const { username, password } = await makeAdministrator(world, ['site_violation.read', 'setting.read']);
  const { page, close } = await openShell(world, {
    administrator: { username, password },
    path: '/dashboard/system/http_filter_setting',
  });
  const share = page.getByLabel('Sampled visitor submissions');
  await seen(share);
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await close();
});

test('what a visitor sent is told apart, found by its source, and decided about without its page', async () => {
  const { page, scriptErrors, complaints, close } = await openShell(world, {
    path: '/dashboard/statistics/http_filter',
  });
  const row = page.getByRole('row').filter({ hasText: '/comments' });
  await seen(row.getByText('Visitor submission', { exact: true }));
  await seen(
    page.getByRole('row').filter({ hasText: '/bad.html' }).getByText('Site content', { exact: true }),
  );
  await page.goto('/dashboard/statistics/http_filter?source=submitted');
  await seen(row);
  expect(await page.getByRole('row').filter({ hasText: '/bad.html' }).count()).toBe(0);
  const open = async (action: string) => {
    await row.getByRole('button', { name: /comments/ }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    return page.getByRole('dialog');
  };
  const evidence = await open('Evidence');
  await seen(evidence.getByText('Sent to this URL by a visitor. It is not the page itself.'));
  expect(await evidence.getByText('Page status').count()).toBe(0);
  await evidence.getByRole('button', { name: 'Close' }).click();
  const dialog = await open('Decide');
  await dialog.getByRole('combobox', { name: 'Decision' }).click();
  const decisions = await page.getByRole('option').allTextContents();
  expect(decisions).toEqual(['Confirm', 'Dismiss, not a violation', 'Confirm, suspend the whole site']);
  await page.getByRole('option', { name: 'Dismiss, not a violation' }).click();
  await dialog.getByRole('button', { name: 'Dismiss violation', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await seen(row.getByText('Dismissed', { exact: true }));
  expect([...scriptErrors, ...complaints]).toEqual([]);
  await close();
});

test('its customer sees it as the others, and it is counted apart', async () => {
  const { page, close } = await openShell(world, { customer, path: '/dashboard/statistics/http_filter' });
  const row = page.getByRole('row').filter({ hasText: '/comments' });
  await seen(row.getByText('Visitor submission', { exact: true }));
  await page.getByRole('link', { name: 'Violation statistics' }).first().click();
  await seen(page.getByText('Visitor submissions', { exact: true }));
  await page.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'Visitor submission' }).click();
  await expect.poll(() => page.url()).toContain('source=submitted');
  await close();
});
