import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** Why a request is blocked, what the cache does with another, and one of the log: asked in the console. */

let world: World;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => response.end('content'));
  site = await makeSite(world.admin, { port: origin.port });
  const query = { site_id: site.id };
  const access = await world.admin.get('getAccessControl', { query });
  await world.admin.get('updateAccessControl', {
    query,
    body: {
      version: access.version,
      value: { ...access.value, rules: [{ action: 'deny', only_paths: ['/admin/'], note: 'staff only' }] },
    },
  });
  const cache = await world.admin.get('getCacheRule', { query });
  await world.admin.get('updateCacheRule', {
    query,
    body: {
      version: cache.version,
      value: { ...cache.value, rules: [{ type: 'folder', content: ['/static/'], ttl_seconds: 3600 }] },
    },
  });
  await waitFor('the rules in service', async () => {
    const { documents } = await world.admin.get('getSiteDelivery', { params: { id: site.id } });
    return documents.every(({ nodes }) => nodes.every(({ status }) => status === 'applied'));
  });
  page = (await openShell(world, { path: `/dashboard/site/sitedetail/${site.id}?tab=explain` })).page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const explain = async (path: string) => {
  await page.getByLabel('URL', { exact: true }).fill(`http://${site.domain}${path}`);
  await page.getByRole('button', { name: 'Run trace' }).click();
};
const step = (name: string) =>
  page
    .getByRole('list', { name: 'Request trace' })
    .locator('> li')
    .filter({
      has: page.getByRole('heading', { name, exact: true }),
    });

test('a blocked address names the rule that blocks it, and nothing comes after', async () => {
  await explain('/admin/users');
  await seen(page.getByRole('status').getByText('The request ends at “Access control”.'));
  await seen(step('Access control').getByText('staff only'));
  await seen(step('Access control').getByText('Ends here'));
  await page.getByText(/more steps without effect/).click();
  await seen(
    page
      .getByRole('list', { name: /more steps without effect/ })
      .getByRole('listitem')
      .filter({ hasText: 'Cache rules' })
      .getByText('Not reached'),
  );
  await seen(page.getByText('The node and the saved configuration agree.'));
  expect((await world.fetchEdge(site.domain, '/admin/users')).status).toBe(403);
});

test('a cached one names its rule, its key and the origin', async () => {
  await explain('/static/app.js?v=1');
  await seen(page.getByRole('status').getByText(/The cache rule sets a TTL/));
  await seen(step('Cache rules').getByText('Folder /static/'));
  await seen(step('Cache rules').getByText('1 h', { exact: true }));
  await seen(step('Cache key').getByText(`${site.id} http://${site.domain}/static/app.js?v=1`));
  await seen(step('Origin').getByText(/127\.0\.0\.1:\d+ · healthy$/));
});

test('what is no address is refused at its field', async () => {
  await page.getByLabel('URL', { exact: true }).fill('nowhere');
  await page.getByRole('button', { name: 'Run trace' }).click();
  await seen(page.getByText(/^Enter a full URL/));
});

test('a request of the access log is explained from its record', async () => {
  const { headers } = await world.fetchEdge(site.domain, '/admin/of-the-log');
  const id = String(headers['x-request-id']);
  await waitFor('the line in the log', async () => {
    const { total } = await world.admin.get('listAccessLogs', { query: { request_id: id } });
    return total === 1;
  });
  await page.goto(`/dashboard/statistics/http_access?request_id=${id}`);
  await page.getByText('/admin/of-the-log').first().click();
  await page.getByRole('link', { name: 'Trace this request' }).click();
  await seen(page.getByText('Returned 403.'));
  await seen(step('Access control').getByText('staff only'));
});

const explainLogged = async (path: string) => {
  const { headers, status } = await world.fetchEdge(site.domain, path);
  expect(headers['x-breakwater-reason']).toBeUndefined();
  const id = String(headers['x-request-id']);
  await waitFor('the line in the log', async () => {
    const { total } = await world.admin.get('listAccessLogs', { query: { request_id: id } });
    return total === 1;
  });
  return { id, status };
};
const then = () => page.getByRole('region', { name: /^Then/ });
const now = () => page.getByRole('region', { name: 'Now' });

test('why a request of the log was not cached is said in one sentence, and what would be now', async () => {
  const { id } = await explainLogged('/plain');
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain&request_id=${id}`);
  await seen(then().getByText('Not cached: neither the origin nor a cache rule set a lifetime.'));
  await seen(
    now().getByText(/^No cache rule matched: the response is cached only if the origin sets a lifetime/),
  );
  const kept = await explainLogged('/static/kept.js');
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain&request_id=${kept.id}`);
  await seen(then().getByText(/cached for the TTL of the cache rule/));
  await seen(now().getByText(/Cached on the node and still fresh/));
});

test('a step leads to the rule that decides, in its own tab', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain`);
  for (const [path, name, tab] of [
    ['/admin/users', 'Access control', 'access'],
    ['/static/app.js', 'Cache rules', 'cache'],
  ] as const) {
    await page.getByRole('tab', { name: 'Request trace' }).click();
    await explain(path);
    await step(name)
      .getByRole('link', { name: `Go to the setting: ${name}` })
      .click();
    await page.waitForURL((url) => url.searchParams.get('tab') === tab);
    await page.waitForFunction(
      () => document.activeElement?.closest('[data-field]')?.getAttribute('data-field') === 'rules.0',
    );
  }
});

test('a request that was refused then and passes now says both', async () => {
  const { id, status } = await explainLogged('/admin/changed');
  expect(status).toBe(403);
  const query = { site_id: site.id };
  const { version, value } = await world.admin.get('getAccessControl', { query });
  await world.admin.get('updateAccessControl', { query, body: { version, value: { ...value, rules: [] } } });
  await waitFor(
    'the rule gone',
    async () => (await world.fetchEdge(site.domain, '/admin/changed')).status === 200,
  );
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain&request_id=${id}`);
  await seen(then().getByText(/Returned 403/));
  await seen(now().getByText(/No cache rule matched/));
  await seen(page.getByText('The configuration has changed: the result is different now.'));
});
