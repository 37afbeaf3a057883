import { startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let files = 0;

/** Requests of now or of a while ago, stored as if a node had shipped them. */
async function store(paths: string[], agoMs = 0): Promise<void> {
  files += 1;
  const lines = paths.map((request_uri, index) =>
    makeLine({
      time: new Date(Date.now() - agoMs).toISOString(),
      request_id: `${files}${String(index).padStart(4, '0')}`.padStart(32, '0'),
      host: 'tail.example.com',
      request_uri,
    }),
  );
  const batch = { nodeId: 1, file: `access.${files}`, offset: 0, lines: toBytes(lines) };
  await world.server.services.logStore.ingest(batch);
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  for (const days of [0.01, 1, 2, 3]) await store([`/ago-${days}`], days * 86_400_000);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const live = () => page.getByRole('switch', { name: 'Live' });

test('records show as they are stored, by the filters, until that is paused', async () => {
  await page.goto('/dashboard/statistics/http_access?any_time=yes&request_uri=/&exclude=request_uri%3D/dull');
  await seen(page.getByText('1–4 of 4'));
  await store(['/new-one', '/dull']);
  await seen(page.getByRole('row').filter({ hasText: '/new-one' }));
  await seen(page.getByText('1–5 of 5'));
  await seen(page.getByText('1 new'));
  await live().uncheck();
  await store(['/while-paused']);
  await live().check();
  await seen(page.getByRole('row').filter({ hasText: '/while-paused' }));
  await seen(page.getByText('1–6 of 6'));
  expect(await page.getByText('/dull', { exact: true }).count()).toBe(0);
  expect(visitor.scriptErrors).toEqual([]);
});

test('what comes too fast is counted, and found by a search', async () => {
  await page.goto('/dashboard/statistics/http_access?request_uri=/flood');
  await seen(page.getByText('No results match'));
  // Followed from now on: what is stored before that would be found, not told.
  await store(['/flood/first']);
  await seen(page.getByRole('row').filter({ hasText: '/flood/first' }));
  await store(Array.from({ length: 250 }, (_, index) => `/flood/${index}`));
  await seen(page.getByText(/arrived too fast/));
  await seen(page.getByText('1–10 of 251'));
  await page.getByRole('button', { name: 'Search again' }).click();
  await page.getByText(/arrived too fast/).waitFor({ state: 'detached' });
  await seen(page.getByText('1–10 of 251'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a page that cannot be followed says why', async () => {
  await page.goto('/dashboard/statistics/http_access?request_uri=/flood&time_sort=asc');
  await seen(page.getByRole('row').filter({ hasText: '/flood/first' }));
  expect(await live().isDisabled()).toBe(true);
  await live().hover({ force: true });
  await seen(page.getByRole('tooltip', { name: /requires the first page/ }));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a search that takes long says so, and is stopped and begun again', async () => {
  const { promise: answered, resolve: letThrough } = Promise.withResolvers<void>();
  const search = /site_access\/search/;
  await page.route(search, async (route) => {
    await answered;
    // The one that was stopped is gone.
    await route.continue().catch(() => {});
  });
  await page.goto('/dashboard/statistics/http_access?any_time=yes&request_uri=/ago');
  await seen(page.getByRole('progressbar', { name: 'The search is taking a while…' }));
  await page.getByRole('button', { name: 'Stop' }).click();
  await seen(page.getByText(/Search stopped/));
  letThrough();
  expect(await page.getByRole('row').filter({ hasText: '/ago-2' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Search again' }).click();
  await seen(page.getByRole('row').filter({ hasText: '/ago-2' }));
  await page.getByText(/Search stopped/).waitFor({ state: 'detached' });
  await page.unroute(search);
  expect(visitor.scriptErrors).toEqual([]);
});
