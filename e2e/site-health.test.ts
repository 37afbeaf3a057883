import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let siteId: number;
let host: string;
const health = { first: 200 };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const first = await world.startOrigin((request, response) =>
    response.writeHead(request.url === '/health' ? health.first : 200).end('first'),
  );
  const second = await world.startOrigin((_request, response) => response.end('second'));
  ({ id: siteId, domain: host } = await makeSite(world.admin, { port: first.port }));
  const { version, value } = await world.admin.get('getOriginServerConfig', { query: { site_id: siteId } });
  const origin = value.origins[0]!;
  await world.admin.get('updateOriginServerConfig', {
    query: { site_id: siteId },
    body: {
      version,
      value: { ...value, origins: [origin, { ...origin, http_port: second.port, state: 'backup' }] },
    },
  });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const state = () => page.getByRole('table', { name: 'Current status' });
const history = () => page.getByRole('table', { name: 'History' });
let visits = 0;
const answer = async () => (await world.fetchEdge(host, `/${++visits}`)).body;

test('checks are switched on, and an outage and its end are seen as they happen', async () => {
  await page.goto(`/dashboard/site/sitedetail/${siteId}?tab=health`);
  await seen(page.getByText('Health checks are off'));
  await seen(page.getByText('No changes yet'));
  await page.getByLabel('Enable health checks').check();
  await page.getByLabel('Check path').fill('/health');
  await page.getByLabel('Interval', { exact: true }).fill('2');
  await page.getByLabel('Failures').fill('1');
  await page.getByLabel('Successes').fill('1');
  await page.getByLabel('Minimum time out of rotation', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('The timeout cannot be longer than the interval'));
  await page.getByLabel('Timeout', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await waitFor(
    'two origins that are up',
    async () => (await state().getByText('Healthy', { exact: true }).count()) === 2,
    30,
  );
  await seen(page.getByText('1 of 1 node has reported'));

  health.first = 503;
  await seen(state().getByText('Unhealthy'));
  await seen(state().getByText('Unexpected status code'));
  await seen(state().getByText('503'));
  await seen(history().getByText('Taken out'));
  await waitFor('answers of the backup', async () => (await answer()) === 'second', 30);

  health.first = 200;
  await seen(history().getByText('Back in rotation'));
  await waitFor('answers of the first', async () => (await answer()) === 'first', 30);
  expect(visitor.scriptErrors).toEqual([]);
});

test('a check over TCP asks for nothing that only HTTP has', async () => {
  await page.goto(`/dashboard/site/sitedetail/${siteId}?tab=health`);
  await seen(page.getByLabel('Check path'));
  await page.getByLabel('Check type').click();
  await page.getByRole('option', { name: 'TCP connection' }).click();
  await waitFor('no path', async () => (await page.getByLabel('Check path').count()) === 0);
  expect(await page.getByLabel('Expected status codes').count()).toBe(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await seen(page.getByLabel('Check path'));
});
