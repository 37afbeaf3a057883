import { createHash } from 'node:crypto';
import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** Rules of a product, limits of the header, limits for some requests, and keys that are taken away. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const status = async (path: string, headers: Record<string, string> = {}) =>
  (await world.fetchEdge(site.domain, path, { headers })).status;
const becomes = (path: string, expected: number, headers: Record<string, string> = {}) =>
  waitFor(`${path} to answer ${expected}`, async () => (await status(path, headers)) === expected);
const open = (tab: string) => page.goto(`/dashboard/site/sitedetail/${site.id}?tab=${tab}`);
const section = (title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const live = () => seen(page.getByText('Live on all nodes'));
async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await live();
}

test('a rule of a product closes a folder of its sites, which show whose rule it is', async () => {
  const { list } = await world.admin.get('listProducts', { query: {} });
  await page.goto(`/dashboard/product/defaults/${list[0]!.id}?tab=access`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Only these paths').fill('/closed/');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change these defaults?' });
  await seen(dialog.getByText('1 site changes accordingly', { exact: false }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await live();
  await becomes('/closed/x', 403);
  expect(await status('/')).toBe(200);
  await open('access');
  const above = page.getByRole('listitem').filter({ hasText: 'Plan' });
  await seen(above.getByText('Path is /closed/'));
  // It is the product's, so there is none here to be changed.
  expect(await page.getByRole('button', { name: /^Expand/ }).count()).toBe(0);
});

test('a limit of the address and of the header is set, held to, and taken away', async () => {
  await open('limits');
  const head = section('Request headers and URL');
  await head.getByLabel('URL length', { exact: true }).fill('1');
  await head.getByLabel('Number of headers').fill('20');
  await save();
  const long = `/${'x'.repeat(1100)}`;
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-field-${n}`, 'value']));
  await becomes(long, 414);
  expect(await status('/', many)).toBe(431);
  expect(await status('/')).toBe(200);
  await page.reload();
  expect(await head.getByLabel('URL length', { exact: true }).inputValue()).toBe('1');
  expect(await head.getByLabel('Number of headers').inputValue()).toBe('20');
  await head.getByLabel('URL length', { exact: true }).fill('');
  await head.getByLabel('Number of headers').fill('');
  await save();
  await becomes(long, 200);
  expect(await status('/', many)).toBe(200);
});

test('a limit for some requests is made by mouse, tried, saved, and there again', async () => {
  await open('limits');
  const rates = section('Request rate per client');
  await rates.getByLabel('Requests', { exact: true }).fill('1');
  await rates.getByLabel('Burst', { exact: false }).fill('0');
  await rates.getByRole('button', { name: 'Apply to some requests only' }).click();
  const first = rates.getByRole('group', { name: 'Condition 1', exact: true });
  await first.getByLabel('Field', { exact: true }).click();
  await page.getByRole('option', { name: 'Path', exact: true }).click();
  await first.getByLabel('Operator', { exact: true }).click();
  await page.getByRole('option', { name: 'starts with', exact: true }).click();
  await first.getByLabel(/^Values?/).fill('/api/');
  await page.keyboard.press('Enter');
  await rates.getByRole('button', { name: 'Test a request' }).click();
  const result = rates.getByRole('status');
  await rates.getByLabel('URL').fill(`http://${site.domain}/api/items`);
  await seen(result.getByText('Matches', { exact: true }));
  await rates.getByLabel('URL').fill(`http://${site.domain}/pages`);
  await seen(result.getByText('Does not match'));
  await save();
  await page.reload();
  await seen(first.getByText('/api/', { exact: true }));
  await rates.getByRole('button', { name: 'Expression', exact: true }).click();
  expect(await rates.getByLabel('Condition expression').inputValue()).toBe('path starts_with "/api/"');
  await becomes('/api/items', 429);
  expect([await status('/pages'), await status('/pages')]).toEqual([200, 200]);
});

test('the key before is taken away, and links that it signed open no more', async () => {
  const [now, before] = ['the-new-key', 'the-old-key'];
  const link = (key: string) => {
    const time = Math.floor(Date.now() / 1000);
    const hash = createHash('md5').update(`/file-${time}-0-0-${key}`).digest('hex');
    return `/file?auth_key=${time}-0-0-${hash}`;
  };
  await open('access');
  await page.getByRole('switch', { name: 'Require signed URLs' }).click();
  for (const [label, key] of [
    ['Key', now],
    ['Previous key', before],
  ] as const) {
    await page.getByRole('button', { name: `Set: ${label}`, exact: true }).click();
    await page.getByLabel(label, { exact: true }).fill(key);
  }
  await save();
  await becomes('/file', 403);
  expect([await status(link(now)), await status(link(before))]).toEqual([200, 200]);
  const field = page.getByLabel('Previous key', { exact: true });
  await page.getByRole('button', { name: 'Remove: Previous key' }).click();
  expect(await field.inputValue()).toBe('Will be removed on save');
  // Said before it is saved, it can be taken back.
  await page.getByRole('button', { name: 'Keep current value: Previous key' }).click();
  expect(await field.inputValue()).toBe('Set (cannot be viewed)');
  await page.getByRole('button', { name: 'Remove: Previous key' }).click();
  await save();
  await becomes(link(before), 403);
  expect(await status(link(now))).toBe(200);
  expect(visitor.scriptErrors).toEqual([]);
});
