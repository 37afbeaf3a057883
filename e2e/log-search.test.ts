import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, openConsole, seen, signIn, type Visitor } from './browser.ts';

let world: World;
let visitor: Visitor;
let page: Page;
const idOf = (index: number) => `${index}`.padStart(32, '0');

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const site = await makeSite(world.admin);
  const { order_id, client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const from = Date.now() - 10 * 60_000;
  const lines = Array.from({ length: 25 }, (_, index) =>
    makeLine({
      time: new Date(from + index * 1000).toISOString(),
      request_id: idOf(index),
      site_id: site.id,
      client_id,
      order_id,
      host: site.domain,
      request_uri: `/page/${index}`,
      method: index % 2 === 0 ? 'GET' : 'POST',
      referer: `https://from.example/${index}`,
    }),
  );
  const batch = { nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) };
  await world.server.services.logStore.ingest(batch);
  visitor = await openConsole(world.adminUrl);
  page = visitor.page;
  await signIn(page, 'admin', world.adminPassword);
  await page.waitForURL(/\/dashboard$/);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const screen = '/dashboard/statistics/http_access';
const first = () => page.getByRole('row').nth(1);

test('the newest stand first, or the oldest where that is asked for', async () => {
  await page.goto(screen);
  await seen(first().getByText('/page/24', { exact: true }));
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Oldest first' }).click();
  await page.waitForURL(/time_sort=asc/);
  await seen(first().getByText('/page/0', { exact: true }));
});

test('a search with what it leaves out is saved under a name, and found again', async () => {
  await page.goto(`${screen}?method=GET&exclude=request_uri%3D%2Fpage%2F2`);
  await seen(page.getByText('1–10 of 12'));
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByLabel('Name of the filter').fill('Mine');
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await page.goto(`${screen}?method=POST`);
  await seen(page.getByText('1–10 of 12'));
  await seen(first().getByText('/page/23', { exact: true }));
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('button', { name: 'Mine', exact: true }).click();
  await page.waitForURL(/exclude=/);
  await seen(first().getByText('/page/24', { exact: true }));
  await seen(page.getByText('Request URI is not /page/2'));
});

test('the address of a search shows the same to a colleague', async () => {
  await page.goto(`${screen}?text=%2FPAGE%2F1&page_size=50&time_sort=asc`);
  await seen(page.getByText('1–11 of 11'));
  const colleague = await openConsole(world.adminUrl);
  await signIn(colleague.page, 'admin', world.adminPassword);
  await colleague.page.waitForURL(/\/dashboard$/);
  await colleague.page.goto(page.url());
  await seen(colleague.page.getByText('1–11 of 11'));
  await seen(colleague.page.getByRole('row').nth(1).getByText('/page/1', { exact: true }));
  await colleague.context.close();
});

test('columns are chosen, and stay', async () => {
  await page.goto(screen);
  await page.getByRole('button', { name: 'Table settings' }).click();
  await page.getByRole('checkbox', { name: 'Show column: Referer' }).check();
  await page.keyboard.press('Escape');
  await page.reload();
  await seen(page.getByRole('columnheader', { name: 'Referer' }));
  await seen(first().getByText('https://from.example/24'));
});

test('a record leads to its explanation and to all of its request', async () => {
  await page.goto(screen);
  await page.getByRole('row').filter({ hasText: '/page/20' }).click();
  const drawer = page.getByRole('dialog');
  const explain = drawer.getByRole('link', { name: 'Explain' });
  expect(await explain.getAttribute('href')).toContain(`request_id=${idOf(20)}`);
  await drawer.getByRole('button', { name: 'All of this request ID' }).click();
  await page.waitForURL(new RegExp(`request_id=${idOf(20)}`));
  await seen(page.getByText('1–1 of 1'));
  expect(visitor.scriptErrors).toEqual([]);
});
