import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** Redirects, rewrites, header fields and content, set in the console and seen by a visitor. */

let world: World;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((request, response) => {
    response.setHeader('Content-Type', 'text/html').setHeader('X-Powered-By', 'PHP');
    response.end(`<head></head><p>${request.url}</p>`);
  });
  site = await makeSite(world.admin, { port: origin.port });
  page = (await openShell(world, { path: `/dashboard/site/sitedetail/${site.id}?tab=rewrite` })).page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

async function saveAndSee(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('an old folder is redirected, and the form says so before it is saved', async () => {
  await page.getByRole('button', { name: 'Add redirect' }).click();
  const rule = rowOf(page, 'Redirects', 1);
  await rule.getByLabel('From').fill('/old/');
  await rule.getByLabel('To', { exact: true }).fill('/old/new/');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(rule.getByText('This rule redirects to itself'));
  await rule.getByLabel('To', { exact: true }).fill('/new/');
  await page.getByLabel('URL', { exact: true }).fill('/old/page?x=1');
  await seen(page.getByRole('status').getByText('/new/page?x=1').first());
  await saveAndSee();
  const answer = await world.fetchEdge(site.domain, '/old/page?x=1');
  expect(`${answer.status} ${String(answer.headers.location)}`).toBe('301 /new/page?x=1');
});

test('another path, other fields and other content reach origin and visitor', async () => {
  await page.getByRole('button', { name: 'Add URL rewrite' }).click();
  const rewrite = rowOf(page, 'URL rewrites', 1);
  await rewrite.getByLabel('From').fill('/app/');
  await rewrite.getByLabel('To', { exact: true }).fill('/v2/');
  await page.getByRole('button', { name: 'Add response header rule' }).click();
  const header = rowOf(page, 'Response headers', 1);
  await header.getByLabel('Header name').fill('Content-Length');
  await header.getByLabel('Value').fill('DENY');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(header.getByText('This header controls how the message is transferred and cannot be changed'));
  await header.getByLabel('Header name').fill('X-Frame-Options');
  await page.getByRole('button', { name: 'Add replacement' }).click();
  await page.getByLabel('Find', { exact: true }).fill('/v2/');
  await page.getByLabel('Replace with').fill('/seen/');
  await page.getByRole('button', { name: 'Save' }).click();
  await waitFor('the rules to be live', async () => {
    const { body } = await world.fetchEdge(site.domain, '/app/x');
    return body === '<head></head><p>/seen/x</p>';
  });
  const { headers } = await world.fetchEdge(site.domain, '/app/x');
  expect(headers['x-frame-options']).toBe('DENY');
});

test('a rule can be for some requests only, which the preview and the edge heed', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=rewrite`);
  const rule = rowOf(page, 'Redirects', 1);
  await rule.getByRole('button', { name: /^Expand/ }).click();
  await rule.getByRole('button', { name: 'Apply to some requests only' }).click();
  await rule.getByRole('button', { name: 'Expression', exact: true }).click();
  await rule.getByLabel('Condition expression').fill('argument.lang equals "de" and header.x-tester exists');
  await seen(rule.getByText('(some requests)', { exact: false }));
  await page.getByLabel('URL', { exact: true }).fill('/old/page?lang=de');
  await seen(page.getByText('No rule matches', { exact: false }));
  await rule.getByLabel('Condition expression').fill('argument.lang equals "de"');
  await seen(page.getByRole('status').getByText('/new/page?lang=de').first());
  await saveAndSee();
  const location = async (query: string) =>
    (await world.fetchEdge(site.domain, `/old/page${query}`)).headers.location;
  expect([await location('?lang=de'), await location('?lang=en')]).toEqual(['/new/page?lang=de', undefined]);
});
