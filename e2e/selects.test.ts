import { makeCustomer, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

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
