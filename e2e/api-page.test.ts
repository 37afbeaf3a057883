import { startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen } from './browser.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('the API page speaks both languages, shows a call in three, and sends it with the reader’s own token', async () => {
  const { token } = await world.admin.get('signInAdmin', {
    body: { username: 'admin', password: world.adminPassword },
  });
  const { page, close, scriptErrors } = await openConsole(world.adminUrl);
  await page.goto('/docs');
  await seen(page.getByRole('searchbox', { name: 'Search by path, name or summary' }));
  await page.getByRole('button', { name: '中文' }).click();
  await seen(page.getByRole('searchbox', { name: '搜索路径、名称或说明' }));
  await seen(page.locator('#createArea').getByText('创建区域。'));
  expect(await page.getByText('Create an area.').count()).toBe(0);
  await page.getByRole('button', { name: 'English' }).click();

  await seen(page.getByText('Create an area.'));

  await page.getByRole('searchbox').fill('createarea');
  const entry = page.locator('#createArea');
  await entry.locator('summary').click();
  await seen(entry.getByText('curl -X POST'));
  await entry.getByRole('button', { name: 'Python' }).click();
  await seen(entry.getByText('import json, requests'));
  await entry.getByRole('button', { name: 'TypeScript' }).click();
  await seen(entry.getByText('await fetch('));

  await entry.getByRole('button', { name: 'Send request' }).click();
  await seen(entry.getByText('Enter an API token at the top of the page first.'));
  await page.getByLabel('API token').fill(token);
  await entry.getByRole('textbox', { name: 'Request body' }).fill('{"name": "By the page"}');
  await entry.getByRole('button', { name: 'Send request' }).click();
  await seen(entry.getByText('200 OK'));
  const { list } = await world.admin.get('listAreas', { query: {} });
  expect(list.map(({ name }) => name)).toContain('By the page');
  expect(scriptErrors).toEqual([]);
  await close();
});
