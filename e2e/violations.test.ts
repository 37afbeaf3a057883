import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { siteViolation } from '../apps/server/src/db/schema.ts';
import { closeBrowser, seen } from './browser.ts';
import { openShell, type ShellVisitor } from './shell.ts';

/** What operators keep off their platform: domains that nobody may add, pages with forbidden content. */

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
let operator: ShellVisitor;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  await world.server.services.db.insert(siteViolation).values({
    siteId: site.id,
    host: site.domain,
    requestUri: '/bad.html',
    category: 'Gambling',
    word: 'free casino',
    excerpt: 'all about the free casino here',
    contentHash: 'ab'.repeat(32),
    action: 'recorded',
  });
  operator = await openShell(world);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const act = async (page: Page, action: string) => {
  await page
    .getByRole('row')
    .getByRole('button', { name: /bad\.html/ })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  return page.getByRole('dialog');
};
/** The button says what will be done; what takes something offline has to be typed first. */
const decide = async (decision: string, button: string, typed?: string) => {
  const { page } = operator;
  const dialog = await act(page, 'Decide');
  await dialog.getByRole('combobox', { name: 'Decision' }).click();
  await page.getByRole('option', { name: decision }).click();
  await dialog.getByLabel('Note').fill('Remove this page');
  const action = dialog.getByRole('button', { name: button, exact: true });
  expect(await action.isDisabled()).toBe(typed !== undefined);
  if (typed) await dialog.getByRole('textbox', { name: `Type ${typed} to confirm` }).fill(typed);
  await action.click();
  await dialog.waitFor({ state: 'detached' });
};

test('a domain on the blacklist is refused at the field of a new site, and a pattern at its own', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/system/domain_name_blacklist' });
  await page.getByRole('button', { name: 'Add blacklisted domain' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('combobox', { name: 'Match' }).click();
  await page.getByRole('option', { name: 'Pattern' }).click();
  await drawer.getByLabel('Domain').fill('*');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => drawer.getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
  await drawer.getByLabel('Domain').fill('*casino*');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: '*casino*' }));
  await close();

  const user = await openShell(world, { customer, path: `/dashboard/site/sitedetail/${site.id}` });
  await user.page.getByRole('button', { name: 'Edit domains' }).click();
  const domains = user.page.getByRole('dialog').getByLabel('Domains', { exact: true });
  await domains.fill(`${site.domain}\nbest-casino.example`);
  await user.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(user.page.getByText(/This domain is on the domain blacklist/));
  expect(await domains.getAttribute('aria-invalid')).toBe('true');
  await user.close();
});

test('of many domains on the blacklist a site names some, and says how many there are', async () => {
  const word = unique('listed');
  const domains = Array.from({ length: 11 }, (_, n) => `www${n}.${word}.example`);
  const { id } = await customer.api.get('createSite', { body: { domains, origin: '192.0.2.1' } });
  const body = { name: `*${word}*`, kind: 'pattern', enabled: true, reason: 'gambling' } as const;
  await world.admin.get('createDomainNameBlacklistEntry', { body });
  await waitFor('the scan', async () => {
    const { total } = await customer.api.get('listBlacklistHits', { query: { site_id: id } });
    return total === 11;
  });
  const { page, close } = await openShell(world, { customer, path: `/dashboard/site/sitedetail/${id}` });
  await seen(page.getByText(/^The platform has blacklisted 11 domains: www\d+\./));
  await close();
});

test('an operator opens the evidence of a violation, and takes its page offline', async () => {
  const { page } = operator;
  await page.goto('/dashboard/statistics/http_filter');
  const evidence = await act(page, 'Evidence');
  await seen(evidence.getByText('all about the free casino here'));
  await seen(evidence.getByText('ab'.repeat(32)));
  await evidence.getByRole('button', { name: 'Close' }).click();
  await decide('Confirm, take the page offline', 'Take page offline', site.domain);
  const row = page.getByRole('row').filter({ hasText: '/bad.html' });
  await seen(row.getByText('Offline', { exact: true }));
  await seen(row.getByText('Confirmed', { exact: true }));
});

test('the customer reads the note and appeals, and is told at the field what is missing', async () => {
  const { page, close } = await openShell(world, { customer, path: '/dashboard/statistics/http_filter' });
  const evidence = await act(page, 'Evidence');
  await seen(evidence.getByText('Remove this page'));
  await evidence.getByRole('button', { name: 'Close' }).click();
  await evidence.waitFor({ state: 'detached' });
  const drawer = await act(page, 'Appeal');
  const reason = drawer.getByLabel('Reason');
  await drawer.getByRole('button', { name: 'Submit appeal' }).click();
  await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true');
  await reason.fill('The page is gone');
  await drawer.getByRole('button', { name: 'Submit appeal' }).click();
  await seen(page.getByRole('row').getByText('The page is gone'));
  await close();
});

test('the appeal is found among those that wait, and the page put back online', async () => {
  const { page } = operator;
  await page.goto('/dashboard/statistics/http_filter?appealed=yes');
  await seen(page.getByRole('row').getByText('The page is gone'));
  await decide('Put the page back online', 'Put page online');
  await seen(
    page
      .getByText('No violations')
      .or(page.getByText(/no matching|No results/i))
      .first(),
  );
  await page.goto('/dashboard/statistics/http_filter');
  await seen(page.getByRole('row').filter({ hasText: '/bad.html' }).getByText('Online', { exact: true }));
  expect([...operator.scriptErrors, ...operator.complaints]).toEqual([]);
});

test('a site is suspended only by who types its name, and is called by it in the matches of the blacklist', async () => {
  const { page } = operator;
  const dialog = await act(page, 'Decide');
  await dialog.getByRole('combobox', { name: 'Decision' }).click();
  await page.getByRole('option', { name: 'Confirm, suspend the whole site' }).click();
  const suspend = dialog.getByRole('button', { name: 'Suspend site', exact: true });
  expect(await suspend.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: `Type ${site.domain} to confirm` }).fill(site.domain);
  await suspend.click();
  await dialog.waitFor({ state: 'detached' });
  expect((await world.admin.get('getSite', { params: { id: site.id } })).status).toBe('suspended');

  await world.admin.get('createDomainNameBlacklistEntry', { body: { name: site.domain, kind: 'exact' } });
  const query = { site_id: site.id };
  await waitFor('the scan', async () => (await world.admin.get('listBlacklistHits', { query })).total === 1);
  await page.goto('/dashboard/system/domain_name_blacklist/hits');
  await seen(page.getByRole('row').getByRole('link', { name: site.domain, exact: true }));
  await page
    .getByRole('row')
    .getByRole('button', { name: `Actions for ${site.domain}` })
    .click();
  await page.getByRole('menuitem', { name: 'Suspend site', exact: true }).click();
  const again = page.getByRole('dialog');
  expect(await again.getByRole('button', { name: 'Suspend site', exact: true }).isDisabled()).toBe(true);
  await seen(again.getByRole('textbox', { name: `Type ${site.domain} to confirm` }));
  await again.getByRole('button', { name: 'Cancel' }).click();
  expect([...operator.scriptErrors, ...operator.complaints]).toEqual([]);
});

test('a picture is added to a category by what it looks like', async () => {
  const { page, close } = await openShell(world, { path: '/dashboard/system/http_filter_setting' });
  await page.getByRole('button', { name: 'Add category' }).click();
  await page.getByLabel('Name', { exact: true }).fill('pictures');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add from an image' }).click(),
  ]);
  // One colour, and two squares on it.
  const plain = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAMAAABpA6zvAAAAA1BMVEUzZpk7I4HSAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4jWNgGAWjYBSMguEAAATOAAE9WQaqAAAAAElFTkSuQmCC',
    'base64',
  );
  const drawn = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAMAAABpA6zvAAAACVBMVEUzZpn///8AAAAIruW1AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAJElEQVQ4jWNgGBqAEQsYVQgHo8EDA+DgYIKBEa0QJ6C+wkECAOWaAjNyZ/UNAAAAAElFTkSuQmCC',
    'base64',
  );
  const asFile = (buffer: Buffer) => ({ name: 'picture.png', mimeType: 'image/png', buffer });
  await chooser.setFiles(asFile(plain));
  await seen(page.getByText('No hash can be made from this image'));
  await page.locator('input[type=file]').setInputFiles(asFile(drawn));
  const hashes = page.getByLabel('Hashes of similar images');
  await expect.poll(() => hashes.inputValue()).toMatch(/^[0-9a-f]{16}$/);
  const hash = await hashes.inputValue();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await world.admin.get('getHttpFilterSetting', {})).value.categories)
    .toMatchObject([{ name: 'pictures', image_hashes: [hash], image_distance: 8 }]);
  await close();
});
