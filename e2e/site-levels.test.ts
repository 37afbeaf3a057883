import { makeCustomer, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Defaults of sites: set for all, seen and overridden on one, and given back. */

let world: World;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => {
    response.setHeader('Cache-Control', 'max-age=60').end('hello');
  });
  site = await makeSite(world.admin, { port: origin.port });
  page = (await openSession(world)).page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const header = () => page.getByLabel('Add X-Cache response header');
const source = () => header().locator('xpath=ancestor::label/following-sibling::*[1]');
const save = () => page.getByRole('button', { name: 'Save', exact: true });
const openSite = () => page.goto(`/dashboard/site/sitedetail/${site.id}?tab=cache`);
const openDefaults = () => page.goto('/dashboard/site/defaults?tab=cache');
const saysWhereFrom = async () => (await world.fetchEdge(site.domain, '/')).headers['x-cache'] !== undefined;

test('a change for all says how many sites it touches before it is made, and reaches them', async () => {
  await openSite();
  await seen(header());
  // Nothing deviates from what all sites have, so nothing is said of it.
  expect(await page.getByText('Default', { exact: true }).count()).toBe(0);
  await openDefaults();
  await header().uncheck();
  await save().click();
  const dialog = page.getByRole('dialog', { name: 'Change these defaults?' });
  await seen(dialog.getByText('1 site changes accordingly', { exact: false }));
  await seen(dialog.getByText('Add X-Cache response header: Inherited → Off'));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await world.admin.get('getSiteLevel', { query: { level: 'global' } })).version).toBe(0);
  await save().click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await seen(source().getByText('Set here'));
  expect(await saysWhereFrom()).toBe(false);
});

test('a site shows where its value is from, sets its own, and returns to what it inherits', async () => {
  await openSite();
  await seen(source().getByText('Inherited from global'));
  await header().check();
  await seen(source().getByText('Set on this site'));
  await save().click();
  await seen(page.getByText('Live on all nodes'));
  await waitFor('the site’s own value at the edge', saysWhereFrom);
  await openDefaults();
  await header().check();
  await save().click();
  const dialog = page.getByRole('dialog', { name: 'Change these defaults?' });
  await seen(dialog.getByText('No sites are affected at the moment', { exact: false }));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await openSite();
  await source().getByRole('button', { name: 'Reset to default' }).press('Enter');
  await seen(source().getByText('Inherited from global'));
  await save().click();
  await waitFor('the inherited value at the edge', async () => !(await saysWhereFrom()));
  const { own } = await world.admin.get('getCacheRule', { query: { site_id: site.id } });
  expect(own).toEqual([]);
});

test('a change of a level is taken back, the first one too', async () => {
  const { client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const level = { level: 'client' as const, target_id: client_id! };
  const own = async () => (await world.admin.get('getSiteLevel', { query: level })).own;
  await page.goto(`/dashboard/client/clientdetail/${level.target_id}`);
  await page.getByRole('main').getByRole('link', { name: 'Site defaults' }).click();
  await page.getByRole('tab', { name: 'Cache', exact: true }).click();
  const saveHeader = async () => {
    await header().click();
    await save().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await seen(page.getByText('Live on all nodes'));
  };
  await saveHeader();
  const first = await own();
  expect(first).not.toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(own).toEqual([]);
  await seen(source().getByText('Inherited from global'));
  await saveHeader();
  await seen(source().getByText('Set here'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(own).toEqual([]);
});

test('a change of a level is not taken back over those that others made since, however many', async () => {
  const query = { level: 'client' as const, target_id: (await makeCustomer(world)).id };
  const read = () => world.admin.get('getSiteLevel', { query });
  await page.goto(`/dashboard/client/defaults/${query.target_id}?tab=cache`);
  await header().click();
  await save().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  // The message stays while the pointer is on it.
  await page.getByRole('button', { name: 'Undo' }).hover();
  for (let change = 1; change <= 10; change++)
    await world.admin.get('updateSiteLevelSection', {
      query: { ...query, section: 'speed_optimize' },
      body: { version: change, value: { gzip: change % 2 === 1 }, own: ['gzip'] },
    });
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Someone else saved a newer version'));
  expect((await read()).version).toBe(11);
});

test('what asks for domains is not offered where a level is set', async () => {
  await page.goto('/dashboard/site/defaults?tab=real-ip');
  await seen(page.getByLabel('Source', { exact: true }));
  expect(await page.getByRole('button', { name: 'Test client IP' }).count()).toBe(0);
});

test('a level has its history, and goes back to a version of it', async () => {
  await openDefaults();
  await header().check();
  await save().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Version 1' }).click();
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('button', { name: 'Version 3' }));
  await waitFor('the restored value at the edge', async () => !(await saysWhereFrom()));
});

test('a redirect for all sites is shown on each, replaced there by its own, and returned to', async () => {
  await page.goto('/dashboard/site/defaults?tab=rewrite');
  await page.getByRole('button', { name: 'Add redirect' }).click();
  const rule = rowOf(page, 'Redirects', 1);
  await rule.getByLabel('From').fill('/old/');
  await rule.getByLabel('To', { exact: true }).fill('/new/');
  await save().click();
  const dialog = page.getByRole('dialog', { name: 'Change these defaults?' });
  await seen(dialog.getByText('Redirect added: /old/ → /new/'));
  await seen(dialog.getByText('1 site changes accordingly', { exact: false }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  const location = async () => (await world.fetchEdge(site.domain, '/old/x')).headers.location;
  await waitFor('the redirect at the edge', async () => (await location()) === '/new/x');
  await walkToSite(page, site.domain, 'Rewrites');
  await seen(rule.getByText('/old/ → 301 /new/', { exact: false }));
  await seen(page.getByText('Inherited from global', { exact: true }).first());
  await rule.getByRole('button', { name: /^Expand/ }).click();
  await rule.getByLabel('To', { exact: true }).fill('/mine/');
  await save().click();
  await waitFor('the site’s own at the edge', async () => (await location()) === '/mine/x');
  await seen(page.getByText('Live on all nodes'));
  await page.getByRole('button', { name: 'Reset to default' }).press('Enter');
  await seen(rule.getByText('/old/ → 301 /new/', { exact: false }));
  await save().click();
  await waitFor('the inherited one at the edge', async () => (await location()) === '/new/x');
  const { own } = await world.admin.get('getContentRewrite', { query: { site_id: site.id } });
  expect(own).toEqual([]);
});

test('who goes from a site to the defaults and back sees there what was changed for all', async () => {
  await openSite();
  await seen(source().getByText('Inherited from global'));
  const before = await header().isChecked();
  await page.getByRole('region', { name: 'Delivery' }).getByRole('link', { name: 'Site defaults' }).click();
  await page.getByRole('tab', { name: 'Cache', exact: true }).click();
  await seen(source().getByText('Set here'));
  await header().click();
  await save().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  while (!page.url().includes('/sitedetail/')) await page.goBack();
  await seen(source().getByText('Inherited from global'));
  await expect.poll(() => header().isChecked()).toBe(!before);
});
