import { makeNode, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { siteReject, siteViolation } from '../apps/server/src/db/schema.ts';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };
let other: { id: number; domain: string };

/** Addresses with the places that the product's own files have for them. */
const canton = '202.96.128.86';
const america = '8.8.8.8';

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  site = await makeSite(world.admin);
  other = await makeSite(world.admin);
  const named = { action: 'deny' as const, note: 'No scanners', only_paths: ['/wp-admin/'] };
  const query = { site_id: other.id };
  const { value, version } = await world.admin.get('getAccessControl', { query });
  await world.admin.get('updateAccessControl', {
    query,
    body: { version, value: { ...value, rules: [named] } as unknown as typeof value },
  });
  const { order_id, client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const from = Date.now() - 10 * 60_000;
  const line = (index: number, of: typeof site, decision: string, remote_addr: string) =>
    makeLine({
      time: new Date(from + index * 1000).toISOString(),
      request_id: index.toString(16).padStart(32, '0'),
      site_id: of.id,
      client_id,
      order_id,
      host: of.domain,
      request_uri: `/page/${index}`,
      remote_addr,
      status: decision === '' ? 200 : 403,
      decision,
    });
  const lines = [
    ...Array.from({ length: 20 }, (_, index) => line(index, site, '', america)),
    ...Array.from({ length: 7 }, (_, index) => line(20 + index, site, 'access_control global 2', canton)),
    ...Array.from({ length: 3 }, (_, index) =>
      line(30 + index, other, 'security too_many_requests', america),
    ),
  ];
  const batch = { nodeId: 1, file: 'access.1', offset: 0, lines: toBytes(lines) };
  await world.server.services.logStore.ingest(batch);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** A chart or a list, or the card of a figure. */
const region = (name: string) =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('group', { name, exact: true }));
const ranked = (title: string, name: string) => region(title).getByRole('listitem').filter({ hasText: name });

test('home says what was refused, and each figure is one click from its cause', async () => {
  await page.goto('/dashboard');
  await seen(region('Blocked requests').getByText('10', { exact: true }));
  for (const [figure, screen] of [
    ['Current bandwidth', /statistics\/monitor$/],
    ['Requests', /statistics\/analysis$/],
    ['Byte hit ratio', /statistics\/http_access_stats$/],
    ['5xx errors', /statistics\/http_access_stats$/],
    ['Blocked requests', /statistics\/http_attack_stats$/],
    ['Sites', /site\/list$/],
    ['Nodes', /node\/node$/],
    ['Failed tasks', /task\/task\?status=failed$/],
  ] as const) {
    // Once its figures have come: a card that is drawn anew amid a click takes none.
    await page.goto('/dashboard', { waitUntil: 'networkidle' });
    await region(figure).getByRole('link').click();
    await page.waitForURL(screen);
  }
  expect(visitor.scriptErrors).toEqual([]);
});

test('home says how the machine of the control plane is, one click from what fills its disk', async () => {
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  await seen(main.getByRole('heading', { name: 'Control plane' }));
  for (const part of ['Memory', 'Disk']) {
    const share = await main.getByRole('progressbar', { name: part }).getAttribute('aria-valuenow');
    expect(Number(share)).toBeGreaterThan(0);
    expect(Number(share)).toBeLessThanOrEqual(100);
  }
  const { version } = await world.admin.get('getSystemInfo', {});
  await seen(main.getByText(`Version ${version}`));
  await main.getByRole('link', { name: 'Log store' }).click();
  await page.waitForURL(/node\/elastic$/);
});

test('what is about to end says when, and a failed task is one click from its cause', async () => {
  const { db } = world.server.services;
  const end = new Date(Date.now() + 6.5 * 86_400_000).toISOString();
  await db.execute(
    sql`UPDATE "order" SET end_at = ${end} WHERE id = (SELECT order_id FROM site WHERE id = ${site.id})`,
  );
  await db.execute(
    sql`UPDATE operation SET state = 'failed' WHERE subject_kind = 'site' AND subject_id = ${other.id}`,
  );
  await page.goto('/dashboard');
  await seen(page.getByText('in 6 d'));
  const failed = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Recent failed tasks' }) });
  await failed.getByRole('link', { name: other.domain }).first().click();
  await page.waitForURL(/task\?.*open=\d+/);
  await seen(page.getByRole('dialog').getByText(`Sub-tasks · ${other.domain}`));
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.waitForURL((url) => !url.search.includes('open='));
  expect(visitor.scriptErrors).toEqual([]);
});

test('figures stand against the same part of last week, on every screen', async () => {
  const earlier = Date.now() - 10 * 60_000 - 7 * 24 * 3_600_000;
  const { order_id, client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const lines = Array.from({ length: 9 }, (_, index) =>
    makeLine({
      time: new Date(earlier + index * 1000).toISOString(),
      request_id: `e${index}`.padStart(32, '0'),
      site_id: site.id,
      client_id,
      order_id,
      host: site.domain,
    }),
  );
  await world.server.services.logStore.ingest({
    nodeId: 1,
    file: 'access.2',
    offset: 0,
    lines: toBytes(lines),
  });
  await page.goto('/dashboard');
  await seen(region('Requests').getByText('+233.3% vs. same time last week'));
  await seen(region('Bandwidth').getByRole('button', { name: 'Same time last week', exact: true }));
  await page.goto('/dashboard/statistics/monitor');
  await seen(region('Requests').getByText('+233.3% vs. last week'));
  await page.goto(`/dashboard/statistics/monitordetail/${site.id}`);
  await seen(region('Requests').getByText('+200% vs. last week'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('charts are drawn in the granularity that is chosen, and their parts are the whole', async () => {
  await page.goto('/dashboard/statistics/monitor');
  await page.getByRole('combobox', { name: 'Granularity' }).click();
  await page.getByRole('option', { name: '5 s', exact: true }).click();
  await page.waitForURL(/step=5(?:&|$)/);
  const chart = region('Requests').filter({ has: page.getByRole('heading', { name: 'Requests' }) });
  await chart.getByRole('button', { name: 'Show as table' }).click();
  const row = chart.getByRole('row').filter({ has: page.getByRole('cell', { name: '5', exact: true }) });
  await seen(row);
  const rows = await chart.getByRole('row').allInnerTexts();
  const counts = rows.slice(1).map((text) => Number(text.split('\t')[1]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  // A second is too fine for an hour, and is not offered.
  await page.getByRole('combobox', { name: 'Granularity' }).click();
  expect(await page.getByRole('option', { name: '1 s', exact: true }).count()).toBe(0);
  await page.getByRole('option', { name: /^Automatic/ }).click();
  await page.waitForURL((url) => !url.search.includes('step='));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a ranking has shares of all, and its table leads to the records too', async () => {
  await page.goto('/dashboard/statistics/analysis');
  await seen(ranked('Client IPs', america).getByText('76.7%'));
  const addresses = region('Client IPs');
  await addresses.getByRole('button', { name: 'Show as table' }).click();
  await addresses.getByRole('row').filter({ hasText: canton }).getByRole('link').click();
  await page.waitForURL(/http_access\?.*remote_addr=202/);
  await seen(page.getByText('1–7 of 7'));
});

test('attack statistics count refusals by rule, site, address and place, and lead to their records', async () => {
  await page.goto('/dashboard/statistics/http_attack_stats');
  await seen(region('Blocked requests').getByText('10', { exact: true }));
  await seen(region('Blocked requests').getByText('33.3% of all requests'));
  await seen(ranked('By rule type', 'Access control').getByText('7', { exact: true }));
  await seen(ranked('By rule', 'Limits · too many requests').getByText('3', { exact: true }));
  await seen(ranked('By rule', other.domain).getByText('3', { exact: true }));
  await seen(ranked('By site', other.domain).getByText('3', { exact: true }));
  await seen(ranked('Source IPs', canton).getByText('7', { exact: true }));
  await seen(ranked('Provinces (China)', 'Guangdong').getByText('7', { exact: true }));
  await ranked('By rule', 'Access control · global · 2nd rule').getByRole('link').click();
  await page.waitForURL(/http_waf\?.*decision=/);
  await seen(page.getByText('1–7 of 7'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('the interception log has what rules refused and nothing else', async () => {
  await page.goto('/dashboard/statistics/http_waf');
  await seen(page.getByText('1–10 of 10'));
  await page.getByRole('row').filter({ hasText: '/page/26' }).click();
  const drawer = page.getByRole('dialog');
  await seen(drawer.getByRole('link', { name: 'Trace this request' }));
  await drawer.getByRole('button', { name: 'All requests of this IP' }).click();
  await page.waitForURL(/remote_addr=202\.96\.128\.86/);
  await seen(page.getByText('1–7 of 7'));
  await page.getByRole('row').filter({ hasText: '/page/26' }).click();
  await drawer.getByRole('button', { name: 'Show only: Method' }).click();
  // Whatever is asked for can be seen and taken back.
  await page.getByRole('button', { name: /Remove filter: Method/ }).click();
  await page.waitForURL((url) => !url.search.includes('method'));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  await page.waitForURL(/data_export$/);
  const { list } = await world.admin.get('listDataExports', { query: {} });
  expect(list).toMatchObject([{ records_total: 7, filters: { refused: 'yes', remote_addr: canton } }]);
  expect(visitor.scriptErrors).toEqual([]);
});

test('the traffic of one place is a choice away', async () => {
  await page.goto('/dashboard/statistics/monitor');
  await seen(region('Requests').getByText('30', { exact: true }));
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Province (China)' }).click();
  await page.getByRole('option', { name: 'Guangdong' }).click();
  await page.waitForURL(/province=GD/);
  await seen(region('Requests').getByText('7', { exact: true }));
  await page.goto('/dashboard/statistics/http_access?geoip_country_code=US');
  await seen(page.getByText('1–10 of 23'));
});

test('too many hosts and a range that begins in the future are told at their fields', async () => {
  await page.goto('/dashboard/statistics/monitor');
  await page.getByRole('button', { name: 'More filters' }).click();
  const hosts = page.getByRole('textbox', { name: 'Hosts' });
  await hosts.fill(Array.from({ length: 101 }, (_, index) => `${index}.cn`).join(','));
  await hosts.press('Enter');
  await seen(page.getByText('At most 100 hosts'));
  expect(page.url()).not.toContain('hosts');
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const range = new URLSearchParams({ range: 'custom', start_time: later(2), end_time: later(3) });
  await page.goto(`/dashboard/statistics/monitor?${range}`);
  await seen(page.getByText('The start cannot be in the future'));
  const old = new URLSearchParams({ range: 'custom', start_time: later(-24 * 500), end_time: later(0) });
  await page.goto(`/dashboard/statistics/monitor?${old}`);
  await seen(page.getByText('Data is kept for 400 days. Choose a later start'));
});

test('one site in depth has its own figures and rankings, and its node', async () => {
  await page.goto(`/dashboard/statistics/monitor?site_id=${site.id}`);
  await page.getByRole('link', { name: 'Site monitoring' }).click();
  await page.waitForURL(new RegExp(`monitordetail/${site.id}`));
  await seen(page.getByRole('heading', { name: site.domain }));
  await seen(region('Requests').getByText('27', { exact: true }));
  await seen(region('Blocked requests').getByText('7', { exact: true }));
  await seen(ranked('Client IPs', america).getByText('20', { exact: true }));
  await seen(ranked('Nodes', 'local').getByText('27', { exact: true }));
  expect(await region('Hosts').getByText(other.domain).count()).toBe(0);
  // A rule of all sites: what it refused of this one.
  const refusals = await region('Blocking rules').getByRole('link').first().getAttribute('href');
  expect(new URL(refusals!, page.url()).searchParams.get('site_id')).toBe(String(site.id));
  await page.goto('/dashboard/statistics/monitordetail/999999');
  await seen(page.getByText('Not found'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('resources show what the node says of its machine, beside a node that is chosen', async () => {
  const { id } = await makeNode(world, { ip: '192.0.2.90', name: 'silent' });
  await waitFor('a report of the node', async () => {
    const end = new Date().toISOString();
    const start_time = new Date(Date.now() - 3_600_000).toISOString();
    const query = { metric: 'memory' as const, start_time, end_time: end, interval: 60 };
    const { nodes } = await world.admin.get('getNodeResources', { query });
    return nodes[0] !== undefined && nodes[0].mean > 0;
  });
  await page.goto('/dashboard/node/resource_stats');
  const memory = region('Memory usage');
  await memory.getByRole('button', { name: 'Show as table' }).click();
  await seen(memory.getByRole('columnheader', { name: 'local' }));
  await seen(memory.getByRole('cell', { name: /^\d+(?:\.\d)?%$/ }));
  await region('Network out').getByRole('button', { name: 'Show as table' }).click();
  await seen(region('Network out').getByRole('cell', { name: /^[\d.]+ [KMG]?bps$/ }));
  await page.goto(`/dashboard/node/resource_stats?nodes=${id}`);
  await seen(page.getByText('No reports in this time range'));
  await page.getByRole('button', { name: /Remove from comparison: silent/ }).click();
  await seen(region('Network out'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('screens of violations say that there are none yet, and why', async () => {
  for (const [screen, title, reason] of [
    ['http_filter', 'No violations', /Once violation monitoring is enabled/],
    ['http_filter_status', 'No violations', /Once violation monitoring is enabled/],
  ] as const) {
    await page.goto(`/dashboard/statistics/${screen}`);
    await seen(page.getByText(title));
    await seen(page.getByText(reason));
  }
});

test('what stands in their tables is shown, counted and released', async () => {
  const { db } = world.server.services;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { client_id: clientId } = await world.admin.get('getSite', { params: { id: site.id } });
  const reject = { clientId, siteId: site.id, decision: 'security too_many_requests', expiresAt };
  await db.insert(siteReject).values([
    { ...reject, remoteAddr: '198.51.100.1' },
    { ...reject, siteId: other.id, decision: 'access_control 1', remoteAddr: '198.51.100.2' },
  ]);
  await page.goto('/dashboard/statistics/site_reject');
  const row = (address: string) => page.getByRole('row').filter({ hasText: address });
  await seen(row('198.51.100.1').getByText('Limits · too many requests'));
  const rule = row('198.51.100.2').getByRole('link', { name: 'Access control · No scanners' });
  expect(await rule.getAttribute('href')).toContain(`/sitedetail/${other.id}?tab=access&focus=rules.0`);
  await row('198.51.100.1')
    .getByRole('button', { name: /198\.51\.100\.1/ })
    .click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
  await seen(row('198.51.100.1').getByText('Unblocked', { exact: true }));
  await page.getByRole('button', { name: 'Unblock all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock all' }).click();
  await seen(row('198.51.100.2').getByText('Unblocked', { exact: true }));
  await db.insert(siteViolation).values({
    siteId: site.id,
    host: site.domain,
    requestUri: '/bad.html',
    word: 'gambling',
    excerpt: 'all about gambling here',
    action: 'blocked',
  });
  await page.goto('/dashboard/statistics/http_filter');
  await seen(page.getByRole('row').filter({ hasText: '/bad.html' }).getByText('Offline'));
  await page.getByRole('link', { name: 'Violation statistics' }).last().click();
  await seen(region('Violations').getByText('1', { exact: true }));
  await seen(ranked('By content', 'gambling').getByText('1', { exact: true }));
  expect(visitor.scriptErrors).toEqual([]);
});
