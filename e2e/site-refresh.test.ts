import {
  makeCustomer,
  makeSite,
  startWorld,
  waitFor,
  type Customer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** Refreshing the cache, as a customer does after a deploy. */

let world: World;
let origin: Origin;
let customer: Customer;
let site: { id: number; domain: string };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  customer = await makeCustomer(world);
  origin = await world.startOrigin((_, response) => {
    response.setHeader('cache-control', 'max-age=3600');
    response.end(String(Math.random()));
  });
  site = await makeSite(world.admin, { port: origin.port, orderId: customer.orderId });
  await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/')).status === 200);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});
const state = async (path: string) => (await world.fetchEdge(site.domain, path)).headers['x-cache'];

test('URLs, a folder and a whole site are refreshed, and the list says when the node has done it', async () => {
  for (const path of ['/a', '/img/b', '/c']) await state(path);
  const { page, close, scriptErrors } = await openShell(world, { customer });
  await page.getByRole('link', { name: 'Cache refresh', exact: true }).first().click();
  await page.getByRole('button', { name: 'Refresh cache' }).first().click();
  const form = page.getByRole('dialog');
  const lines = `https://${site.domain}/a\n\nnowhere\nhttps://elsewhere.example/`;
  await form.getByLabel('URLs').fill(lines);
  await form.getByRole('button', { name: 'Refresh cache', exact: true }).click();
  await seen(form.getByText(/Check these lines: line 3: Enter a URL/));
  await form.getByLabel('URLs').fill(lines.replace('nowhere\n', ''));
  await form.getByRole('button', { name: 'Refresh cache', exact: true }).click();
  await seen(form.getByText(/line 3: No site that you can manage uses this domain/));
  await form.getByLabel('URLs').fill(`https://${site.domain}/a`);
  await form.getByRole('button', { name: 'Refresh cache', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: `${site.domain}/a` });
  await seen(row.getByText('Refreshed 1/1'));
  expect([await state('/a'), await state('/img/b')]).toEqual(['MISS', 'HIT']);

  await page.getByRole('button', { name: 'Refresh cache' }).first().click();
  await form.getByLabel('Type').click();
  await page.getByRole('option', { name: 'Folder' }).click();
  await form.getByLabel('Folders').fill(`https://${site.domain}/img`);
  await form.getByRole('button', { name: 'Refresh cache', exact: true }).click();
  await seen(page.getByRole('row').filter({ hasText: '/img/' }).getByText('Refreshed 1/1'));
  expect([await state('/img/b'), await state('/c')]).toEqual(['MISS', 'HIT']);

  await page.getByRole('link', { name: site.domain }).first().click();
  // Not those of a row of the list that is left.
  await seen(page.getByRole('heading', { name: site.domain, level: 1 }));
  await page
    .getByRole('button', { name: /More actions|Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Refresh cache' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refresh cache' }).click();
  await seen(page.getByText('Submitted; deploying to the nodes').last());
  await waitFor('the whole site', async () => (await state('/c')) === 'MISS');
  expect(scriptErrors).toEqual([]);
  await close();
});

test('a refresh is verified on its node', async () => {
  const { ids } = await customer.api.get('cleanSiteCache', { params: { id: site.id } });
  const { page, close, scriptErrors } = await openShell(world, {
    customer,
    path: '/dashboard/site/site_refresh',
  });
  const row = page.getByRole('row').filter({ hasText: 'Everything' }).first();
  await seen(row.getByText('Refreshed 1/1'));
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'View details' }).click();
  const drawer = page.getByRole('dialog', { name: `Cache refresh #${ids[0]!}` });
  await drawer.getByLabel('URL').fill(`http://${site.domain}/verified`);
  await drawer.getByRole('button', { name: 'Verify' }).click();
  await seen(drawer.getByText('New content'));
  await seen(drawer.getByText(/^HIT · 200/));
  expect(scriptErrors).toEqual([]);
  await close();
});

test('URLs are prefetched, and the page says what the node was answered', async () => {
  const { page, close, scriptErrors } = await openShell(world, {
    customer,
    path: '/dashboard/site/site_prefetch',
  });
  await page.getByRole('button', { name: 'Prefetch', exact: true }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URLs').fill('https://elsewhere.example/');
  await form.getByRole('button', { name: 'Prefetch', exact: true }).click();
  await seen(form.getByText(/line 1: No site that you can manage uses this domain/));
  await form.getByLabel('URLs').fill(`http://${site.domain}/new-1\nhttp://${site.domain}/new-2`);
  await form.getByRole('button', { name: 'Prefetch', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: `${site.domain}/new-2` });
  await seen(row.getByText('MISS'));
  await seen(page.getByText('Done', { exact: true }).first());
  expect(await state('/new-1')).toBe('HIT');
  expect(scriptErrors).toEqual([]);
  await close();
});
