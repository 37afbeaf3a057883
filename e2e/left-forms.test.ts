import { makeCustomer, startWorld, unique, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, signIn, type Visitor } from './browser.ts';
import { openSession, openShell } from './shell.ts';

/** Forms that are left while they are being saved, or whose session or object is gone by then: nothing is lost unheard. */

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

const discarding = () => page.getByRole('dialog', { name: 'Discard unsaved changes?' });
const drawer = () => page.getByRole('dialog', { name: 'Edit area' });

/** The drawer of a new area with another name in it, opened after the nodes were looked at. */
async function openDrawer(entered: string) {
  const name = unique('Area');
  const params = await world.admin.get('createArea', { body: { name } });
  await page.goto('/dashboard/node/node');
  await page.getByRole('link', { name: 'Areas', exact: true }).first().click();
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await drawer().getByLabel('Name').fill(entered);
  return { params, name };
}

/** Presses save, and holds the call until it is let go. */
async function saveHeld(): Promise<() => Promise<void>> {
  const free = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route('**/prod-api/area/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    asked.resolve();
    await free.promise;
    await route.continue();
  });
  await drawer().getByRole('button', { name: 'Save' }).click();
  await asked.promise;
  return async () => {
    free.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

test('Back during a save waits for it, and leaves once it is saved', async () => {
  const entered = unique('Area');
  const { params } = await openDrawer(entered);
  const release = await saveHeld();
  await page.goBack();
  expect(await drawer().getByLabel('Name').inputValue()).toBe(entered);
  await release();
  await seen(page.getByText('Area saved'));
  await seen(page.getByRole('heading', { name: 'Nodes', exact: true }));
  expect(await discarding().count()).toBe(0);
  expect(await world.admin.get('getArea', { params })).toMatchObject({ name: entered });
});

test('Back during a save that is refused asks first, and what was entered is there with the reason', async () => {
  const taken = unique('Area');
  await world.admin.get('createArea', { body: { name: taken } });
  await openDrawer(taken);
  const release = await saveHeld();
  await page.goBack();
  await release();
  await discarding().getByRole('button', { name: 'Cancel' }).click();
  expect(await drawer().getByLabel('Name').inputValue()).toBe(taken);
  await seen(drawer().getByText('This name is taken').first());
  await page.waitForURL(/\/node\/area/);
});

test('a drawer stays until its save is answered', async () => {
  const entered = unique('Area');
  await openDrawer(entered);
  const release = await saveHeld();
  await page.keyboard.press('Escape');
  expect(await drawer().getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  expect(await discarding().count()).toBe(0);
  await release();
  await seen(page.getByText('Area saved'));
  await drawer().waitFor({ state: 'detached' });
});

test('what somebody else deleted meanwhile is not saved, which is said over what was entered', async () => {
  const { params } = await openDrawer('mine');
  await world.admin.get('removeArea', { params });
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(drawer().getByText('Save failed'));
  expect(await drawer().getByLabel('Name').inputValue()).toBe('mine');
  await drawer().getByRole('button', { name: 'Cancel' }).click();
  await discarding().getByRole('button', { name: 'Leave' }).click();
});

test('signing out asks before it takes away what was entered', async () => {
  await page.goto('/dashboard/system/setting');
  await page.getByRole('spinbutton', { name: 'Operation log', exact: true }).fill('77');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await discarding().getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('spinbutton', { name: 'Operation log', exact: true }).inputValue()).toBe('77');
});

test('a session that ends during a save is renewed beside it, and what was entered is saved', async () => {
  const customer = await makeCustomer(world);
  const own = await openShell(world, { customer, path: '/dashboard/site/tags' });
  const name = unique('tag');
  await own.page.getByRole('button', { name: 'Add tag' }).first().click();
  const form = own.page.getByRole('dialog', { name: 'Add tag' });
  await form.getByLabel('Name').fill(name);
  const password = 'another password';
  await world.admin.get('changeClientPassword', { params: { id: customer.id }, body: { password } });
  await form.getByRole('button', { name: 'Save' }).click();
  const said = own.page.getByRole('alertdialog', { name: 'You are signed out' });
  const opened = own.context.waitForEvent('page');
  await said.getByRole('link', { name: 'Sign in again' }).click();
  const other = await opened;
  await signIn(other, customer.email, password);
  await said.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Name').inputValue()).toBe(name);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await seen(own.page.getByRole('cell', { name }));
  expect(own.scriptErrors).toEqual([]);
  await own.close();
});
