import { screens } from '@breakwater/contract';
import { makeAdministrator, startWorld, unique, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn } from './browser.ts';
import { openShell } from './shell.ts';

/** Administrators, their groups, and what a group shows and hides. */

let world: World;
let page: Page;
const path = screens.adminUsers.path;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  ({ page } = await openShell(world, { path }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const drawer = () => page.getByRole('dialog');
const subject = (name: string) => drawer().getByRole('group', { name, exact: true });
async function chooseAction(row: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a group is made of check boxes, and an administrator of it sees what it holds', async () => {
  await page.getByRole('tab', { name: 'Permission groups' }).click();
  await page.getByRole('button', { name: 'Add permission group' }).click();
  await drawer().getByLabel('Name', { exact: true }).fill('Night shift');
  // To change areas without seeing them leads nowhere.
  await subject('Areas').getByRole('checkbox', { name: 'Add, edit and delete' }).check();
  await expect.poll(() => subject('Areas').getByRole('checkbox', { name: 'View' }).isChecked()).toBe(true);
  await subject('Site tags').getByRole('checkbox', { name: 'View' }).check();
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Permission group saved'));
  const { list } = await world.admin.get('listAdminGroups', { query: {} });
  expect(list.find(({ name }) => name === 'Night shift')?.permissions).toEqual([
    'tag.read',
    'area.read',
    'area.write',
  ]);

  await page.getByRole('tab', { name: 'Administrators' }).click();
  await page.getByRole('button', { name: 'Add administrator' }).click();
  await drawer().getByLabel('Username').fill('nora');
  await drawer().getByLabel('Password').fill('a long password');
  await drawer().getByLabel('Permission group').click();
  await page.getByRole('option', { name: 'Night shift' }).click();
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Administrator saved'));

  const nora = await openConsole(world.adminUrl);
  await signIn(nora.page, 'nora', 'a long password');
  await seen(nora.page.getByText('Start from the menu'));
  const menu = nora.page.getByRole('navigation', { name: 'Main navigation' });
  await seen(menu.getByRole('link', { name: 'Site tags' }));
  expect(await menu.getByRole('link', { name: /^(Sites|Customers|Settings|Tasks)$/ }).count()).toBe(0);
  await nora.page.goto(screens.areas.path);
  await seen(nora.page.getByRole('button', { name: 'Add area' }));
  await nora.page.goto(screens.clients.path);
  await seen(nora.page.getByRole('heading', { name: 'Page not found' }));
  expect(new URL(nora.page.url()).pathname).toBe(screens.clients.path);
  expect(nora.scriptErrors).toEqual([]);
  await nora.close();
});

test('what whoever grants does not hold is off, and says why', async () => {
  const manager = await makeAdministrator(world, [
    'area.read',
    'admin_user.read',
    'admin_user.write',
    'admin_user.group',
  ]);
  const visitor = await openShell(world, { path: `${path}?tab=groups`, administrator: manager });
  await visitor.page.getByRole('button', { name: 'Add permission group' }).click();
  const areas = visitor.page.getByRole('dialog').getByRole('group', { name: 'Areas', exact: true });
  const write = areas.getByRole('checkbox', { name: 'Add, edit and delete' });
  await write.waitFor();
  expect(await write.isDisabled()).toBe(true);
  await areas.getByText('Add, edit and delete').hover({ force: true });
  await seen(
    visitor.page.getByRole('tooltip', { name: 'You do not have this permission, so you cannot grant it' }),
  );
  // The keyboard comes by it, hears why, and changes nothing.
  await areas.getByRole('checkbox', { name: 'View' }).focus();
  await visitor.page.keyboard.press('Tab');
  expect(await write.evaluate((box) => box === document.activeElement)).toBe(true);
  const described = await write.getAttribute('aria-describedby');
  expect(await visitor.page.locator(`[id="${described}"]`).textContent()).toContain('you cannot grant it');
  await visitor.page.keyboard.press('Space');
  expect(await write.isChecked()).toBe(false);
  await areas.getByRole('checkbox', { name: 'View' }).check();
  await visitor.page.keyboard.press('Escape');
  await visitor.close();
});

test('whoever loses a permission is told, and sees the rest from then on', async () => {
  const one = await makeAdministrator(world, ['area.read', 'area.write', 'tag.read']);
  const visitor = await openShell(world, { path: screens.areas.path, administrator: one });
  await visitor.page.getByRole('button', { name: 'Add area' }).first().click();
  await visitor.page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('North');
  const { name, version } = await world.admin.get('getAdminGroup', { params: { id: one.groupId } });
  await world.admin.get('updateAdminGroup', {
    params: { id: one.groupId },
    body: { name: name!, permissions: ['area.read'], version },
  });
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  // The button behind the drawer has it as its reason by then.
  await seen(visitor.page.getByText('You do not have permission to do this').filter({ visible: true }));
  const menu = visitor.page.locator('nav', { hasText: 'Home' });
  await expect.poll(() => menu.getByText('Site tags').count()).toBe(0);
  await visitor.close();
});

test('what the server refuses is told where it was asked', async () => {
  await page.goto(path);
  await chooseAction('admin', 'Edit');
  await drawer().getByLabel('Enabled').uncheck();
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(drawer().getByText('At least one enabled administrator must have all permissions'));
  await page.goto(path);
});

test('a shipped group is renamed, copied, and deleted once nobody is in it', async () => {
  await page.goto(`${path}?tab=groups`);
  await chooseAction('Support', 'Copy');
  expect(await drawer().getByLabel('Name', { exact: true }).inputValue()).toBe('Support (copy)');
  const name = unique('Support');
  await drawer().getByLabel('Name', { exact: true }).fill(name);
  await drawer().getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('row', { name: new RegExp(name) }));
  await chooseAction(name, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await seen(page.getByText('Permission group deleted'));
});
