import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { readFile } from 'node:fs/promises';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  site = await makeSite(world.admin);
  const { order_id, client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const from = Date.now() - 10 * 60_000;
  const lines = Array.from({ length: 40 }, (_, index) =>
    makeLine({
      time: new Date(from + index * 1000).toISOString(),
      request_id: index.toString(16).padStart(32, '0'),
      site_id: site.id,
      client_id,
      order_id,
      host: site.domain,
      remote_addr: index < 30 ? '198.51.100.7' : '203.0.113.9',
      request_uri: index < 30 ? `/film.mp4?part=${index}` : '/index.html',
      user_agent: index < 30 ? 'Player/1.0' : 'Browser/9',
      status: index === 39 ? 404 : 200,
      bytes_sent: 1_000_000,
    }),
  );
  await world.server.services.logStore.ingest({
    nodeId: 1,
    file: 'access.1',
    offset: 0,
    lines: toBytes(lines),
  });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('what had the most is ranked, and a name leads to its records', async () => {
  await page.goto('/dashboard/statistics/analysis');
  const pages = page.getByRole('region', { name: 'Top URLs', exact: true });
  await seen(
    pages
      .getByRole('listitem')
      .filter({ hasText: `${site.domain}/film.mp4` })
      .getByText('30'),
  );
  await page.getByRole('button', { name: 'By traffic' }).click();
  await seen(pages.getByRole('listitem').filter({ hasText: '/film.mp4' }).getByText('28.6 MB'));
  const visitors = page.getByRole('region', { name: 'Client IPs' });
  await visitors.getByRole('link', { name: '203.0.113.9' }).click();
  await page.waitForURL(/http_access\?/);
  await seen(page.getByText('1–10 of 10'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('the usage of each site stands below the status codes', async () => {
  await page.goto('/dashboard/statistics/http_access_stats');
  const codes = page.getByRole('region', { name: 'Status codes' });
  await seen(codes.getByRole('listitem').filter({ hasText: '200' }).getByText('39'));
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: site.domain }) });
  await seen(row.getByText('38.1 MB'));
  await page.getByRole('button', { name: 'Orders' }).click();
  await page.waitForURL(/kind=order/);
  await seen(page.getByRole('columnheader', { name: 'Orders' }));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a record opens to all it has; one click shows all of its address, another leaves its agent out', async () => {
  await page.goto('/dashboard/statistics/http_access?text=PLAYER&page_size=50');
  await seen(page.getByText('1–30 of 30'));
  await page.getByRole('row').filter({ hasText: '/film.mp4?part=29' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Exclude: URI' }).click();
  await seen(page.getByText('1–29 of 29'));
  const excluded = page.getByRole('group', { name: 'Excluded' });
  await seen(excluded.getByText('URI ≠ /film.mp4?part=29'));
  await excluded.getByRole('button', { name: /Remove exclusion: URI/ }).click();
  await seen(page.getByText('1–30 of 30'));
  await page.getByRole('row').filter({ hasText: '/film.mp4?part=29' }).click();
  await drawer.getByRole('button', { name: 'Exclude: URI' }).click();
  await seen(page.getByText('1–29 of 29'));
  await page.getByRole('row').filter({ hasText: '/film.mp4?part=28' }).click();
  await drawer.getByRole('button', { name: 'All requests of this IP' }).click();
  await page.waitForURL(/remote_addr=198\.51\.100\.7/);
  await seen(page.getByText('1–30 of 30'));
  await excluded.waitFor({ state: 'detached' });
  expect(visitor.scriptErrors).toEqual([]);
});

test('what a search finds is exported and downloaded', async () => {
  await page.goto('/dashboard/statistics/http_access?remote_addr=203.0.113.9');
  await seen(page.getByText('1–10 of 10'));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Maximum records').fill('7');
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  await page.waitForURL(/data_export$/);
  const row = page.getByRole('row').filter({ hasText: 'Client IP: 203.0.113.9' });
  await seen(row.getByText('Done'));
  await seen(row.getByText('in 6 d'));
  // In the row itself: it is what the list is there for.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: /^Download: / }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.trimEnd().split('\r\n')).toHaveLength(8);
  expect(text).toContain('/index.html');
  expect(visitor.scriptErrors).toEqual([]);
});

test('monitoring asks twice each ten seconds, and over time the same questions', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/prod-api/statistics/')) asked.push(request.url());
  });
  await page.clock.install();
  await page.goto('/dashboard/statistics/monitor');
  await seen(page.getByRole('region', { name: 'Bandwidth' }).first());
  await page.waitForLoadState('networkidle');
  expect(asked).toHaveLength(2);
  // From here on no time passes but what is run below, however slow the machine is.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  for (let renewal = 0; renewal < 30; renewal++) {
    const answered = page.waitForResponse(/statistics\/monitor\?/);
    await page.clock.runFor(10_000);
    await answered;
    await page.waitForLoadState('networkidle');
  }
  await expect.poll(() => asked.length).toBeGreaterThan(30);
  expect(asked.length).toBeLessThanOrEqual(2 + 30 + 6);
  // Five minutes: one range each, and what it is compared with.
  expect(new Set(asked).size).toBeLessThanOrEqual(2 * 6);
  await page.clock.resume();
});

test('a range that is entered holds once one says so', async () => {
  await page.goto('/dashboard/statistics/monitor?refresh=0');
  await page.getByRole('button', { name: 'Custom' }).click();
  const start = page.getByRole('textbox', { name: 'Start', exact: true });
  await start.waitFor();
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const { length } = await page.evaluate(() => ({ length: history.length }));
  const before = page.url();
  for (const year of ['2021', '2022', '2023']) await start.fill(`${year}-03-01T10:00`);
  expect(page.url()).toBe(before);
  expect(asked.filter((url) => url.includes('/statistics/'))).toEqual([]);
  await page.getByRole('textbox', { name: 'End', exact: true }).fill('2023-03-01T09:00');
  await page.getByRole('button', { name: 'Apply' }).click();
  await seen(page.getByText(/start must be before|before/i).first());
  expect(page.url()).toBe(before);
  const hour = (hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000);
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  };
  await start.fill(hour(2));
  await page.getByRole('textbox', { name: 'End', exact: true }).fill(hour(1));
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL((url) => url.href !== before);
  expect(await page.evaluate(() => history.length)).toBe(length + 1);
});
