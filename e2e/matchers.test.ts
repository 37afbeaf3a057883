import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Rules on requests: from a template, tried by looking, then enforced at a node and found in the log. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const status = async (path: string) => (await world.fetchEdge(site.domain, path)).status;

test('a template becomes rules of a site, and one of them blocks once it is enforced', async () => {
  await page.goto('/dashboard/site/waf_matcher');
  await page.getByRole('button', { name: 'Add rule template' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').first().fill('Blogs');
  await drawer.getByRole('button', { name: 'Load common rules' }).click();
  await page.getByRole('menuitem', { name: 'WordPress' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Blogs' }));

  await walkToSite(page, site.domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add from template' }).click();
  await page.getByRole('menuitem', { name: 'Blogs' }).click();
  await page.getByRole('button', { name: 'Expand rule 1' }).click();
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Enforce' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await expect.poll(() => status('/xmlrpc.php')).toBe(403);
  // The others only observe.
  expect(await status('/readme.html')).toBe(200);

  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain`);
  await page.getByRole('textbox', { name: 'URL' }).fill(`http://${site.domain}/xmlrpc.php`);
  await page.getByRole('button', { name: 'Run trace' }).click();
  await seen(page.getByText('The request ends at “Custom rules”.').first());

  await page.goto('/dashboard/site/wafglobal');
  await seen(page.getByText('No custom rules'));
  expect(visitor.scriptErrors).toEqual([]);
});
