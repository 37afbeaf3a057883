import { readFile } from 'node:fs/promises';
import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
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

async function saved(click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFile(await download.path(), 'utf8');
}

test('500 lines with five bad ones: 495 sites, and each bad line says why', async () => {
  const word = unique('bulk');
  const lines = Array.from({ length: 500 }, (_, n) => `www${n}.${word}.example.com|192.0.2.1`);
  for (const n of [3, 103, 203, 303, 403]) lines[n] = `bad domain ${n}|192.0.2.1`;
  await page.goto('/dashboard/site/batch');
  await page.getByLabel('Sites (one per line)').fill(lines.join('\n'));
  await seen(page.getByText('495 lines are ready'));
  await seen(page.getByText(/^Line 4: bad – Enter a valid domain/));
  await page.getByRole('button', { name: 'Add these sites' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('495 done · 5 failed'), 400);
  await page.getByLabel('Filter by result').click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await seen(page.getByText('1–5 of 5'));
  expect(await page.getByText(/Enter a valid domain/).count()).toBe(5);
  const file = await saved(() => page.getByRole('button', { name: 'Download failed lines' }).click());
  expect(file.charCodeAt(0)).toBe(0xfeff);
  expect(file.trim().split('\r\n')).toHaveLength(6);
  const { total } = await world.admin.get('listSites', { query: { domain_name: word } });
  expect(total).toBe(495);
  expect(visitor.scriptErrors).toEqual([]);
});

test('blank lines at the start count in the numbers of lines, before they are sent and after', async () => {
  await page.goto('/dashboard/site/batch');
  await page.getByLabel('Sites (one per line)').fill('\n\nbad domain|192.0.2.1');
  await seen(page.getByText(/^Line 3: bad/));
  await page.getByRole('button', { name: 'Add these sites' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  const id = Number(page.url().split('/').at(-1));
  const { list } = await world.admin.get('listSiteBatchLines', { params: { id }, query: {} });
  expect(list.map(({ position }) => position)).toEqual([3]);
});

test('tags are made, put on selected sites and filtered by', async () => {
  const name = unique('tag');
  await page.goto('/dashboard/site/tags');
  await page.getByRole('button', { name: 'Add tag' }).first().click();
  await page.getByLabel('Name').last().fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText(name));

  const word = unique('tagged');
  for (const part of ['a', 'b', 'c']) await makeSite(world.admin, { domain: `${part}.${word}.example.com` });
  await page.goto(`/dashboard/site/list?domain_name=${word}`);
  for (const part of ['a', 'b'])
    await page.getByRole('checkbox', { name: new RegExp(`${part}\\.${word}`) }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click();
  const form = page.getByRole('dialog', { name: 'Tag sites' });
  await form.getByLabel('Add tags').click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Apply' }).click();
  await seen(page.getByText('Updated the tags of 2 sites'));

  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByLabel('Tags', { exact: true }).click();
  await page.getByRole('option', { name }).click();
  await seen(page.getByText('1–2 of 2'));
});

test('the list is exported with its filters, as far as one asks', async () => {
  const word = unique('file');
  for (const part of ['a', 'b', 'c']) await makeSite(world.admin, { domain: `${part}.${word}.example.com` });
  await page.goto(`/dashboard/site/list?domain_name=${word}&sort_by=domain_name&sort_order=asc`);
  await seen(page.getByText('1–3 of 3'));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Export sites' });
  await form.getByLabel('Number of sites').fill('10001');
  await form.getByRole('button', { name: 'Export' }).click();
  await seen(form.getByText('Above the maximum'));
  await form.getByLabel('Number of sites').fill('2');
  const file = await saved(() => form.getByRole('button', { name: 'Export' }).click());
  const rows = file.slice(1).trim().split('\r\n');
  expect(rows[0]).toContain('Domains');
  expect(rows.slice(1).map((row) => row.split(',')[1])).toEqual([
    `a.${word}.example.com`,
    `b.${word}.example.com`,
  ]);
  await seen(page.getByText('Exported 2 sites'));
});

test('many sites are taken offline from the list, all that match at once', async () => {
  const word = unique('off');
  for (const part of ['a', 'b', 'c']) await makeSite(world.admin, { domain: `${part}.${word}.example.com` });
  await page.goto(`/dashboard/site/list?domain_name=${word}`);
  await page.getByRole('checkbox', { name: new RegExp(`a\\.${word}`) }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Take offline' }).click();
  await page.getByRole('radio', { name: 'all 3 sites matching the filters' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take offline' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('3 done'));
  const { total } = await world.admin.get('listSites', { query: { domain_name: word, status: 'offline' } });
  expect(total).toBe(3);
});

test('all that match are those of the list that is shown, not those that are only asked for; it says that it is older', async () => {
  const [few, many] = [unique('few'), unique('many')];
  for (const part of ['a', 'b']) await makeSite(world.admin, { domain: `${part}.${few}.example.com` });
  for (const part of ['a', 'b', 'c']) await makeSite(world.admin, { domain: `${part}.${many}.example.com` });
  await page.goto(`/dashboard/site/list?domain_name=${few}`);
  await seen(page.getByText('1–2 of 2'));
  const held = Promise.withResolvers<void>();
  await page.route(`**/prod-api/site?*domain_name=${many}*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('textbox', { name: 'Domain', exact: true }).fill(many);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(many));
  await page.locator('[aria-busy="true"]').waitFor();
  await seen(page.getByRole('progressbar', { name: 'Loading new results' }));
  await page.getByRole('checkbox', { name: new RegExp(`a\\.${few}`) }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete these sites?' });
  await dialog.getByRole('radio', { name: 'all 2 sites matching the filters' }).click();
  await dialog.getByRole('textbox').fill('2');
  // Somebody adds one in the meantime: two were agreed to, not three.
  const third = await makeSite(world.admin, { domain: `c.${few}.example.com` });
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await seen(dialog.getByText('2 when selected, 3 now'));
  await world.admin.get('removeSiteForced', { params: { id: third.id } });
  held.resolve();
  await seen(page.getByText('1–3 of 3'));
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('2 done'));
  const left = await world.admin.get('listSites', { query: { domain_name: many } });
  expect(left.total).toBe(3);
});

test('sites are deleted from the list without waiting for nodes', async () => {
  const word = unique('force');
  for (const part of ['a', 'b']) await makeSite(world.admin, { domain: `${part}.${word}.example.com` });
  await page.goto(`/dashboard/site/list?domain_name=${word}`);
  for (const part of ['a', 'b'])
    await page.getByRole('checkbox', { name: new RegExp(`${part}\\.${word}`) }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Force delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Force delete these sites?' });
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Force delete' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('2 done'));
  expect((await world.admin.get('listSites', { query: { domain_name: word } })).total).toBe(0);
  expect(visitor.scriptErrors).toEqual([]);
});

test('one field of a section is changed at chosen sites, and told line by line', async () => {
  const word = unique('change');
  const sites = [];
  for (const part of ['a', 'b'])
    sites.push(await makeSite(world.admin, { domain: `${part}.${word}.example.com` }));
  await world.admin.get('updateSiteSecurity', {
    query: { site_id: sites[0]!.id },
    body: { version: 1, value: { connections: 3 } },
  });
  await page.goto('/dashboard/site/batch');
  await page.getByRole('tab', { name: 'Change settings' }).click();
  await page.getByLabel('Section', { exact: true }).click();
  await page.getByRole('option', { name: 'Limits' }).click();
  await page.getByLabel('Source site').fill(word);
  await page.getByRole('option', { name: sites[0]!.domain }).click();
  const editor = page.getByRole('textbox', { name: 'Content (JSON)' });
  await expect.poll(() => editor.textContent()).toContain('"connections": 3');
  await editor.fill('{ "connections": 7, "rate_counts_hits": false }');
  await page.getByLabel('Change only these fields').click();
  await page.getByRole('option', { name: 'connections', exact: true }).click();
  await page.keyboard.press('Escape');
  for (const { domain } of sites) {
    await page.getByRole('combobox', { name: 'Sites' }).fill(domain);
    await page.getByRole('option', { name: domain }).click();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('2 done'));
  for (const { id } of sites) {
    const { value } = await world.admin.get('getSiteSecurity', { query: { site_id: id } });
    expect([value.connections, value.rate_counts_hits]).toEqual([7, true]);
  }
});

test('a field that the chosen site does not set can be chosen, and stands in the value with its default', async () => {
  const site = await makeSite(world.admin, { domain: `${unique('unset')}.example.com` });
  await page.goto('/dashboard/site/batch');
  await page.getByRole('tab', { name: 'Change settings' }).click();
  await page.getByLabel('Section', { exact: true }).click();
  await page.getByRole('option', { name: 'Limits' }).click();
  await page.getByLabel('Source site').fill(site.domain);
  await page.getByRole('option', { name: site.domain }).click();
  const editor = page.getByRole('textbox', { name: 'Content (JSON)' });
  await page.getByLabel('Change only these fields').click();
  await page.getByRole('option', { name: 'rate_counts_hits', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => editor.textContent()).toBe('{  "rate_counts_hits": true}');
  await editor.fill('{ "rate_counts_hits": false }');
  await page.getByRole('combobox', { name: 'Sites' }).fill(site.domain);
  await page.getByRole('option', { name: site.domain }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.waitForURL(/\/batchs\/\d+$/);
  await seen(page.getByText('1 done'));
  const { own, value } = await world.admin.get('getSiteSecurity', { query: { site_id: site.id } });
  expect([own, value.rate_counts_hits]).toEqual([['rate_counts_hits'], false]);
  expect(visitor.scriptErrors).toEqual([]);
});
