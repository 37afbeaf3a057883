import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Who may come in, set in the console and held to by a node. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const status = async (path: string, headers: Record<string, string> = {}) =>
  (await world.fetchEdge(site.domain, path, { headers })).status;
const live = () => seen(page.getByText('Live on all nodes'));

test('a list of addresses closes a folder, and opens it again when the list changes', async () => {
  await page.goto('/dashboard/site/address_list');
  await page.getByRole('button', { name: 'Add address list' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('Office');
  const editor = drawer.getByRole('textbox', { name: 'Addresses' });
  await editor.fill('127.0.0.0/8 # all of us\nnowhere');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(drawer.getByText('Line 2: not an IP, network or range'));
  await editor.fill('127.0.0.0/8 # all of us');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Office' }));

  await walkToSite(page, site.domain, 'Access control');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Set at least one condition'));
  await page.getByLabel('Only these paths').fill('/admin/');
  await page.keyboard.press('Enter');
  await page.getByText('Set at least one condition').waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Address lists' }).click();
  await page.getByRole('option', { name: 'Office' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  await expect.poll(() => status('/admin/x')).toBe(403);
  expect(await status('/public/%2e%2e/ADMIN/x')).toBe(403);
  expect(await status('/')).toBe(200);

  const { list } = await world.admin.get('listAddressLists', { query: {} });
  const { id, version } = list[0]!;
  const body = { name: 'Office', content: '192.0.2.1', version };
  await world.admin.get('updateAddressList', { params: { id }, body });
  await expect.poll(() => status('/admin/x')).toBe(200);
});

test('pictures are kept from other sites', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=referer`);
  await page.getByRole('switch', { name: 'Enable hotlink protection' }).click();
  await page.getByLabel('Allowed domains').fill('*.partner.example');
  await page.getByLabel('Only these paths').fill('*.jpg');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  const from = (referer: string) => status('/a.jpg', { referer });
  await expect.poll(() => from('https://evil.example/')).toBe(403);
  expect(await from('https://www.partner.example/')).toBe(200);
  expect(visitor.scriptErrors).toEqual([]);
});

test('a folder asks for a password, and who knows it gets in', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=access`);
  await page.getByRole('switch', { name: 'Enable basic auth' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('This field is required'));
  await page.getByRole('button', { name: 'Add user' }).click();
  const user = page.getByRole('group', { name: /^(New user|User )/ });
  await user.getByLabel('Username').fill('ann');
  await user.getByRole('button', { name: 'Set: Password' }).click();
  await user.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Only these paths').fill('/private/');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  await expect.poll(() => status('/private/x')).toBe(401);
  const authorization = `Basic ${Buffer.from('ann:correct horse').toString('base64')}`;
  expect(await status('/private/x', { authorization })).toBe(200);
  expect(await status('/PRIVATE/x')).toBe(401);
  expect(await status('/')).toBe(200);

  // It was saved, so it is not sent again: a version that changes it would name it.
  await seen(user.getByRole('button', { name: 'Replace: Password' }));
  expect(await user.getByLabel('Password', { exact: true }).inputValue()).toBe('Set (cannot be viewed)');
  await page.getByLabel('Realm').fill('Staff');
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  await expect.poll(async () => (await changedLast()).join()).toBe('access_control.basic_auth.realm');
  expect(await status('/private/x', { authorization })).toBe(200);
});

/** The paths that the newest version changed. */
async function changedLast(): Promise<string[]> {
  const { list } = await world.admin.get('listSiteRevisions', { params: { id: site.id }, query: {} });
  return list[0]!.diff.map(({ path }) => path);
}

test('a rule of the platform closes a folder of all sites, and the site says so', async () => {
  await page.goto('/dashboard/site/defaults?tab=access');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Only these paths').fill('/closed/');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change these defaults?' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await live();
  await expect.poll(() => status('/closed/x')).toBe(403);
  await walkToSite(page, site.domain, 'Access control');
  await seen(page.getByText('Inherited rules'));
  await seen(page.getByText('Path is /closed/'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a page of another site may read answers once its origin is named', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=access`);
  await page.getByRole('switch', { name: 'Manage CORS at the edge' }).click();
  await page.getByLabel('Allowed origins').fill('https://app.example');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  const allowed = async () => {
    const { headers } = await world.fetchEdge(site.domain, '/', {
      headers: { origin: 'https://app.example' },
    });
    return headers['access-control-allow-origin'];
  };
  await expect.poll(allowed).toBe('https://app.example');
});

test('a rule asks where a visitor is and what lists name, tried before it is saved', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=access`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = rowOf(page, 'Rules', 2);
  await rule.getByRole('button', { name: 'More conditions' }).click();
  await rule.getByRole('button', { name: 'Apply to some requests only' }).click();
  const first = rule.getByRole('group', { name: 'Condition 1', exact: true });
  const choose = async (within: typeof first, option: string) => {
    await within.getByLabel('Field', { exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose(first, 'Country or region');
  await first.getByLabel('Values (one or more)').fill('China');
  const china = page.getByRole('option', { name: 'China (CN)', exact: true });
  expect(await china.locator('img').getAttribute('src')).toMatch(/\/CN\.svg$/);
  await china.click();
  await seen(first.getByRole('button', { name: 'China (CN)' }));
  await page.keyboard.press('Escape');
  await rule.getByRole('button', { name: 'Add condition' }).click();
  const second = rule.getByRole('group', { name: 'Condition 2', exact: true });
  await choose(second, 'Address list');
  await second.getByRole('button', { name: 'Negate condition 2' }).click();
  await second.getByLabel('Values (one or more)').click();
  await page.getByRole('option', { name: 'Office', exact: true }).click();
  await page.keyboard.press('Escape');
  await rule.getByRole('button', { name: 'Test a request' }).click();
  const result = rule.getByRole('status');
  const ip = rule.getByLabel('Client IP');
  await ip.fill('202.96.128.86');
  await seen(result.getByText('Matches', { exact: true }));
  await ip.fill('192.0.2.1');
  await seen(result.getByText('Does not match'));
  await page.getByRole('button', { name: 'Save' }).click();
  await live();
  expect(await status('/')).toBe(200);
  await page.reload();
  await seen(
    page.getByText('Country or region is China and Address list is not in Office', { exact: false }),
  );
  expect(visitor.scriptErrors).toEqual([]);
});
