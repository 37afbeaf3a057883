import { makeSite, readSetting, saveSetting, startWorld, unique, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/**
 * Two people at one thing: one in the browser, the other through the API. Nothing of either is lost in silence. With two browsers,
 * on every kind of form: `two-people-drawers.test.ts`, `two-people-pages.test.ts`.
 */

let world: World;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const save = (within: Pick<Page, 'getByRole'> = page) => within.getByRole('button', { name: 'Save' }).click();
const stale = 'Changed by someone else';

/** Holds the calls of a kind until it is let go. */
async function held(method: string, path: string): Promise<() => Promise<void>> {
  const free = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.resolve();
    await free.promise;
    await route.continue();
  });
  return async () => {
    await asked.promise;
    free.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

describe('the drawer of an entity', () => {
  const openDrawer = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    return page.getByRole('dialog');
  };

  test('is built on what is there when it opens, whatever the list was read before', async () => {
    const name = unique('Area');
    const params = await world.admin.get('createArea', { body: { name, description: 'old' } });
    await page.goto(`/dashboard/node/area?name=${name}`);
    await seen(page.getByRole('cell', { name: 'old' }));
    await world.admin.get('updateArea', { params, body: { name, description: 'theirs', version: 1 } });
    const drawer = await openDrawer(name);
    expect(await drawer.getByLabel('Description').inputValue()).toBe('theirs');
    await drawer.getByLabel('Name').fill(`${name} 2`);
    await save(drawer);
    await seen(page.getByText('Area saved'));
    expect(await world.admin.get('getArea', { params })).toMatchObject({ description: 'theirs', version: 3 });
  });

  test('asks before Back and a reload take away what was entered', async () => {
    const name = unique('Area');
    await world.admin.get('createArea', { body: { name } });
    await page.goto('/dashboard/node/node');
    await page.getByRole('link', { name: 'Areas', exact: true }).first().click();
    const drawer = await openDrawer(name);
    await drawer.getByLabel('Name').fill('mine');
    await page.goBack();
    await page
      .getByRole('dialog', { name: 'Discard unsaved changes?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    expect(await drawer.getByLabel('Name').inputValue()).toBe('mine');
    const asked = page.waitForEvent('dialog');
    void page.reload().catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await drawer.getByLabel('Name').inputValue()).toBe('mine');
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
  });
});

describe('a setting', () => {
  const field = (label: string) => page.getByRole('spinbutton', { name: label, exact: true });
  const form = () => page.locator('form', { has: field('Operation log') });

  test('is read anew when one comes back to it, and keeps what is typed while it is saved', async () => {
    await page.goto('/dashboard/system/setting');
    await field('Operation log').waitFor();
    await page.getByRole('link', { name: 'Areas', exact: true }).first().click();
    await seen(page.getByRole('heading', { name: 'Areas', exact: true }));
    await saveSetting(world, 'Retention', { ...(await readSetting(world, 'Retention')), task_days: 51 });
    await page.goBack();
    await field('Operation log').waitFor();
    expect(await field('Tasks and sub-tasks').inputValue()).toBe('51');

    await field('Operation log').fill('61');
    const release = await held('PUT', '**/prod-api/setting/retention');
    await save(form());
    await field('Tasks and sub-tasks').fill('52');
    await release();
    await seen(page.getByText('Settings saved'));
    expect(await readSetting(world, 'Retention')).toMatchObject({ operation_log_days: 61, task_days: 51 });
    expect(await field('Tasks and sub-tasks').inputValue()).toBe('52');
    await save(form());
    await expect.poll(async () => (await readSetting(world, 'Retention')).task_days).toBe(52);
  });

  test('that both changed shows both, and has what is chosen', async () => {
    await page.goto('/dashboard/system/setting');
    await field('Operation log').fill('71');
    const before = await readSetting(world, 'Retention');
    await saveSetting(world, 'Retention', { ...before, operation_log_days: 72, task_days: 53 });
    await save(form());
    await seen(form().getByText(stale));
    await form().getByRole('radio', { name: 'Theirs: 72' }).click();
    expect(await field('Operation log').inputValue()).toBe('72');
    await form().getByRole('radio', { name: 'Yours: 71' }).click();
    await save(form());
    await seen(page.getByText('Settings saved'));
    expect(await readSetting(world, 'Retention')).toMatchObject({ operation_log_days: 71, task_days: 53 });
  });
});

test('a list of addresses has the lines of both', async () => {
  const name = unique('list');
  const params = await world.admin.get('createAddressList', {
    body: { name, content: '192.0.2.1\n192.0.2.2' },
  });
  await page.goto(`/dashboard/site/address_list?name=${name}`);
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Addresses' }).fill('192.0.2.1\n192.0.2.2\n192.0.2.9');
  const body = { name, content: '192.0.2.2\n192.0.2.3', version: 1 };
  await world.admin.get('updateAddressList', { params, body });
  await save(drawer);
  await seen(drawer.getByText(stale));
  await save(drawer);
  await seen(page.getByText('List saved'));
  const { content } = await world.admin.get('getAddressList', { params });
  expect(content.split('\n').toSorted()).toEqual(['192.0.2.2', '192.0.2.3', '192.0.2.9']);
});

describe('a section with rules', () => {
  const rule = (note: string) => ({ action: 'deny' as const, empty_agent: true, note });
  const configOf = (id: number) => world.admin.get('getAccessControl', { query: { site_id: id } });
  const change = async (id: number, rules: ReturnType<typeof rule>[]) => {
    const { version, value } = await configOf(id);
    await world.admin.get('updateAccessControl', {
      query: { site_id: id },
      body: { version, value: { ...value, rules } },
    });
  };

  test('has a rule that one adds and what the other sets, after leaving and coming back too', async () => {
    const { id } = await makeSite(world.admin);
    await page.goto(`/dashboard/site/sitedetail/${id}?tab=access`);
    await page.getByLabel('Block page', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Origin' }).click();
    await change(id, [rule('before'), rule('second')]);
    await page.goBack();
    await seen(page.getByText('before'));
    await page.getByLabel('Block status code').click();
    await page.getByRole('option', { name: '404' }).click();
    await change(id, [rule('before'), rule('between'), rule('second')]);
    await save();
    await seen(page.getByText(stale));
    await seen(page.getByText(/^Access rule added: .*between/));
    await save();
    await expect
      .poll(async () => (await configOf(id)).value)
      .toMatchObject({
        deny: { status: 404 },
        rules: [{ note: 'before' }, { note: 'between' }, { note: 'second' }],
      });
  });

  test('is saved over changes of other sections without a question', async () => {
    const { id } = await makeSite(world.admin);
    await page.goto(`/dashboard/site/sitedetail/${id}?tab=access`);
    await page.getByLabel('Block status code').click();
    await page.getByRole('option', { name: '404' }).click();
    await world.admin.get('updateSiteSecurity', {
      query: { site_id: id },
      body: { version: 1, value: { connections: 3 } },
    });
    await save();
    await expect.poll(async () => (await configOf(id)).value.deny.status).toBe(404);
    expect(await page.getByText(stale).count()).toBe(0);
    const { value } = await world.admin.get('getSiteSecurity', { query: { site_id: id } });
    expect(value.connections).toBe(3);
    expect(visitor.scriptErrors).toEqual([]);
  });
});
