import { readFile } from 'node:fs/promises';
import { makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const rulesOf = async (id: number) =>
  (await world.admin.get('getCacheRule', { query: { site_id: id } })).value.rules.length;
const triesOf = async (id: number) =>
  (await world.admin.get('getOriginServerConfig', { query: { site_id: id } })).value.tries;

/** A site with a cache rule since version 2 and other tries since version 3. */
async function changedSite(): Promise<{ id: number; domain: string }> {
  const site = await makeSite(world.admin);
  const query = { site_id: site.id };
  const rules = [{ type: 'all' as const, ttl_seconds: 60 }];
  await world.admin.get('updateCacheRule', { query, body: { version: 1, value: { rules } } });
  const { value } = await world.admin.get('getOriginServerConfig', { query });
  await world.admin.get('updateOriginServerConfig', {
    query,
    body: { version: 2, value: { ...value, tries: 9 } },
  });
  return site;
}

test('one section is rolled back and the others stay', async () => {
  const { id } = await changedSite();
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
  await page.getByRole('button', { name: /Version 1/ }).click();
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  const form = page.getByRole('dialog');
  // What is in force now goes, not only what that version changed.
  await seen(form.getByText('Max origins to try: 9 → 3'));
  await seen(form.getByText('Cache rule removed: All requests → Cache 1 min'));
  await form.getByLabel('Rollback scope').click();
  await page.getByRole('option', { name: 'Cache rules' }).click();
  await form.getByText('Max origins to try: 9 → 3').waitFor({ state: 'detached' });
  await seen(form.getByText('Cache rule removed: All requests → Cache 1 min'));
  await form.getByRole('button', { name: 'Roll back to this version' }).click();
  await seen(page.getByRole('button', { name: /Version 4/ }));
  expect(await rulesOf(id)).toBe(0);
  expect(await triesOf(id)).toBe(9);
});

test('any two versions are compared', async () => {
  const { id } = await changedSite();
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
  await page.getByRole('button', { name: 'Compare versions' }).click();
  const drawer = page.getByRole('dialog', { name: 'Compare two versions' });
  await seen(drawer.getByText('Max origins to try: 3 → 9'));
  const from = drawer.getByLabel('From version');
  await from.fill('');
  expect(await from.inputValue()).toBe('');
  expect(await from.getAttribute('aria-invalid')).toBe('true');
  await seen(drawer.getByText('Max origins to try: 3 → 9'));
  await from.fill('1');
  await seen(drawer.getByText('Cache rule added: All requests → Cache 1 min'));
  await drawer.getByLabel('Show JSON').check();
  await seen(drawer.getByText('origin_server_config.tries'));
});

test('a section is copied to a site that is found by its domain', async () => {
  const { id } = await changedSite();
  const target = await makeSite(world.admin, { domain: `${unique('target')}.example.com` });
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
  await page.getByRole('button', { name: 'Copy a section' }).click();
  const form = page.getByRole('dialog', { name: 'Copy to other sites' });
  await form.getByLabel('Section').click();
  await page.getByRole('option', { name: 'Cache rules' }).click();
  await form.getByLabel('Sites', { exact: true }).fill(target.domain);
  await page.getByRole('option', { name: target.domain }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Copy' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('1 done'));
  expect(await rulesOf(target.id)).toBe(1);
});

test('a site goes through a file: a broken one is told by its path, a good one shows what will change', async () => {
  const { id } = await changedSite();
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=revisions`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSON' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const target = await makeSite(world.admin);
  await page.goto(`/dashboard/site/sitedetail/${target.id}?tab=revisions`);
  await page.getByRole('button', { name: 'Import JSON' }).click();
  const form = page.getByRole('dialog', { name: 'Import configuration from a file' });
  const choose = async (name: string, content: string) => {
    await form
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
    // Said once the browser has read it.
    await seen(form.getByText(name, { exact: true }));
    await form.getByRole('button', { name: 'Show differences' }).click();
  };
  await choose('no-json.json', text.replace('"tries": 9', '"tries": 9,'));
  await seen(form.getByText(/Invalid JSON/));
  await choose('wrong-type.json', text.replace('"tries": 9', '"tries": "many"'));
  await seen(form.getByText('sections.origin_server_config.tries: Wrong type'));
  await choose('site.json', text);
  await seen(form.getByText('Max origins to try: 3 → 9'));
  expect(await triesOf(target.id)).toBe(3);
  await form.getByRole('button', { name: 'Apply' }).click();
  await waitFor('the import', async () => (await triesOf(target.id)) === 9);
  expect(await rulesOf(target.id)).toBe(1);
  expect(visitor.scriptErrors).toEqual([]);
});
