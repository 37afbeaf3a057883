import { makeSite, saveRefusedRules, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

async function switchLanguage(from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: from }).click();
  await page.getByRole('menuitem', { name: to }).click();
}

test('what cannot be a domain or an origin is told at its field, in both languages', async () => {
  await page.goto('/dashboard/site/create');
  await page.getByLabel('Domains').fill('not_a_domain');
  await page.getByLabel('Origin address').fill('no such host!');
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByText('Enter a valid domain, such as www.example.com'));
  await seen(page.getByText('Enter a valid IP address or hostname'));

  await switchLanguage('Language', '简体中文');
  await seen(page.getByText('请输入有效的域名，例如 www.example.com'));
  await seen(page.getByText('请输入有效的 IP 地址或主机名'));
  await switchLanguage('语言', 'English');
});

test('what the server refuses is told at its field, and nothing entered is lost', async () => {
  const { domain } = await makeSite(world.admin);
  await page.goto('/dashboard/site/create');
  await page.getByLabel('Domains').fill(domain);
  await page.getByLabel('Origin address').fill('203.0.113.10');
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByText('Another site already uses this domain'));
  expect(await page.getByLabel('Origin address').inputValue()).toBe('203.0.113.10');
  await seen(page.getByText(domain));
});

test('a pasted list of domains is one site with all of them', async () => {
  const word = unique('pasted');
  const names = Array.from({ length: 12 }, (_, n) => `www${n}.${word}.example.com`);
  await page.goto('/dashboard/site/create');
  await page.getByLabel('Domains').click();
  // As they come from a spreadsheet, one a line.
  await page.keyboard.insertText(names.join('\n'));
  await page.getByLabel('Origin address').fill('203.0.113.10');
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await page.waitForURL(/\/sitedetail\/\d+/);
  // The form is gone with what it made: no tab leads to it, and nor does Back.
  const tabs = page.getByRole('navigation', { name: 'Open pages' });
  await seen(tabs.getByRole('link', { name: names[0]! }));
  expect(await tabs.getByRole('link', { name: 'Add site' }).count()).toBe(0);
  const { list } = await world.admin.get('listSites', { query: { domain_name: word } });
  expect(list.map(({ domains }) => domains.toSorted())).toEqual([names.toSorted()]);
});

test('leaving with unsaved changes asks first', async () => {
  await page.goto('/dashboard/site/create');
  await page.getByLabel('Origin address').fill('203.0.113.10');
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await seen(page.getByRole('dialog').getByText('Discard unsaved changes?'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Origin address').inputValue()).toBe('203.0.113.10');
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/\/dashboard\/site\/list/);
});

test('a change shows its diff, and a rollback brings back what was', async () => {
  const { id } = await makeSite(world.admin, { port: 8081 });
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=origin`);
  await page.getByLabel('HTTP port').fill('8082');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: /Version 2/ }).click();
  await seen(page.getByText(/8081 → 8082/));

  await page.getByRole('button', { name: /Version 1/ }).click();
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back to this version' }).click();
  await seen(page.getByRole('button', { name: /Version 3/ }));
  await page.getByRole('tab', { name: 'Origin', exact: true }).click();
  await waitFor(
    'the port of version 1',
    async () => (await page.getByLabel('HTTP port').inputValue()) === '8081',
  );
});

test('a save on an older version is told so, and keeps what was entered', async () => {
  const { id } = await makeSite(world.admin, { port: 8081 });
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=origin`);
  await page.getByLabel('Host header').fill('mine.example.com');

  const { version, value } = await world.admin.get('getOriginServerConfig', { query: { site_id: id } });
  await world.admin.get('updateOriginServerConfig', {
    query: { site_id: id },
    body: { version, value: { ...value, tries: 7 } },
  });

  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Changed by someone else'));
  await waitFor(
    'the newer value',
    async () => (await page.getByLabel('Max origins to try').inputValue()) === '7',
  );
  expect(await page.getByLabel('Host header').inputValue()).toBe('mine.example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  const saved = await world.admin.get('getOriginServerConfig', { query: { site_id: id } });
  expect(saved.value).toMatchObject({ tries: 7, host: 'mine.example.com' });
});

test('a site is deleted only after its name was typed', async () => {
  const domain = `${unique('gone')}.example.com`;
  await makeSite(world.admin, { domain });
  await page.goto(`/dashboard/site/list?domain_name=${domain}`);
  await page.getByRole('button', { name: `Actions for ${domain}` }).click();
  await page.getByRole('menuitem', { name: 'Delete site' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete site' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel(`Type ${domain} to confirm`).fill(domain);
  await confirm.click();
  await seen(page.getByText('No results match these filters'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('a node that refuses a change says why, and turns green with the next good one', async () => {
  const { id } = await makeSite(world.admin);
  const query = { site_id: id };
  await saveRefusedRules(world, id);
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=delivery`);
  await seen(page.getByText('Rejected by a node'));
  await seen(page.getByText(/the regular expression does not compile/));
  await world.admin.get('updateCacheRule', { query, body: { version: 2, value: { rules: [] } } });
  const document = page.getByRole('region', { name: 'Site configuration' });
  await seen(document.getByRole('row').getByText('Live'));
  expect(await page.getByText(/the regular expression does not compile/).count()).toBe(0);
});

test('a site is sent again under a new revision, when that is asked for', async () => {
  const { id } = await makeSite(world.admin);
  const read = async () => {
    const { documents } = await world.admin.get('getSiteDelivery', { params: { id } });
    const { desired_revision, nodes } = documents.find(({ kind }) => kind === 'site')!;
    return { wanted: desired_revision, has: nodes[0]!.active_revision };
  };
  const before = (await read()).wanted;
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=delivery`);
  await page.getByRole('button', { name: 'Redeploy', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Redeploy' }).click();
  await seen(page.getByText('Live on all nodes'));
  const after = await read();
  expect(after.wanted).toBeGreaterThan(before);
  expect(after.has).toBe(after.wanted);
});

test('a picker finds what its first page does not hold, and the address keeps the choice', async () => {
  const wanted = await makeSite(world.admin, { domain: 'wanted-by-name.example.com' });
  for (let index = 0; index < 21; index++)
    await makeSite(world.admin, { domain: `later${index}.example.com` });
  await page.goto('/dashboard/statistics/monitor');
  const picker = page.getByRole('combobox', { name: 'Site' });
  await picker.fill('wanted-by');
  await page.getByRole('option', { name: 'wanted-by-name.example.com' }).click();
  await page.waitForURL((url) => url.searchParams.get('site_id') === String(wanted.id));
  await page.reload();
  await expect.poll(() => picker.inputValue()).toBe('wanted-by-name.example.com');
});

test('a tab is found by what is on it, at any width, and a form on it stays when the window is turned', async () => {
  const { id } = await makeSite(world.admin, { domain: `${unique('finder')}.example.com` });
  await page.goto(`/dashboard/site/sitedetail/${id}`);
  await page.setViewportSize({ width: 900, height: 1000 });
  const finder = page.getByRole('combobox', { name: 'Page', exact: true });
  await finder.click();
  await finder.fill('load balancing');
  await page.getByRole('option', { name: 'Origin', exact: true }).click();
  await page.waitForURL(/tab=origin/);
  await page.getByLabel('Host header').fill('inner.example.com');

  await page.setViewportSize({ width: 1440, height: 900 });
  await seen(page.getByRole('tab', { name: 'Origin', exact: true, selected: true }));
  expect(await page.getByLabel('Host header').inputValue()).toBe('inner.example.com');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => page.getByLabel('Host header').inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'Find a setting' }).fill('gzip');
  await page.getByRole('option', { name: 'Compression and preload' }).click();
  await seen(page.getByRole('tab', { name: 'Compression and preload', selected: true }));
  expect(visitor.scriptErrors).toEqual([]);
});
