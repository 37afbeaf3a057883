import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

/** Certificates as a customer has them: uploaded, looked at, replaced and removed. */

let world: World;
let customer: Customer;
let authority: Authority;
let page: Page;
const domain = `${unique('shop')}.example.com`;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  authority = await Authority.make('Browser authority');
  ({ page } = await openSession(world, { customer }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await authority?.close();
});

/** The same as a file with a password. */
function pfxOf({ certificate, key }: IssuedPair, password: string) {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-pfx-'));
  writeFileSync(join(folder, 'pair.pem'), certificate + key);
  const args = ['pkcs12', '-export', '-in', 'pair.pem', '-out', 'pair.pfx', '-passout', `pass:${password}`];
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const buffer = readFileSync(join(folder, 'pair.pfx'));
  rmSync(folder, { recursive: true });
  return { name: 'pair.pfx', mimeType: 'application/x-pkcs12', buffer };
}

test('a certificate is uploaded as files, with what may be wrong with it said', async () => {
  const pair = await authority.issue([domain, `old.${domain}`]);
  await page.goto('/dashboard/site/certificate');
  await page.getByRole('button', { name: 'Upload certificate' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Upload certificate' });
  await drawer.getByLabel('Name').fill('Shop');
  const other = await authority.issue([domain]);
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await drawer
    .locator('input[type=file]')
    .setInputFiles([file('chain.pem', pair.certificate), file('wrong.key', other.key)]);
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await seen(drawer.getByText('The private key does not match the certificate'));
  await drawer.locator('input[type=file]').setInputFiles(pfxOf(pair, 'one two'));
  await drawer.getByLabel('PFX password').fill('three');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await seen(drawer.getByText('The password of this PFX file is incorrect'));
  await drawer.getByLabel('PFX password').fill('one two');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  await seen(page.getByText(/Certificate uploaded\. Note: The chain is incomplete/));
  await page.getByRole('link', { name: 'Shop' }).click();
  await seen(page.getByText('ECDSA, 256 bits').first());
  await seen(page.getByText('The chain is incomplete'));
  await seen(page.getByText('No site uses this certificate'));
});

test('its sites are named with what it covers, and a narrower one takes its place only when that is meant', async () => {
  const [certificate] = (await customer.api.get('listCertificates', { query: {} })).list;
  const id = certificate!.id;
  const site = await makeSite(customer.api, { domain });
  const query = { site_id: site.id };
  await customer.api.get('updateSiteDomains', {
    params: { id: site.id },
    body: { version: 1, domains: [domain, `old.${domain}`, `bare.${domain}`] },
  });
  await customer.api.get('updateCertificateSettings', {
    query,
    body: { version: 2, value: { certificate_ids: [id] } },
  });
  await page.goto(`/dashboard/site/certificate_detail/${id}`);
  await seen(page.getByText(`${domain}, old.${domain}`).nth(1));
  await seen(page.getByText('Domains without a certificate'));
  await seen(page.getByText(`bare.${domain}`));

  const next = await authority.issue([domain]);
  await page.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Rename or replace' }).click();
  const drawer = page.getByRole('dialog', { name: 'Rename or replace certificate' });
  await drawer.getByLabel('Name').fill('Shop 2');
  await drawer.getByLabel('Certificate (PEM)').fill(next.certificate);
  await drawer.getByLabel('Private key (PEM)').fill(next.key);
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await seen(drawer.getByText(`no longer covers these domains that sites serve: old.${domain}`));
  await drawer.getByLabel('Replace even if some site domains lose their certificate').click();
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  await seen(page.getByRole('heading', { name: 'Shop 2' }));
  await seen(page.getByText(`old.${domain}, bare.${domain}`));

  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await seen(page.getByText(`No certificate covers old.${domain}, bare.${domain}`));
});

test('of several that are removed, the one that a site uses stays', async () => {
  const { certificate, key } = await authority.issue([`spare.${domain}`]);
  await customer.api.get('createCertificate', { body: { name: 'Spare', certificate, private_key: key } });
  await page.goto('/dashboard/site/certificate');
  for (const name of ['Shop 2', 'Spare']) await page.getByRole('row', { name }).getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const kept = page.getByRole('dialog', { name: 'Some certificates were kept' });
  await seen(kept.getByText('Shop 2'));
  await seen(kept.getByRole('link', { name: domain }));
  await kept.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('row', { name: 'Spare' }).waitFor({ state: 'detached' });
  expect((await customer.api.get('listCertificates', { query: {} })).total).toBe(1);
});
