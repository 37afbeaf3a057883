import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** Caching and compression, set in the console and seen by a visitor. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };
let asked = 0;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => {
    asked += 1;
    response.setHeader('Content-Type', 'text/html').end(`page ${asked} ${'of some length '.repeat(200)}`);
  });
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

async function cacheState(path: string): Promise<unknown> {
  return (await world.fetchEdge(site.domain, path)).headers['x-cache'];
}

async function saveAndSee(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('a rule that is made in the console keeps what it says', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=cache`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = rowOf(page, 'Cache rules', 1);
  await rule.getByLabel('Match by').click();
  await page.getByRole('option', { name: 'Folder' }).click();
  await rule.getByLabel('Matches').fill('/kept/');
  await page.keyboard.press('Enter');
  // Leaving the field has it checked, and what it says then may move what stands below.
  await page.keyboard.press('Tab');
  await seen(rule.getByText('Folder /kept/ → Cache 1 d'));
  await rule.getByRole('button', { name: 'More settings' }).click();
  await rule.getByLabel('Minimum requests before caching').fill('2');
  await rule.getByLabel('Browser TTL', { exact: true }).fill('60');
  await saveAndSee();
  await seen(rule.getByText('Folder /kept/ → Cache 1 d'));

  const states = [];
  for (let time = 0; time < 3; time++) states.push(await cacheState('/kept/a'));
  expect(states).toEqual(['MISS', 'MISS', 'HIT']);
  expect((await world.fetchEdge(site.domain, '/kept/a')).headers['cache-control']).toMatch(/^max-age=6\d$/);
  expect(await cacheState('/other')).not.toBe('HIT');
});

test('a new rule says nothing of what it lacks until one has been there', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=cache`);
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const rule = rowOf(page, 'Cache rules', 2);
  const lacks = rule.getByText('Enter what to match');
  await rule.getByLabel('Matches').click();
  expect(await lacks.count()).toBe(0);
  await page.keyboard.press('Tab');
  await seen(lacks);
  await rule.getByLabel('Matches').fill('css');
  await page.keyboard.press('Enter');
  await lacks.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('what a rule cannot be is told at its field, in the rule that is opened for it', async () => {
  const rule = rowOf(page, 'Cache rules', 1);
  await rule.getByRole('button', { name: /^Expand/ }).click();
  await rule.getByRole('button', { name: /^More settings/ }).click();
  await rule.getByLabel('Request headers').fill('cookie');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await rule.getByRole('button', { name: 'Fewer settings' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(rule.getByText('This request header cannot be part of the cache key'));
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('development mode starts with one click, leads around the cache, and ends with another', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=cache`);
  await page.getByRole('button', { name: 'Turn on for 3 hours' }).click();
  await seen(page.getByText(/On: all requests go to the origin for another (3 h|2 h 59 min)/));
  await waitFor('the cache to be left out', async () => (await cacheState('/kept/a')) === 'BYPASS');
  await page.getByRole('button', { name: 'Turn off now' }).click();
  await waitFor('the cache to be as it was', async () => (await cacheState('/kept/a')) === 'HIT');
});

test('compression is switched on, and a visitor gets less', async () => {
  await page.getByRole('tab', { name: 'Compression and preload' }).click();
  await page.getByRole('switch', { name: 'gzip' }).click();
  await saveAndSee();
  const ask = () => world.fetchEdge(site.domain, '/packed', { headers: { 'accept-encoding': 'gzip' } });
  await waitFor('a compressed answer', async () => (await ask()).headers['content-encoding'] === 'gzip');
  const { headers, body } = await ask();
  expect(headers.vary).toBe('Accept-Encoding');
  expect(body.length).toBeLessThan(1000);
  expect(visitor.scriptErrors).toEqual([]);
});
