import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => response.end('x'.repeat(10_000)));
  site = await makeSite(world.admin, { port: origin.port });
  await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/')).status === 200);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the seconds of a site are drawn as they pass, and a node that goes away is a gap', async () => {
  await page.goto('/dashboard/statistics/monitor');
  await page.getByRole('button', { name: 'Per second' }).click();
  await page.waitForURL(/mode=live/);
  const requests = page.getByRole('group', { name: 'Requests per second' });
  await seen(requests.first());
  // Somebody asks all the time: some second is drawn with requests.
  await waitFor(
    'a second with requests',
    async () => {
      await world.fetchEdge(site.domain, '/');
      return (
        (await requests
          .first()
          .getByText(/^[1-9]\d*$/)
          .count()) > 0
      );
    },
    60,
  );
  await world.stopAgent();
  await seen(page.getByText(/No node is reporting/));
  await world.startAgent();
  await page.getByText(/No node is reporting/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Last hour' }).click();
  await seen(page.getByText(/Updated at/));
  expect(visitor.scriptErrors).toEqual([]);
});
