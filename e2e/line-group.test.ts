import { makeNode, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

const bound = 205;
let world: World;
let id: number;
const prefix = unique('edge');
const nameOf = (n: number) => `${prefix}-${String(n).padStart(3, '0')}`;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const { id: area_id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
  const add: number[] = [];
  for (let n = 0; n < bound; n += 1) {
    const made = await world.admin.get('createNode', {
      body: { name: nameOf(n), area_id, ip: `198.51.100.${n}` },
    });
    add.push(made.id);
  }
  ({ id } = await world.admin.get('createLineGroup', { body: { name: unique('Group') } }));
  await world.admin.get('bindNodes', { params: { id }, body: { add } });
  await makeNode(world, { ip: '203.0.113.1', name: `${prefix}-late` });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const count = async () => (await world.admin.get('getLineGroup', { params: { id } })).node_count;

test('of a line group with more nodes than a page, some are bound and unbound, and no other is lost', async () => {
  const { page, close, complaints } = await openShell(world, {
    path: `/dashboard/line_group/line_group_detail/${id}`,
  });
  await seen(page.getByText(`1–20 of ${bound}`));

  await page.getByRole('button', { name: 'Bind nodes' }).click();
  const drawer = page.getByRole('dialog', { name: 'Bind nodes' });
  await drawer.getByRole('button', { name: 'Bind', exact: true }).click();
  await seen(drawer.getByText('This field is required'));
  const picker = drawer.getByRole('combobox', { name: 'Nodes to bind' });
  await picker.click();
  await seen(page.getByRole('option', { name: 'local' }));
  // Only what is not bound yet is offered.
  await picker.fill(prefix);
  await page.getByRole('option', { name: 'local' }).waitFor({ state: 'detached' });
  await seen(page.getByRole('option', { name: `${prefix}-late` }));
  expect(await page.getByRole('listbox').getByRole('option').allTextContents()).toEqual([
    `${prefix}-late (203.0.113.1)`,
  ]);
  await page.getByRole('option', { name: `${prefix}-late` }).click();
  await drawer.getByRole('button', { name: 'Bind', exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  await seen(page.getByText(`1–20 of ${bound + 1}`));

  for (const name of [nameOf(0), nameOf(1)])
    await page.getByRole('row', { name }).getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Unbind' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unbind' }).click();
  await seen(page.getByText(`1–20 of ${bound - 1}`));
  expect(await count()).toBe(bound - 1);
  expect(complaints).toEqual([]);
  await close();
});
