import {
  makeSite,
  saveSetting,
  startDnsServer,
  startPebble,
  startWorld,
  waitFor,
  type DnsServer,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { actOnRow, openShell } from './shell.ts';

/** From an account at an authority to a certificate and its timeline, as an operator goes. */

let world: World;
let dns: DnsServer;
let pebble: Pebble;
let page: Page;
beforeAll(async () => {
  dns = await startDnsServer('example.com', ['* IN A 198.51.100.7']);
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  pebble = await startPebble({ httpPort: world.edgeHttpPort, dnsServer: dns.address });
  await saveSetting(world, 'SiteSetting', {
    dns_servers: [dns.address],
    compared_dns_servers: [],
    site_check: false,
  });
  ({ page } = await openShell(world, { path: '/dashboard/system/acme_account' }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await Promise.all([pebble?.close(), dns?.close()]);
});

const act = (name: string, action: string) => actOnRow(page, name, action);

test('an account is added at an authority of its own, agreed to, and registered', async () => {
  await page.getByRole('button', { name: 'Add certificate account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add certificate account' });
  await form.getByLabel('Name', { exact: true }).fill('Our authority');
  await form.getByRole('combobox', { name: 'Certificate authority' }).click();
  await page.getByRole('option', { name: 'Other' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('Agree to the terms of service of the certificate authority'));
  await form.getByLabel('ACME directory URL').fill(pebble.directoryUrl);
  await form.getByLabel('CA certificate of the directory (PEM)').fill(pebble.ca);
  await form.getByLabel('I agree to the terms of service of this certificate authority').click();
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Certificate account saved'));
  await seen(page.getByRole('cell', { name: 'Not registered' }));
  await act('Our authority', 'Register and test');
  await seen(page.getByText('This account works'));
  await seen(page.getByRole('row', { name: /Our authority/ }).getByText('Registered', { exact: true }));
});

test('the authority of a site is chosen by search, and taken back', async () => {
  const site = await makeSite(world.admin);
  await page.goto(`${world.adminUrl}/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  const authority = page.getByRole('combobox', { name: 'Certificate account' });
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await seen(page.getByText(/^(Saved)/));
    await page.reload();
  };
  await page.getByRole('switch', { name: 'Obtain certificates automatically' }).click();
  await authority.fill('Our');
  await page.getByRole('option', { name: 'Our authority' }).click();
  await save();
  await expect.poll(() => authority.inputValue()).toBe('Our authority');
  await authority.clear();
  await authority.blur();
  await save();
  await seen(authority);
  await expect.poll(() => authority.inputValue()).toBe('');
});

test('a site asks for a certificate, and its timeline says what keeps it from one', async () => {
  const site = await makeSite(world.admin);
  await page.goto(`${world.adminUrl}/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await page.getByRole('button', { name: 'Obtain automatically' }).click();
  await seen(page.getByText('Issuance started'));
  const query = { site_id: site.id };
  await waitFor('the try', async () => {
    const { list } = await world.admin.get('listCertificateOrders', { query });
    return list[0]?.state === 'failed';
  });
  // The page of the site says so too, and opens the same timeline.
  await seen(page.getByRole('row', { name: new RegExp(site.domain) }).getByText('Issuance failed'));
  await page.getByRole('button', { name: 'Show timeline' }).click();
  await seen(page.getByRole('dialog', { name: /Timeline$/ }).getByText(/^Next attempt at/));
  await page.goto(`${world.adminUrl}/dashboard/site/certificate_order`);
  await seen(page.getByRole('row', { name: new RegExp(site.domain) }).getByText('Failed'));
  await act(site.domain, 'Timeline');
  const timeline = page.getByRole('dialog', { name: /Timeline$/ });
  await seen(timeline.getByText(/The DNS records do not point to this platform/).first());
  await seen(timeline.getByText(`${site.domain}: 198.51.100.7`).first());
  await seen(timeline.getByText(/^Started with account Our authority/));
  await seen(timeline.getByText(/^Next attempt at/));
  expect(await timeline.getByRole('listitem').count()).toBe(4);
});

test('a site with more domains than a certificate takes has several, each with its own timeline', async () => {
  const site = await makeSite(world.admin);
  const domains = [site.domain, ...Array.from({ length: 101 }, (_, index) => `n${index}.${site.domain}`)];
  const { version } = await world.admin.get('getSite', { params: { id: site.id } });
  await world.admin.get('updateSiteDomains', { params: { id: site.id }, body: { version, domains } });
  await page.goto(`${world.adminUrl}/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await page.getByRole('button', { name: 'Obtain automatically' }).click();
  await seen(page.getByText('Issuance started'));
  const section = page.getByRole('list').filter({ hasText: '100 domains' });
  await seen(section.getByText('2 domains'));
  await section.getByRole('button', { name: `Show timeline of ${domains[100]}` }).click();
  const timeline = page.getByRole('dialog', { name: /Timeline$/ });
  await seen(timeline.getByText(`Started with account Our authority for ${domains[100]}, ${domains[101]}`));
});
