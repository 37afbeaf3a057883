import { screens } from '@breakwater/contract';
import { startWorld, unique, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** The form of an entity that somebody else changes in the meantime. */

let world: World;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  ({ page } = await openShell(world, { path: screens.areas.path }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('a save over what somebody else saved shows both where both changed it, and is saved on the newest', async () => {
  const [name, renamed] = [unique('Area'), unique('Area')];
  const params = await world.admin.get('createArea', { body: { name } });
  await page.reload();
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill(renamed);
  await world.admin.get('updateArea', {
    params,
    body: { name, description: 'by somebody else', version: 1 },
  });

  const save = drawer.getByRole('button', { name: 'Save' });
  await save.click();
  await seen(drawer.getByText('Changed by someone else'));
  // The description had followed the name: both sides changed it.
  const description = drawer.getByRole('textbox', { name: 'Description' });
  expect(await description.inputValue()).toBe(renamed);
  await drawer.getByRole('radio', { name: 'Theirs: by somebody else' }).click();
  expect(await description.inputValue()).toBe('by somebody else');
  expect(await drawer.getByLabel('Name').inputValue()).toBe(renamed);
  await save.click();
  await seen(page.getByText('Area saved'));
  const area = await world.admin.get('getArea', { params });
  expect(area).toMatchObject({ name: renamed, description: 'by somebody else', version: 3 });
});

test('a description is filled with the name until it says something else, and is not emptied', async () => {
  const name = unique('Area');
  await page.getByRole('button', { name: 'Add area' }).click();
  const drawer = page.getByRole('dialog');
  const description = drawer.getByLabel('Description');
  await drawer.getByLabel('Name').fill('North');
  expect(await description.inputValue()).toBe('North');
  await drawer.getByLabel('Name').fill(name);
  expect(await description.inputValue()).toBe(name);
  await description.fill('');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(drawer.getByText('This field is required'));
  await description.fill('Up there');
  await drawer.getByLabel('Name').fill(`${name} 2`);
  expect(await description.inputValue()).toBe('Up there');
  await drawer.getByRole('button', { name: 'Save' }).click();
  // That something was saved still stands there from the test before.
  await drawer.waitFor({ state: 'detached' });
  const { list } = await world.admin.get('listAreas', { query: { name } });
  expect(list).toMatchObject([{ name: `${name} 2`, description: 'Up there' }]);
});
