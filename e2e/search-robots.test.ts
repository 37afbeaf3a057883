import { siteSetting } from '@breakwater/contract';
import {
  makeSite,
  saveSetting,
  startDnsServer,
  startWorld,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen } from './browser.ts';
import { openSession } from './shell.ts';

/** False robots of search engines are kept out: a rule made in the console, tried there, and held to by a node. */

const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let world: World;
let dns: DnsServer;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  dns = await startDnsServer('googlebot.com', ['crawl IN A 192.0.2.5'], {
    '2.0.192.in-addr.arpa': ['5 IN PTR crawl.googlebot.com.'],
    '127.in-addr.arpa': ['1.0.0 IN PTR home.example.test.'],
  });
  world = await startWorld({
    templateUrl: inject('templateUrl'),
    edge: true,
    robotNameServers: [dns.address],
  });
  await saveSetting(world, 'SiteSetting', siteSetting.parse({ dns_servers: [dns.address] }));
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  ({ page } = await openSession(world));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await dns?.close();
});

const statusOf = async (agent: string) =>
  (await world.fetchEdge(site.domain, '/', { headers: { 'user-agent': agent } })).status;

test('a rule against false robots is made and tried in the console', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=access`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'More conditions' }).click();
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  const leaf = page.getByRole('group', { name: 'Condition 1', exact: true });
  await leaf.getByLabel('Field', { exact: true }).click();
  await page.getByRole('option', { name: 'Fake bot', exact: true }).click();
  await seen(leaf.getByText('counts neither as a verified nor as a fake bot', { exact: false }));
  await page.getByRole('button', { name: 'Test a request' }).click();
  await page.getByLabel('Request headers (one per line)').fill(`User-Agent: ${googlebot}`);
  const result = page.getByRole('status');
  await page.getByLabel('Client IP').last().fill('192.0.2.5');
  await seen(result.getByText('Does not match', { exact: true }));
  await page.getByLabel('Client IP').last().fill('192.0.2.6');
  await seen(result.getByText('Matches', { exact: true }));
});

test('the node holds to it, once it has asked DNS', async () => {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  expect(await statusOf(googlebot)).toBe(200);
  await expect.poll(() => statusOf(googlebot)).toBe(403);
  expect(await statusOf('Mozilla/5.0')).toBe(200);
});

test('verified robots of chosen engines can be let in', async () => {
  await rowOf(page, 'Rules', 1)
    .getByRole('button', { name: /^Expand/ })
    .click();
  await page.getByRole('button', { name: /^More conditions/ }).click();
  const leaf = page.getByRole('group', { name: 'Condition 1', exact: true });
  await leaf.getByLabel('Field', { exact: true }).click();
  await page.getByRole('option', { name: 'Verified bot', exact: true }).click();
  await leaf.getByLabel('Operator', { exact: true }).click();
  await page.getByRole('option', { name: 'is one of', exact: true }).click();
  await leaf.getByLabel('Values (one or more)').click();
  for (const name of ['Google', 'Baidu']) await page.getByRole('option', { name, exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  const saved = async () => {
    const { value } = await world.admin.get('getAccessControl', { query: { site_id: site.id } });
    return value.rules[0]!.condition!.items[0];
  };
  await expect
    .poll(saved)
    .toMatchObject({ field: 'verified_robot', operator: 'equals', values: ['google', 'baidu'] });
});
