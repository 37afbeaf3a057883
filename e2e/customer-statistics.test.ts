import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let own: { id: number; domain: string };
let foreign: { id: number; domain: string };
let foreignId: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  own = await makeSite(customer.api);
  foreign = await makeSite(other.api);
  foreignId = other.id;
  const from = Date.now() - 10 * 60_000;
  const linesOf = async (site: typeof own, { api, id }: Customer, count: number, address: string) => {
    const { order_id } = await api.get('getSite', { params: { id: site.id } });
    return Array.from({ length: count }, (_, index) =>
      makeLine({
        time: new Date(from + index * 1000).toISOString(),
        request_id: `${site.id}${index}`.padStart(32, '0'),
        site_id: site.id,
        client_id: id,
        order_id,
        host: site.domain,
        remote_addr: address,
        request_uri: `/of-${site.id}/${index}`,
        decision: index < 2 ? 'block_referer other' : '',
      }),
    );
  };
  const lines = [
    ...(await linesOf(own, customer, 12, '198.51.100.1')),
    ...(await linesOf(foreign, other, 35, '203.0.113.2')),
  ];
  const batch = { nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) };
  await world.server.services.logStore.ingest(batch);
  visitor = await openSession(world, { customer });
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** A chart or a list, or the card of a figure. */
const region = (name: string) =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('group', { name, exact: true }));
const nothingForeign = async () => {
  for (const text of [foreign.domain, '203.0.113.2', `/of-${foreign.id}/`])
    expect(await page.getByText(text).count()).toBe(0);
};

test('home has the customer’s own traffic, and nothing of operators', async () => {
  await page.goto('/dashboard');
  await seen(region('Requests').getByText('12', { exact: true }));
  await seen(region('Blocked requests').getByText('2', { exact: true }));
  await seen(page.getByRole('link', { name: own.domain }));
  for (const name of ['Nodes', 'Failed tasks']) expect(await region(name).count()).toBe(0);
  await nothingForeign();
});

test.each([
  ['monitor', 'Requests', '12'],
  ['http_attack_stats', 'Blocked requests', '2'],
])('%s counts their own', async (screen, figure, value) => {
  await page.goto(`/dashboard/statistics/${screen}`);
  await seen(region(figure).getByText(value, { exact: true }));
  expect(await page.getByRole('combobox', { name: 'Node' }).count()).toBe(0);
  await page.goto(`/dashboard/statistics/${screen}?client_id=${foreignId}`);
  await seen(region(figure).getByText('0', { exact: true }));
  await nothingForeign();
});

test('rankings and usage name their own', async () => {
  await page.goto('/dashboard/statistics/analysis');
  const hosts = region('Top hosts').getByRole('listitem');
  await seen(hosts.filter({ hasText: own.domain }).getByText('12', { exact: true }));
  expect(await hosts.count()).toBe(1);
  await seen(region('Client IPs').getByText('198.51.100.1'));
  await nothingForeign();
  await page.goto('/dashboard/statistics/http_access_stats');
  await seen(page.getByRole('row').filter({ hasText: own.domain }).getByText('12', { exact: true }));
  await nothingForeign();
  await page.goto(`/dashboard/statistics/monitordetail/${own.id}`);
  await seen(region('Requests').getByText('12', { exact: true }));
  expect(await region('Nodes').count()).toBe(0);
  await page.goto(`/dashboard/statistics/monitordetail/${foreign.id}`);
  await seen(page.getByText('Not found'));
});

test('logs find their own records, whatever the address asks for', async () => {
  await page.goto('/dashboard/statistics/http_access');
  await seen(page.getByText('1–10 of 12'));
  await nothingForeign();
  await page.goto(`/dashboard/statistics/http_access?site_id=${foreign.id}`);
  await seen(page.getByText('No results match'));
  await page.goto('/dashboard/statistics/http_access?node_id=1');
  await seen(page.getByText('1–10 of 12'));
  await seen(page.getByRole('button', { name: /Remove filter: Node ID/ }));
  await page.goto('/dashboard/statistics/http_waf');
  await seen(page.getByText('1–2 of 2'));
  await nothingForeign();
  expect(visitor.scriptErrors).toEqual([]);
});

test('exports and the resources of nodes are not theirs', async () => {
  const navigation = page.getByRole('navigation').first();
  await seen(navigation.getByRole('link', { name: 'Block log', exact: true }));
  expect(await navigation.getByRole('link', { name: 'Data export', exact: true }).count()).toBe(0);
  for (const path of ['statistics/data_export', 'node/resource_stats']) {
    await page.goto(`/dashboard/${path}`);
    await seen(page.getByRole('heading', { name: 'Page not found' }));
  }
  expect(visitor.scriptErrors).toEqual([]);
});
