import {
  makeCustomer,
  makeSite,
  saveSetting,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { certificateStep } from '../apps/server/src/db/schema.ts';
import { actOnRow, openShell } from './shell.ts';

/** Selects of what there are more of than one read brings: found by the server, and called by its name. */

/** One read of a list brings 200 at most. */
const many = 205;
const word = unique('zone');
const nameOf = (n: number) => `${word} ${String(n).padStart(3, '0')}`;
let world: World;
/** The last by name, which no first page has. */
let last: { lineGroup: number; area: number; tag: number };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const make = async (name: 'createLineGroup' | 'createArea') => {
    let id = 0;
    for (let n = 1; n <= many; n += 1) ({ id } = await world.admin.get(name, { body: { name: nameOf(n) } }));
    return id;
  };
  last = { lineGroup: await make('createLineGroup'), area: await make('createArea'), tag: 0 };
  // Of one owner there are 200 at most; an administrator chooses from those of all.
  for (const owner of [await makeCustomer(world), await makeCustomer(world)])
    for (let n = 1; n <= 101; n += 1)
      ({ id: last.tag } = await owner.api.get('createTag', { body: { name: nameOf(n), color: 'red' } }));
}, 120_000);
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the last of 205 is found by its name, chosen, and shown by its name where it is edited', async () => {
  const { page, close, complaints } = await openShell(world, { path: '/dashboard/product/product' });
  await page.getByRole('button', { name: 'Add product' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Add product' });
  const name = unique('Plan');
  await drawer.getByLabel('Name', { exact: true }).fill(name);
  const select = drawer.getByRole('combobox', { name: 'Line group' });
  await select.fill(nameOf(many));
  await page.getByRole('option', { name: nameOf(many) }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  const made = (await world.admin.get('listProducts', { query: { name } })).list[0]!;
  expect(made.line_group_id).toBe(last.lineGroup);

  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit product' });
  await expect.poll(() => edit.getByRole('combobox', { name: 'Line group' }).inputValue()).toBe(nameOf(many));
  expect(complaints).toEqual([]);
  await close();
});

test('filters of an address are called by name, each read once, and what is gone says so', async () => {
  const asked: string[] = [];
  const { page, close } = await openShell(world);
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/\/(?:area|line_group)$/.test(pathname)) asked.push(pathname + search);
  });
  await page.goto(`/dashboard/node/node?area_id=${last.area}&line_group_id=999999`);
  await seen(page.getByRole('button', { name: `Remove filter: Area (${nameOf(many)})` }));
  await seen(page.getByRole('button', { name: /Remove filter: Line group \(#999999.+\)/ }));
  expect(asked.filter((each) => each.includes('ids='))).toHaveLength(2);
  await close();
});

test('sites are found by a tag that no first page has', async () => {
  const owner = await makeCustomer(world);
  const tag = await owner.api.get('createTag', { body: { name: `${word} the very last`, color: 'blue' } });
  const site = await makeSite(owner.api);
  await makeSite(owner.api);
  await owner.api.get('tagSites', { body: { sites: { site_ids: [site.id] }, add: [tag.id] } });
  const { page, close } = await openShell(world, { path: '/dashboard/site/list' });
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('very last');
  await page.getByRole('option', { name: /the very last/ }).click();
  await page.waitForURL(new RegExp(`tags_id=${tag.id}`));
  await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  await seen(page.getByRole('row').filter({ hasText: site.domain }));
  await close();
});

/** What a customer has many of, and what is chosen for their certificates. */
async function manyOfCertificates(owner: Customer) {
  const { admin } = world;
  const authorities: number[] = [];
  const dnsAccounts: number[] = [];
  for (let n = 1; n <= many; n += 1) {
    const body = { name: nameOf(n), directory: 'lets_encrypt', terms_agreed: true } as const;
    authorities.push((await admin.get('createAcmeAccount', { body })).id);
  }
  // Of one owner there are 100 at most; an administrator's list has the platform's first.
  const params = { url: 'http://127.0.0.1:9', api_key: 'k' };
  for (const { api } of [{ api: admin }, await makeCustomer(world), owner])
    for (let n = 1; n <= 70; n += 1) {
      const name = nameOf(dnsAccounts.length + 1);
      const body = { name, provider: 'powerdns', params } as const;
      dnsAccounts.push((await api.get('createDnsAccount', { body })).id);
    }
  return { authority: authorities.at(-1)!, dnsAccount: dnsAccounts.at(-1)! };
}

test('a certificate is obtained, and a site has its own, by the last of 205 authorities and of 210 DNS accounts', async () => {
  const owner = await makeCustomer(world);
  const { authority, dnsAccount } = await manyOfCertificates(owner);
  await saveSetting(world, 'SiteSetting', { site_check: false });
  const zone = `${word}.example.com`.replace(' ', '-');
  const domainOf = (n: number) => `s${String(n).padStart(3, '0')}.${zone}`;
  // The newest come first: it is the oldest that no first page has.
  const site = await makeSite(owner.api, { domain: domainOf(1) });
  for (let n = 2; n <= many; n += 1) await makeSite(owner.api, { domain: domainOf(n) });

  const path = `/dashboard/site/certificate_order?client_id=${owner.id}`;
  const { page, close, complaints } = await openShell(world, { path });
  await page.getByRole('button', { name: 'Obtain certificate' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Obtain certificate' });
  await drawer.getByLabel('Name', { exact: true }).fill('By search');
  await drawer.getByRole('combobox', { name: 'Domains' }).fill('s001');
  await page.getByRole('option', { name: site.domain }).click();
  await drawer.getByRole('combobox', { name: 'Certificate account' }).fill(nameOf(many));
  await page.getByRole('option', { name: nameOf(many) }).click();
  await drawer.getByRole('combobox', { name: 'Validation' }).click();
  await page.getByRole('option', { name: 'DNS (TXT record)' }).click();
  await drawer.getByRole('combobox', { name: 'DNS account' }).fill(nameOf(210));
  await page.getByRole('option', { name: nameOf(210) }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  const { list } = await owner.api.get('listCertificateOrders', { query: {} });
  expect(list).toMatchObject([
    { domains: [site.domain], acme_account_id: authority, dns_account_id: dnsAccount },
  ]);

  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await page.getByRole('switch', { name: 'Obtain certificates automatically' }).click();
  await page.getByRole('combobox', { name: 'Certificate account' }).fill(nameOf(many));
  await page.getByRole('option', { name: nameOf(many) }).click();
  await page.getByRole('combobox', { name: 'DNS account' }).fill(nameOf(210));
  await page.getByRole('option', { name: nameOf(210) }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => world.admin.get('getCertificateSettings', { query: { site_id: site.id } }))
    .toMatchObject({ value: { auto_acme_account_id: authority, auto_dns_account_id: dnsAccount } });
  expect(complaints).toEqual([]);
  await close();

  await stepsByPages(list[0]!.id);
});

/** The timeline of an order is counted by the server, and none of it is out of reach. */
async function stepsByPages(orderId: number) {
  const { db } = world.server.services;
  await db.delete(certificateStep);
  const steps = Array.from({ length: many }, (_, n) => ({
    orderId,
    kind: 'checked' as const,
    detail: nameOf(n + 1),
    facts: {},
  }));
  await db.insert(certificateStep).values(steps);
  const { page, close } = await openShell(world, { path: '/dashboard/site/certificate_order' });
  await actOnRow(page, 'By search', 'Timeline');
  const timeline = page.getByRole('dialog', { name: /Timeline$/ });
  await seen(timeline.getByText(`1–50 of ${many}`));
  await seen(timeline.getByText(nameOf(many)));
  for (let n = 1; n < 5; n += 1) await timeline.getByRole('button', { name: 'Next page' }).click();
  await seen(timeline.getByText(nameOf(1)));
  await close();
}

test('the last of 205 groups of certificates is found: as a filter, and for a certificate', async () => {
  const authority = await Authority.make(word);
  const pair = await authority.issue(['www.example.com']);
  await authority.close();
  const body = { certificate: pair.certificate, private_key: pair.key };
  for (let n = 1; n <= many; n += 1)
    await world.admin.get('createCertificate', { body: { ...body, name: nameOf(n), group_name: nameOf(n) } });
  const single = await world.admin.get('createCertificate', { body: { ...body, name: `${word} alone` } });

  const { page, close, complaints } = await openShell(world, { path: '/dashboard/site/certificate' });
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Group' }).fill(`${word} 2`);
  await page.getByRole('option', { name: nameOf(many) }).click();
  await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  await seen(page.getByRole('link', { name: nameOf(many) }));
  await page.getByRole('button', { name: `Remove filter: Group (${nameOf(many)})` }).click();

  await page.goto(`/dashboard/site/certificate?name=${encodeURIComponent(`${word} alone`)}`);
  await actOnRow(page, `${word} alone`, 'Rename or replace');
  const drawer = page.getByRole('dialog', { name: 'Rename or replace certificate' });
  await drawer.getByRole('combobox', { name: 'Group' }).fill('205');
  await page.getByRole('option', { name: nameOf(many) }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  const params = { id: single.id };
  expect((await world.admin.get('getCertificate', { params })).group_name).toBe(nameOf(many));
  expect(complaints).toEqual([]);
  await close();
});

test('rules come from the last of 205 templates', async () => {
  const rules = [{ action: 'block' as const, note: 'of the last' }];
  for (let n = 1; n <= many; n += 1)
    await world.admin.get('createWafMatcher', { body: { name: nameOf(n), rules: n === many ? rules : [] } });
  const site = await makeSite(world.admin);
  const { page, close, complaints } = await openShell(world, {
    path: `/dashboard/site/sitedetail/${site.id}?tab=matchers`,
  });
  await page.getByRole('button', { name: 'Add from template' }).click();
  await page.getByRole('combobox', { name: 'Template' }).fill(nameOf(many));
  await page.getByRole('option', { name: nameOf(many) }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => world.admin.get('getMatcherRule', { params: { id: site.id } }))
    .toMatchObject({ value: { rules } });
  expect(complaints).toEqual([]);
  await close();
});
