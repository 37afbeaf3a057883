import { screens } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeNode,
  makeSite,
  readSetting,
  startWorld,
  unique,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { actOnRow, openSession, openShell } from './shell.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('a view is the same to whoever opens its address: filters, order and columns', async () => {
  const word = unique('view');
  for (const name of ['b', 'a']) await makeSite(world.admin, { domain: `${name}.${word}.example.com` });
  await makeSite(world.admin);
  const { page, context, close } = await openShell(world, { path: '/dashboard/site/list' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await seen(page.getByRole('button', { name: 'Filters' }));
  await page.keyboard.press('/');
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Updated', exact: true }).click();
  await page.getByRole('button', { name: 'Table settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Table settings' });
  await settings.getByRole('checkbox', { name: 'Show column: Status' }).uncheck();
  await settings.getByRole('button', { name: 'Copy link to this view' }).click();
  await seen(page.getByText('Link copied, with filters, sort order and columns'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const headers = () => page.getByRole('columnheader').allInnerTexts();
  await page.keyboard.press('Escape');
  await seen(page.getByRole('columnheader'));
  const shown = await headers();
  expect(shown).not.toContain('Status');
  await close();

  const other = await makeAdministrator(world, ['site.read']);
  const visitor = await openSession(world, { administrator: other });
  await visitor.page.goto(link);
  await expect.poll(() => visitor.page.getByRole('columnheader').allInnerTexts()).toEqual(shown);
  const rows = visitor.page.locator('[data-row] [data-column="domains"] a');
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual(['b', 'a'].map((name) => `${name}.${word}.example.com`));
  // The reader's own columns are as they were.
  await visitor.page.goto('/dashboard/site/list');
  await seen(visitor.page.getByRole('columnheader', { name: 'Status' }));
  await visitor.close();
});

test('a saved view has its columns, can be shared, and its removal is undone', async () => {
  const { page, context, close } = await openShell(world, { path: '/dashboard/site/list' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Table settings' }).click();
  await page.getByRole('checkbox', { name: 'Show column: Status' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('View name').fill('Short');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('button', { name: 'Table settings' }).click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.keyboard.press('Escape');
  await seen(page.getByRole('columnheader', { name: 'Status' }));
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Short', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Status' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Copy link: Short' }).click();
  await seen(page.getByText('Link copied'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('columns=');
  await page.getByRole('button', { name: 'Delete saved view: Short' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await seen(page.getByRole('button', { name: 'Short', exact: true }));
  await close();
});

test('two quick clicks are two pages on, and Back goes to each of them', async () => {
  const word = unique('paged');
  for (let n = 10; n < 35; n++) await world.admin.get('createArea', { body: { name: `${word}-${n}` } });
  const { page, close } = await openShell(world, {
    path: `/dashboard/node/area?name=${word}&page_size=10`,
  });
  await seen(page.getByText('1–10 of 25'));
  const answered = Promise.withResolvers<void>();
  await page.route('**/prod-api/area?*', async (route) => {
    await answered.promise;
    await route.continue().catch(() => undefined);
  });
  const next = page.getByRole('button', { name: 'Next page' });
  await next.click();
  await seen(page.getByText('11–20 of 25'));
  await next.click();
  await page.waitForURL(/current_page=3/);
  answered.resolve();
  await expect.poll(() => page.locator('[data-row]').count()).toBe(5);
  await seen(page.getByText('21–25 of 25'));
  await page.goBack();
  await seen(page.getByText('11–20 of 25'));
  await expect.poll(() => page.locator('[data-row]').count()).toBe(10);
  await page.goBack();
  await seen(page.getByText('1–10 of 25'));
  await close();
});

test('Enter opens the row that the keys moved to', async () => {
  const { id, domain } = await makeSite(world.admin);
  const { page, close } = await openShell(world, { path: `/dashboard/site/list?domain_name=${domain}` });
  await seen(page.getByRole('link', { name: domain }));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/sitedetail/${id}`));
  await close();
});

test('what was changed is changed back, within ten seconds, and not over what others did since', async () => {
  const name = unique('tag');
  const { id } = await world.admin.get('createTag', { body: { name, color: 'blue' } });
  const tag = async () => (await world.admin.get('getTag', { params: { id } })).name;
  const { page, close } = await openShell(world, { path: '/dashboard/site/tags' });
  const rename = async (to: string) => {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(to);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  };
  await rename(`${name}-2`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Undone'));
  expect(await tag()).toBe(name);
  await seen(page.getByRole('cell', { name, exact: true }));

  await rename(`${name}-3`);
  await seen(page.getByRole('button', { name: 'Undo' }));
  const { version } = await world.admin.get('getTag', { params: { id } });
  await world.admin.get('updateTag', { params: { id }, body: { name: `${name}-4`, color: 'blue', version } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Undo failed'));
  expect(await tag()).toBe(`${name}-4`);
  await close();
});

test('what is refused says in its title what failed, and below it why', async () => {
  const name = unique('area');
  const params = await world.admin.get('createArea', { body: { name } });
  const { page, close } = await openShell(world, { path: `/dashboard/node/area?name=${name}` });
  const act = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const alert = page.getByRole('dialog').getByRole('alert');
  await act('Delete');
  const body = { name: unique('node'), area_id: params.id, ip: '198.51.100.9' };
  const node = await world.admin.get('createNode', { body });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await seen(alert.getByText('Deletion failed'));
  await seen(alert.getByText('This is in use and cannot be deleted'));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await act('Edit');
  await page.getByRole('dialog').getByLabel('Name').fill(`${name}-2`);
  await world.admin.get('removeNode', { params: { id: node.id } });
  await world.admin.get('removeArea', { params });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(alert.getByText('Save failed'));
  await close();
});

test('switches are switched back: of an address of a node, and of a site', async () => {
  const node = await makeNode(world, { ip: '198.51.100.7' });
  await world.admin.get('createNodeIp', { body: { node_id: node.id, ip: '198.51.100.8' } });
  const site = await makeSite(world.admin);
  const { page, close } = await openShell(world, { path: `/dashboard/node/nodedetail/${node.id}` });
  const ips = () => world.admin.get('listNodeIps', { query: { node_id: node.id } });
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await seen(page.getByRole('button', { name: 'Undo' }));
  expect((await ips()).list.map(({ enabled }) => enabled)).toContain(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Undone'));
  expect((await ips()).list.map(({ enabled }) => enabled)).not.toContain(false);

  const status = async () => (await world.admin.get('getSite', { params: { id: site.id } })).status;
  await page.goto(`/dashboard/site/list?domain_name=${site.domain}`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Take offline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take offline' }).click();
  await seen(page.getByRole('button', { name: 'Undo' }));
  expect(await status()).toBe('offline');
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Undone'));
  expect(await status()).toBe('online');
  await close();
});

test('a section of a site is put back by the history of the site', async () => {
  const { id } = await makeSite(world.admin, { port: 8081 });
  const { page, close } = await openShell(world, { path: `/dashboard/site/sitedetail/${id}?tab=origin` });
  const port = async () =>
    (await world.admin.get('getOriginServerConfig', { query: { site_id: id } })).value.origins[0]!.http_port;
  await page.getByLabel('HTTP port').fill('8082');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('button', { name: 'Undo' }));
  expect(await port()).toBe(8082);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByLabel('HTTP port').inputValue()).toBe('8081');
  expect(await port()).toBe(8081);

  // What is done at once, without a form, too.
  const until = async () =>
    (await world.admin.get('getCacheRule', { query: { site_id: id } })).value.development_until;
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=cache`);
  await page.getByRole('button', { name: 'Turn on for 3 hours' }).click();
  await expect.poll(until).toBeDefined();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(until).toBeUndefined();
  await close();
});

test('a section of a site is not put back over what others changed since, however often', async () => {
  const { id } = await makeSite(world.admin, { port: 8081 });
  const { page, close } = await openShell(world, { path: `/dashboard/site/sitedetail/${id}?tab=origin` });
  const query = { site_id: id };
  const read = () => world.admin.get('getOriginServerConfig', { query });
  await page.getByLabel('HTTP port').fill('8082');
  await page.getByRole('button', { name: 'Save' }).click();
  // The message stays while the pointer is on it.
  await page.getByRole('button', { name: 'Undo' }).hover();
  const { value, version: first } = await read();
  for (let change = 0; change < 10; change++)
    await world.admin.get('updateOriginServerConfig', {
      query,
      body: { version: first + change, value: { ...value, tries: 4 + (change % 2) } },
    });
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(page.getByText('Someone else saved a newer version'));
  expect((await read()).version).toBe(first + 10);
  await close();
});

test('long texts give way before columns go out of sight', async () => {
  const customer = await makeCustomer(world);
  const domain = `${unique('a-rather-long-name-of-a-shop')}.department.example.com`;
  const { id } = await makeSite(customer.api, { domain });
  await world.admin.get('grantDomain', { params: { id }, body: { domain } });
  await customer.api.get('createSitePrefetch', { body: { urls: [`https://${domain}/picture.png`] } });
  const { page, close } = await openShell(world, {
    customer,
    width: 1280,
    path: '/dashboard/site/site_prefetch',
  });
  await seen(page.getByRole('table').getByRole('link', { name: `https://${domain}/picture.png` }));
  const hidden = () => page.locator('main .scroller').evaluate((box) => box.scrollWidth - box.clientWidth);
  await expect.poll(hidden).toBeLessThanOrEqual(1);
  await close();
});

test('forms of single things are undone too; where a secret was replaced, nothing offers that', async () => {
  const { page, close, complaints } = await openShell(world, { path: screens.ownAccount.path });
  const undone = async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await seen(page.getByText('Undone'));
  };
  const profile = async () => (await world.admin.get('currentAccount', {})).name;
  const before = await profile();
  await page.getByLabel('Name', { exact: true }).fill('Somebody');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect.poll(profile).toBe('Somebody');
  await undone();
  expect(await profile()).toBe(before);
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(before);

  await page.goto('/dashboard/node/elastic');
  const policy = () => readSetting(world, 'LogPolicy');
  const kept = await policy();
  await page.getByLabel('Statistics').fill(String(kept.rollup_days + 1));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(policy).toEqual({ ...kept, rollup_days: kept.rollup_days + 1 });
  await undone();
  expect(await policy()).toEqual(kept);

  const authority = await Authority.make(unique('authority'));
  const pair = await authority.issue(['www.example.com']);
  await authority.close();
  const name = unique('certificate');
  const sent = { name, group_name: 'Shops', certificate: pair.certificate, private_key: pair.key };
  const { id } = await world.admin.get('createCertificate', { body: sent });
  const certificate = () => world.admin.get('getCertificate', { params: { id } });
  await page.goto('/dashboard/site/certificate');
  await actOnRow(page, name, 'Rename or replace');
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Another name');
  await form.getByRole('combobox', { name: 'Group' }).fill('Others');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(certificate).toMatchObject({ name: 'Another name', group_name: 'Others' });
  await undone();
  expect(await certificate()).toMatchObject({ name, group_name: 'Shops' });

  const params = { url: 'http://127.0.0.1:9', api_key: 'first' };
  const account = { name: unique('account'), provider: 'powerdns' as const, params };
  const created = await world.admin.get('createDnsAccount', { body: account });
  const dnsAccount = () => world.admin.get('getDnsAccount', { params: { id: created.id } });
  await page.goto('/dashboard/site/dns_account');
  await actOnRow(page, account.name, 'Edit');
  await form.getByLabel('Name', { exact: true }).fill('Another account');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(dnsAccount).toMatchObject({ name: 'Another account' });
  await undone();
  expect(await dnsAccount()).toMatchObject({ name: account.name, params: { api_key_set: true } });

  await page.reload();
  await actOnRow(page, account.name, 'Edit');
  await form
    .getByRole('button', { name: /: API key$/ })
    .first()
    .click();
  await form.getByLabel('API key', { exact: true }).fill('second');
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Account saved'));
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
