import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** How origins are asked, set in the console and seen at the origin. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };
let brokenAsked = 0;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => {
    brokenAsked += 1;
    response.statusCode = 503;
    response.setHeader('Cache-Control', 'no-store').end('broken');
  });
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

async function saveAndSee(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('a backup that is added in the console is asked when the first says 503, once that is wanted', async () => {
  const backup = await world.startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'no-store').end(`backup for ${String(request.headers.host)}`);
  });
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=origin`);
  await page.getByRole('button', { name: 'Add origin' }).click();
  const second = page.getByRole('group', { name: /origin/i }).last();
  await second.getByLabel('Address').fill('127.0.0.1');
  await second.getByLabel('HTTP port').fill(String(backup.port));
  await second.getByLabel('Role').click();
  await page.getByRole('option', { name: 'Backup' }).click();
  await page.getByLabel('Host header').fill('inner.example');
  await saveAndSee();
  expect((await world.fetchEdge(site.domain, '/')).status).toBe(503);

  await page.getByLabel('Retry on').click();
  await page.getByRole('option', { name: '502, 503, 504' }).click();
  await page.keyboard.press('Escape');
  await saveAndSee();
  const before = brokenAsked;
  // The notice of the first save may still have stood there.
  await expect
    .poll(async () => (await world.fetchEdge(site.domain, '/')).body)
    .toBe('backup for inner.example');
  expect(brokenAsked).toBeGreaterThan(before);
});

test('what concerns TLS is asked only where origins are asked over TLS', async () => {
  expect(await page.getByLabel('Server name (SNI)').count()).toBe(0);
  await page.getByLabel('Origin protocol').click();
  await page.getByRole('option', { name: 'HTTPS', exact: true }).click();
  await seen(page.getByLabel('Server name (SNI)'));
  await page.getByLabel('Server name (SNI)').fill('no name!');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Enter a valid IP address or hostname'));
  await page.getByRole('button', { name: 'Discard' }).click();
});
