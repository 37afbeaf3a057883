import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** Whose request it is, set in the console and seen on the page of a node. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((request, response) =>
    response
      .setHeader('Cache-Control', 'no-store')
      .end([request.headers['x-real-ip'], request.headers['true-client-ip']].filter(Boolean).join(' ')),
  );
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const told = async () =>
  (await world.fetchEdge(site.domain, '/', { headers: { 'x-real-ip': '198.51.100.7' } })).body;

test('a header counts once its sender is trusted, and says so on the page of the node', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=real-ip`);
  await page.getByLabel('Source', { exact: true }).click();
  await page.getByRole('option', { name: 'Request headers' }).click();
  await page.getByLabel('Headers', { exact: true }).fill('X-Real-IP');
  await page.keyboard.press('Enter');
  await seen(page.getByText('Without trusted proxies the connection IP is used'));
  await page.getByLabel('Trusted proxies').fill('127.0.0.0/33');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('IP Format Error'));
  await page.getByLabel('Trusted proxies').fill('127.0.0.0/8');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await expect.poll(told).toBe('198.51.100.7');

  await page.getByRole('button', { name: 'Test client IP' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: `Open on ${site.domain}` });
  const url = new URL((await link.getAttribute('href'))!);
  await waitFor(
    'the page of the node',
    async () => (await world.fetchEdge(site.domain, url.pathname)).status === 200,
  );
  const { body } = await world.fetchEdge(site.domain, url.pathname, {
    headers: { 'x-real-ip': '198.51.100.7' },
  });
  // The page as the visitor's browser draws it.
  const shown = await visitor.context.newPage();
  await shown.setContent(body);
  await seen(shown.getByText('198.51.100.7', { exact: true }));
  await seen(shown.getByText('is in the list of trusted proxies'));
  await seen(shown.getByText('在可信代理列表中'));
  await shown.close();

  await page.keyboard.press('Escape');
  const passed = page.getByLabel('Headers to pass through');
  const send = async () =>
    (await world.fetchEdge(site.domain, '/', { headers: { 'true-client-ip': '192.0.2.9' } })).body;
  expect(await send()).not.toContain('192.0.2.9');
  await passed.fill('X-Forwarded-For');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('This header is set by the edge'));
  await passed.press('Backspace');
  await passed.fill('true-client');
  await page.getByRole('option', { name: 'true-client-ip', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(send).toContain('192.0.2.9');
  expect(visitor.scriptErrors).toEqual([]);
});
