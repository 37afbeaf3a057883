import { fileHandler, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, openConsole, seen, signIn, type Visitor } from './browser.ts';

/** The main job, as a new user does it: from a new site to a chart, and through an outage of the control plane. */

const domain = 'docs.example.com';
const path = '/README';
/** Debian's `nginx-doc`: a real documentation tree. */
const documentation = '/usr/share/doc/nginx';

let world: World;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  visitor = await openConsole(world.adminUrl);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const requestRows = () => page.getByRole('row').filter({ hasText: path }).count();

test('a new site serves from cache, and its requests show', async () => {
  const origin = await world.startOrigin(fileHandler(documentation));

  await signIn(page, 'admin', world.adminPassword);
  await page.getByRole('link', { name: 'Add site' }).first().click();
  await page.getByLabel('Domains').fill(domain);
  await page.getByLabel('Origin address').fill(`127.0.0.1:${origin.port}`);
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  await seen(page.getByText('Live 1/1'));

  await page.getByRole('tab', { name: 'Deployment' }).click();
  const node = page
    .getByRole('region', { name: 'Site configuration' })
    .getByRole('row')
    .filter({ hasText: 'local' });
  await seen(node.getByText('Live'));

  const cacheStates: unknown[] = [];
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await world.fetchEdge(domain, path);
    expect(status).toBe(200);
    cacheStates.push(headers['x-cache']);
  }
  expect(cacheStates).toEqual(['MISS', 'HIT', 'HIT']);
  expect(origin.requests).toHaveLength(1);

  await page.getByRole('tab', { name: 'Access log' }).click();
  await waitFor('three requests in the access log', async () => (await requestRows()) === 3);
});

test('the requests stand in the chart', async () => {
  await page.goto('/dashboard/statistics/monitor');
  // The hour ends with the last whole minute: requests of the one that goes on show when it is over, at the next refresh.
  const requests = page.getByRole('group', { name: 'Requests' });
  await requests.getByText('3', { exact: true }).waitFor({ timeout: 90_000 });
  const chart = page.getByRole('region', { name: 'Bandwidth' });
  await seen(chart.getByRole('img', { name: 'Bandwidth' }).locator('svg'));
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await seen(chart.getByRole('cell', { name: /bps$/ }));
});

test('what was served while the control plane was away arrives afterwards, each once', async () => {
  await page.goto(`/dashboard/statistics/http_access?host=${domain}`);
  await waitFor('three requests before the outage', async () => (await requestRows()) === 3);

  await world.stopControlPlane();
  for (const _ of [1, 2]) {
    const { status, headers } = await world.fetchEdge(domain, path);
    expect(status).toBe(200);
    expect(headers['x-cache']).toBe('HIT');
  }
  await world.startControlPlane();

  await waitFor('five requests after the outage', async () => (await requestRows()) === 5, 40);
  await page.reload();
  await seen(page.getByText('1–5 of 5'));
  const ids = await world.admin.get('listAccessLogs', { query: { host: domain, page_size: 50 } });
  expect(new Set(ids.list.map((log) => log.request_id)).size).toBe(5);
  expect(ids.total).toBe(5);
  expect(visitor.scriptErrors).toEqual([]);
});
