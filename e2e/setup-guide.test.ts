import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  saveSetting,
  startDnsServer,
  startWorld,
  unique,
  waitFor,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const done = (page: Page, name: string) => seen(step(page, name).getByRole('img', { name: 'Done' }));

test('an empty installation leads from nothing to a site, by what the server finds', async () => {
  const { page, close } = await openShell(world);
  await seen(page.getByRole('heading', { name: 'Get started', exact: true }));
  await done(page, 'Bring a node online');
  await done(page, 'Add a node to a line group');
  await page.getByRole('link', { name: 'Add your first site' }).click();
  await page.getByLabel('Domains').fill('first.example.com');
  await page.getByLabel('Origin address').fill('203.0.113.10');
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await page.waitForURL(/sitedetail/);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first().click();
  await done(page, 'Add a site and its origin');
  await seen(step(page, 'Point DNS to the platform').getByRole('link', { name: 'Check DNS' }));

  // Closed, it stays closed, and is found again in the account's menu.
  await page.getByRole('button', { name: 'Close guide' }).click();
  await page.reload();
  await seen(page.getByRole('heading', { name: 'Bandwidth' }));
  expect(await page.getByRole('heading', { name: 'Get started', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('link', { name: 'Get started guide' }).click();
  await seen(page.getByRole('heading', { name: 'Get started', exact: true }));
  await close();
});

test('a customer has the steps that are theirs', async () => {
  const customer = await makeCustomer(world);
  const { page, close } = await openShell(world, { customer, language: 'zh' });
  await seen(page.getByRole('heading', { name: '快速开始' }));
  expect(await page.getByRole('heading', { name: '节点上线' }).count()).toBe(0);
  await page.getByRole('link', { name: '添加第一个站点' }).click();
  await page.waitForURL(/site\/create/);
  await close();
});

test('a customer is led from the first site to its first request, by what the DNS and a node answer', async () => {
  const dns = await startDnsServer('example.com');
  try {
    const setting = { cname_domain: 'cdn.example.com', site_check: true, dns_servers: [dns.address] };
    await saveSetting(world, 'SiteSetting', siteSetting.parse(setting));
    const origin = await world.startOrigin((_request, response) => response.end('welcome'));
    const customer = await makeCustomer(world);
    const { page, close, scriptErrors } = await openShell(world, { customer });
    const home = () =>
      page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first().click();
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const isCurrent = (name: string) => seen(step(page, name).getByRole('img', { name: 'Current step' }));
    const checkAgain = () => page.getByRole('button', { name: 'Check again' }).click();

    await isCurrent('Add a site and its origin');
    await follow('Add your first site');
    const name = unique('shop');
    const domain = `${name}.example.com`;
    await page.getByLabel('Domains').fill(domain);
    await page.getByLabel('Origin address').fill(`127.0.0.1:${origin.port}`);
    await page.getByRole('button', { name: 'Add site', exact: true }).click();
    await page.waitForURL(/sitedetail/);

    await home();
    await done(page, 'Add a site and its origin');
    await isCurrent('Verify the domain');
    await follow('View domains');
    const { list } = await customer.api.get('listSites', { query: {} });
    const site = await customer.api.get('getSite', { params: { id: list[0]!.id } });
    const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id: site.id } });
    const txt = `_breakwater.${name} IN TXT "${domains[0]!.txt_value}"`;
    await dns.write([txt]);
    await checkAgain();
    await seen(page.getByText('Online', { exact: true }));

    await home();
    await done(page, 'Verify the domain');
    await isCurrent('Point DNS to the platform');
    await seen(step(page, 'Point DNS to the platform').getByText(site.cname!, { exact: true }));
    await follow('Check DNS');
    await dns.write([txt, `${name} IN CNAME ${site.cname}.`]);
    await checkAgain();
    await seen(page.getByText('CNAME correct'));

    await home();
    await done(page, 'Point DNS to the platform');
    await isCurrent('Send a test request');
    await seen(step(page, 'Send a test request').getByText(`curl -I http://${domain}/`));
    await waitFor('the site on its node', async () => (await world.fetchEdge(domain, '/')).status === 200);
    // The guide asks by itself: nothing is clicked, nothing loaded anew.
    const allDone = page.getByText('All done. Your site is serving requests.');
    await seen(allDone);
    await done(page, 'Send a test request');

    await page.getByRole('button', { name: 'Close guide' }).click();
    await page.reload();
    await seen(page.getByRole('heading', { name: 'Bandwidth' }));
    expect(await allDone.count()).toBe(0);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('link', { name: 'Get started guide' }).click();
    await seen(allDone);
    expect(scriptErrors).toEqual([]);
    await close();
  } finally {
    await dns.close();
  }
});
