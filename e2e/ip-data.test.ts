import { startOrigin, startWorld, type Origin, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeMmdb } from '../apps/server/src/modules/ip-data/test-mmdb.ts';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** The operator's own data of where addresses are. */

let world: World;
let page: Page;
let origin: Origin;
let served = makeMmdb({ '1.0.0.0/8': { autonomous_system_number: 4134 } }, { database_type: 'Test-ASN' });

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  origin = await startOrigin((_request, response) => response.end(served));
  ({ page } = await openShell(world, { path: '/dashboard/system/ip_data' }));
});
afterAll(async () => {
  await closeBrowser();
  await origin?.close();
  await world?.close();
});

const lookUp = (ip: string) => world.admin.get('lookUpAddress', { query: { ip } });
const cardOf = (title: string) =>
  page.locator('.MuiCard-root', { has: page.getByRole('heading', { name: title, exact: true }) });
const countries = makeMmdb(
  { '192.0.2.0/24': { country: { iso_code: 'JP' } }, '198.51.100.0/24': { country: { iso_code: 'BR' } } },
  { database_type: 'Test-Country' },
);

test('a file is read and shown before it is put in service, and is given up again', async () => {
  const card = cardOf('Countries and regions');
  await seen(card.getByText('IPtoASN (https://iptoasn.com), PDDL 1.0'));
  await card.getByRole('button', { name: 'Replace' }).click();
  const form = page.getByRole('dialog', { name: 'Replace: Countries and regions' });
  const choose = (name: string, buffer: Buffer) =>
    form.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

  await choose('wrong.mmdb', Buffer.from('no such file'));
  await seen(form.getByText('Not a complete MaxMind DB (.mmdb) file'));
  expect(await form.getByRole('button', { name: 'Enable' }).isDisabled()).toBe(true);
  await choose('asn.mmdb', served);
  await seen(form.getByText('The file has no data for “Countries and regions”. Choose another file.'));
  expect(await form.getByRole('button', { name: 'Enable' }).isDisabled()).toBe(true);

  // A flag stands beside the name, from the console's own files, of those countries alone that are shown.
  const flags: string[] = [];
  page.on('response', (response) => {
    const { pathname, origin: from } = new URL(response.url());
    if (pathname.includes('/flags-'))
      flags.push(`${from} ${response.status()} ${pathname.split('/').at(-1)!}`);
  });
  await choose('own.mmdb', countries);
  await seen(form.getByText('2 networks'));
  await seen(form.getByRole('cell', { name: 'Japan' }));
  const own = new URL(page.url()).origin;
  await expect.poll(() => flags.toSorted()).toEqual([`${own} 200 BR.svg`, `${own} 200 JP.svg`]);
  expect((await lookUp('192.0.2.1')).place.country).toBe('');
  await form.getByLabel('Attribution and license').fill('Data by Example');
  await form.getByRole('button', { name: 'Enable' }).click();
  await seen(page.getByText('Enabled; deploying to the nodes'));
  await seen(card.getByText('Data by Example'));
  await seen(card.getByText('own.mmdb'));
  expect((await lookUp('192.0.2.1')).place.country).toBe('JP');

  await card.getByRole('button', { name: 'Restore built-in data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore built-in data' }).click();
  await seen(card.getByText('IPtoASN (https://iptoasn.com), PDDL 1.0'));
  expect((await lookUp('192.0.2.1')).place.country).toBe('');
});

test('a file from a URL is fetched, put in service, and fetched again', async () => {
  const card = cardOf('ASN (autonomous system number)');
  await seen(card.getByText('No ASN data is built in', { exact: false }));
  await card.getByRole('button', { name: 'Add file' }).click();
  const form = page.getByRole('dialog', { name: 'Replace: ASN (autonomous system number)' });
  await form.getByRole('button', { name: 'URL' }).click();
  await form.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:1/none');
  await form.getByRole('button', { name: 'Download and check' }).click();
  await seen(form.getByText('The URL cannot be reached'));
  await form.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${origin.port}/asn.mmdb`);
  await form.getByRole('button', { name: 'Download and check' }).click();
  await seen(form.getByText('Test-ASN'));
  await form.getByRole('button', { name: 'Enable' }).click();
  await seen(card.getByText('Test-ASN'));
  expect((await lookUp('1.2.3.4')).asn).toBe(4134);

  served = Buffer.from('moved');
  await card.getByRole('button', { name: 'Update now' }).click();
  await seen(
    card.getByText('the previous copy stays in use: Not a complete MaxMind DB (.mmdb) file', {
      exact: false,
    }),
  );
  expect((await lookUp('1.2.3.4')).asn).toBe(4134);
  served = makeMmdb({ '1.0.0.0/8': { autonomous_system_number: 13_335 } });
  await card.getByRole('button', { name: 'Update now' }).click();
  await seen(page.getByText('Updated; deploying to the nodes'));
  expect((await lookUp('1.2.3.4')).asn).toBe(13_335);
});
