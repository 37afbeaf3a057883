import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let site: Awaited<ReturnType<typeof makeSite>>;
const dayMs = 86_400_000;
const idOf = (index: number) => `${index}`.padStart(32, '0');

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  site = await makeSite(world.admin);
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
  const agent = makeLine({
    time: new Date(from + 500).toISOString(),
    request_id: 'a'.repeat(32),
    site_id: 0,
    host: 'long.example.com',
    method: 'HEAD',
    remote_addr: '203.0.113.200',
    request_uri: '/agent',
    user_agent: `Mozilla/5.0 ${'(in an app of apps) '.repeat(30)}`,
  });
  const old = makeLine({
    time: new Date(Date.now() - 3 * dayMs).toISOString(),
    request_id: 'b'.repeat(32),
    site_id: 0,
    host: 'old.example.com',
    request_uri: '/old',
  });
  const batch = { nodeId: 1, file: 'access.1', offset: 0, lines: toBytes([old, agent, ...lines]) };
  await world.server.services.logStore.ingest(batch);
  visitor = await openSession(world);
  page = visitor.page;
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
  await page.getByRole('combobox', { name: 'Sort by time' }).click();
  await page.getByRole('option', { name: 'Oldest first' }).click();
  await page.waitForURL(/time_sort=asc/);
  await seen(first().getByText('/page/0', { exact: true }));
});

test('a search with what it leaves out is saved under a name, and found again', async () => {
  await page.goto(`${screen}?method=GET&exclude=request_uri%3D%2Fpage%2F2`);
  await seen(page.getByText('1–10 of 12'));
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('View name').fill('Mine');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.goto(`${screen}?method=POST`);
  await seen(page.getByText('1–10 of 12'));
  await seen(first().getByText('/page/23', { exact: true }));
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Mine', exact: true }).click();
  await page.waitForURL(/exclude=/);
  await seen(first().getByText('/page/24', { exact: true }));
  await seen(page.getByText('URI ≠ /page/2'));
});

test('the address of a search shows the same to a colleague', async () => {
  await page.goto(`${screen}?text=%2FPAGE%2F1&page_size=50&time_sort=asc`);
  await seen(page.getByText('1–11 of 11'));
  const colleague = await openSession(world);
  await colleague.page.goto(page.url());
  await seen(colleague.page.getByText('1–11 of 11'));
  await seen(colleague.page.getByRole('row').nth(1).getByText('/page/1', { exact: true }));
  await colleague.close();
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
  const explain = drawer.getByRole('link', { name: 'Trace this request' });
  expect(await explain.getAttribute('href')).toContain(`request_id=${idOf(20)}`);
  await drawer.getByRole('button', { name: 'All records of this request ID' }).click();
  await page.waitForURL(new RegExp(`request_id=${idOf(20)}`));
  await seen(page.getByText('1–1 of 1'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('what no search takes is told at its field, and nothing is searched otherwise', async () => {
  await page.goto(`${screen}?method=GET`);
  await seen(page.getByText('1–10 of 13'));
  const status = page.getByRole('spinbutton', { name: 'Status code', exact: true });
  await status.fill('99');
  await status.press('Enter');
  await seen(page.getByText('Below the minimum'));
  expect(await status.inputValue()).toBe('99');
  expect(page.url()).not.toContain('status_code');
  await status.fill('404');
  await status.press('Enter');
  await page.waitForURL(/status_code=404/);
  await seen(page.getByText('No results match these filters'));
  await page.goto('/dashboard/statistics/site_reject');
  const address = page.getByRole('textbox', { name: 'IP', exact: true });
  await address.fill('1.2.3');
  await address.press('Enter');
  await seen(page.getByText('IP Format Error'));
});

test('a page beyond the last says so, and leads back', async () => {
  await page.goto(`${screen}?current_page=9`);
  await seen(page.getByText('Nothing on this page'));
  await page.getByRole('button', { name: 'Go to the first page' }).click();
  await seen(first().getByText('/page/24', { exact: true }));
});

test('all of an address leaves other filters, only its value adds one', async () => {
  await page.goto(`${screen}?method=GET&request_uri=%2Fpage%2F2`);
  await seen(page.getByText('1–4 of 4'));
  await page.getByRole('row').filter({ hasText: '/page/20' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Show only: Referer' }).click();
  await seen(page.getByText('1–1 of 1'));
  await seen(page.getByRole('button', { name: /Remove filter: Referer/ }));
  await page.getByRole('row').filter({ hasText: '/page/20' }).click();
  await drawer.getByRole('button', { name: 'All requests of this IP' }).click();
  await seen(page.getByText('1–10 of 25'));
  expect(page.url()).not.toMatch(/method|request_uri|referer/);
});

test('a very long agent is found by its own button', async () => {
  await page.goto(`${screen}?host=long.example.com`);
  await page.getByRole('row').filter({ hasText: '/agent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show only: User agent' }).click();
  await page.waitForURL(/user_agent=/);
  await seen(page.getByText('1–1 of 1'));
  await seen(page.getByRole('button', { name: /Remove filter: User agent/ }));
});

test('the 21st value to leave out is refused in words', async () => {
  const exclude = Array.from({ length: 20 }, (_, index) => `host=${index}.example.com`).join('\n');
  await page.goto(`${screen}?${new URLSearchParams({ exclude }).toString()}`);
  await page.getByRole('row').filter({ hasText: '/page/20' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Exclude: Method' }).click();
  await seen(page.getByText(/At most 20 values/));
  await page.keyboard.press('Escape');
  expect(visitor.scriptErrors).toEqual([]);
});

test('opens with the last 24 hours, and any time is a choice that can be taken back', async () => {
  await page.goto(screen);
  await seen(page.getByText('1–10 of 26'));
  expect(await page.getByRole('combobox', { name: 'Time' }).textContent()).toBe('Last 24 hours');
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Any time' }).click();
  await seen(page.getByText('1–10 of 27'));
  await page.getByRole('button', { name: 'Remove filter: Time (Any time)' }).click();
  await seen(page.getByText('1–10 of 26'));
  // One request is found whenever it was.
  await page.goto(`${screen}?request_id=${'b'.repeat(32)}`);
  await seen(page.getByText('1–1 of 1'));
});

const histogram = () => page.getByRole('group', { name: /^Requests over time/ });
const barWith = (text: RegExp) => histogram().getByRole('button', { name: text });

test('a bar of the histogram becomes the range, by the pointer and by the keyboard', async () => {
  await page.goto(screen);
  await seen(page.getByText('1–10 of 26'));
  await barWith(/: [1-9]\d* requests/)
    .first()
    .waitFor();
  const full = barWith(/: [1-9]\d* requests/);
  const counts = await full.evaluateAll((bars) =>
    bars.map((bar) => Number(/: (\d+) requests/.exec(bar.ariaLabel!)![1])),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(26);
  await full.first().click();
  await page.waitForURL(/start_time=/);
  await seen(page.getByText(new RegExp(`of ${counts[0]}$`)));
  await page.getByRole('button', { name: /Remove filter: Time/ }).click();
  await seen(page.getByText('1–10 of 26'));
  // All of them, from the first to the last.
  await histogram().getByRole('button').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Enter');
  await page.waitForURL(/start_time=/);
  await seen(page.getByText('1–10 of 26'));
});

test('the page size that was chosen is that of the next visit, of this list alone', async () => {
  await page.goto(screen);
  await page.getByRole('combobox', { name: 'Per page' }).click();
  await page.getByRole('option', { name: '20', exact: true }).click();
  await seen(page.getByText('1–20 of 26'));
  await page.goto(screen);
  await seen(page.getByText('1–20 of 26'));
  await page.getByRole('combobox', { name: 'Per page' }).click();
  await page.getByRole('option', { name: '10', exact: true }).click();
  await seen(page.getByText('1–10 of 26'));
  await page.goto('/dashboard/site/list');
  await seen(page.getByRole('combobox', { name: 'Per page' }).getByText('10'));
});

test("a site's own tab searches there, and its time opens all of a record with names", async () => {
  await page.goto('/dashboard/site/list');
  await page.getByRole('link', { name: site.domain }).click();
  await page.getByRole('tab', { name: 'Access log' }).click();
  await seen(page.getByText('1–10 of 25'));
  await page.getByLabel('URL or user agent').fill('/page/1');
  await page.keyboard.press('Enter');
  await seen(page.getByText('1–10 of 11'));
  await seen(page.getByRole('button', { name: /Remove filter: URL or user agent/ }));
  expect(new URL(page.url()).searchParams.get('tab')).toBe('logs');
  await page.locator('td[data-column=time]').first().getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await seen(drawer.getByRole('link', { name: site.domain }));
  const { order_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const { order_no } = await world.admin.get('getOrder', { params: { id: order_id } });
  await seen(drawer.getByRole('link', { name: order_no }));
  await drawer.getByRole('button', { name: 'Show only: Method' }).click();
  await seen(page.getByRole('button', { name: /Remove filter: Method/ }));
  expect(new URL(page.url()).pathname).toMatch(/sitedetail/);
  expect(visitor.scriptErrors).toEqual([]);
});
