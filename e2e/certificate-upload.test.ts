import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

/** Many certificates at once, as a customer brings them: shown first, then bound to the sites whose domains they cover. */

let world: World;
let customer: Customer;
let authority: Authority;
let page: Page;
const base = unique('many');
const sites: { id: number; domain: string }[] = [];

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  authority = await Authority.make('Authority of many');
  for (const name of ['one', 'two'])
    sites.push(await makeSite(customer.api, { domain: `${name}.${base}.example.com` }));
  ({ page } = await openSession(world, { customer }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await authority?.close();
});

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const bound = async (id: number) =>
  (await customer.api.get('getCertificateSettings', { query: { site_id: id } })).value.certificate_ids;

async function choose(files: ReturnType<typeof file>[]) {
  await page.goto('/dashboard/site/certificate');
  await page.getByRole('link', { name: 'Batch upload' }).click();
  await page.locator('input[type=file]').setInputFiles(files);
}

test('files are chosen, what they would do is shown, and each site gets the certificate of its domain', async () => {
  const [one, two] = sites as [(typeof sites)[0], (typeof sites)[0]];
  const pairs = [await authority.issue([one.domain]), await authority.issue([two.domain])];
  await page.goto('/dashboard/site/certificate');
  await page.getByRole('link', { name: 'Batch upload' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText('Choose the certificate and private key files'));
  await choose([
    ...pairs.flatMap(({ certificate, key }, index) => [
      file(`${index}.crt`, certificate),
      file(`${index}.key`, key),
    ]),
    file('readme.txt', 'nothing'),
  ]);
  await seen(page.getByText('5 files chosen'));
  await page.getByRole('combobox', { name: 'Group' }).fill('Shops');
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText('readme.txt: This file contains neither a certificate nor a private key'));
  await seen(page.getByText('No certificate yet').nth(1));
  const first = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('textbox', { name: 'Name' }) })
    .first();
  await first.getByRole('textbox', { name: 'Name' }).fill('Shop one');
  await page.getByRole('button', { name: 'Upload 2 certificates and bind 2 sites' }).click();
  await page.waitForURL(/\/dashboard\/site\/batchs\/\d+$/);
  await seen(page.getByText('Bind certificates'));
  await seen(page.getByText('2 done'));
  expect(await Promise.all(sites.map(async ({ id }) => (await bound(id)).length))).toEqual([1, 1]);
  await page.goto('/dashboard/site/certificate');
  await seen(page.getByRole('row', { name: 'Shop one' }).getByText('Shops'));
});

test('the next ones replace them where they stand, after it was said which', async () => {
  const [one] = sites as [(typeof sites)[0]];
  const [before] = await bound(one.id);
  const { certificate, key } = await authority.issue([one.domain]);
  await choose([file('all.pem', certificate + key)]);
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText('Replaces', { exact: true }));
  await seen(page.getByText(/“Shop one” expires/));
  await seen(page.getByText('Updated automatically'));
  await page.getByRole('checkbox', { name: `Upload the certificate of ${one.domain}` }).click();
  await seen(page.getByRole('button', { name: 'Upload 0 certificates' }));
  await page.getByRole('checkbox', { name: `Upload the certificate of ${one.domain}` }).click();
  await page.getByRole('button', { name: 'Upload 1 certificate', exact: true }).click();
  await seen(page.getByText('Certificates: 1 replaced'));
  await waitFor('the replacement', async () => {
    const { list } = await customer.api.get('listCertificates', { query: { name: 'Shop one' } });
    return list[0]!.id === before && list[0]!.version === 2;
  });
  expect(await bound(one.id)).toEqual([before]);
});

test('certificates are moved to a group, by which the list is narrowed', async () => {
  await page.goto('/dashboard/site/certificate');
  await page.getByRole('row', { name: 'Shop one' }).getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Move to group' }).click();
  const drawer = page.getByRole('dialog', { name: 'Move 1 certificate to a group' });
  await drawer.getByRole('combobox', { name: 'Group' }).fill('Archive');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('1 certificate moved to Archive'));
  await page.goto('/dashboard/site/certificate?group_name=Archive');
  await seen(page.getByRole('row', { name: 'Shop one' }));
  expect(await page.getByRole('row').count()).toBe(2);
});
