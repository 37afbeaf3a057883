import { startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

/** Sites of another system, read in the console and seen by a visitor. */

let world: World;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  page = (await openSession(world)).page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('a configuration of nginx becomes sites, without those that were left out', async () => {
  const origin = await world.startOrigin(({ url }, response) => response.end(url));
  await page.goto('/dashboard/site/batch?tab=import');
  await page.getByLabel('Content').fill('server {\n  server_name a.moved.test\n}');
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText(/Line 3: not a valid nginx configuration, at 3:1/));
  const proxy = `location / { proxy_pass http://127.0.0.1:${origin.port}; }`;
  await page
    .getByLabel('Content')
    .fill(
      `server { server_name a.moved.test; auth_basic x; rewrite ^/old$ /new; ${proxy} }\nserver { server_name b.moved.test; ${proxy} }`,
    );
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText('2 sites found', { exact: true }));
  await page.getByText('1 not imported').click();
  await seen(page.getByText('Password files and external authentication are not imported'));
  await page.getByLabel('Domains').first().fill('c.moved.test');
  await page.getByLabel('Import b.moved.test').click();
  await page.getByLabel('Bring online after creation').click();
  await page.getByRole('button', { name: 'Create 1 site' }).click();
  await seen(page.getByRole('cell', { name: 'c.moved.test' }));
  const isServed = async () => (await world.fetchEdge('c.moved.test', '/old')).body === '/new';
  await waitFor('the site', isServed, 120);
  expect((await world.fetchEdge('b.moved.test', '/')).status).toBe(421);
});
