import { startDnsHost, startWorld, type DnsHost, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { actOnRow, openShell } from './shell.ts';

/** Accounts at DNS hosts, on a real one. */

let world: World;
let host: DnsHost;
let page: Page;
beforeAll(async () => {
  [world, host] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    startDnsHost(['example.com']),
  ]);
  ({ page } = await openShell(world, { path: '/dashboard/site/dns_account' }));
});
afterAll(async () => {
  await closeBrowser();
  await host?.close();
  await world?.close();
});

const act = (name: string, action: string) => actOnRow(page, name, action);

test('an account is added with the fields of its provider, tested, and kept with its secret', async () => {
  await page.getByRole('button', { name: 'Add DNS account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add DNS account' });
  await form.getByLabel('Name', { exact: true }).fill('Our PowerDNS');
  await form.getByLabel('Provider').click();
  await page.getByRole('option', { name: 'PowerDNS' }).click();
  await form.getByLabel('API address').fill(host.apiUrl);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('This field is required'));
  await form.getByRole('button', { name: /: API key$/ }).click();
  await form.getByLabel('API key', { exact: true }).fill(host.apiKey);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Account saved'));
  await seen(page.getByRole('cell', { name: 'Not tested' }));
  await act('Our PowerDNS', 'Test');
  await seen(page.getByText('Connected; manages 1 zone: example.com'));
  await seen(page.getByRole('cell', { name: 'Working' }));

  await act('Our PowerDNS', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit DNS account' });
  await edit.getByLabel('Name', { exact: true }).fill('Renamed');
  await edit.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Renamed' }));
  const { list } = await world.admin.get('listDnsAccounts', { query: {} });
  expect(list).toMatchObject([{ name: 'Renamed', params: { url: host.apiUrl, api_key_set: true } }]);
});

test('another provider has other fields', async () => {
  await page.getByRole('button', { name: 'Add DNS account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add DNS account' });
  await form.getByLabel('Name', { exact: true }).fill('By update');
  await form.getByLabel('Provider').click();
  await page.getByRole('option', { name: 'DNS update (RFC 2136)' }).click();
  await form.getByLabel('Server', { exact: true }).fill(host.server);
  await form.getByLabel('Zones').fill('example.com');
  await form.getByLabel('Zones').press('Enter');
  await form.getByLabel('TSIG key name').fill(host.tsig.name);
  await form.getByRole('button', { name: /: TSIG key$/ }).click();
  await form.getByLabel('TSIG key', { exact: true }).fill(host.tsig.key);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'By update' }));
  await act('By update', 'Test');
  await seen(page.getByRole('row', { name: /By update/ }).getByText('Working'));
});

test('its zones are looked at and searched', async () => {
  await act('Renamed', 'Zones');
  const drawer = page.getByRole('dialog', { name: 'Zones of “Renamed”' });
  await seen(drawer.getByRole('cell', { name: 'example.com', exact: true }));
  await drawer.getByRole('textbox', { name: 'Zone' }).fill('nothing');
  await drawer.getByRole('textbox', { name: 'Zone' }).press('Enter');
  await seen(drawer.getByText('No results match these filters'));
  await drawer.getByRole('button', { name: 'Close' }).click();
});
