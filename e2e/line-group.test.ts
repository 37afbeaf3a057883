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

test('of a line group with more nodes than a page, some are bound and unbound, no other is lost, and one becomes an L2 node', async () => {
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

  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('switch', { name: 'Enable L2' }).check();
  await form.getByRole('combobox', { name: 'L2 mode' }).click();
  await page.getByRole('option', { name: 'Global' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Actions for ${nameOf(2)}` }).click();
  await page.getByRole('menuitem', { name: 'Set as L2' }).click();
  await seen(page.getByRole('row', { name: nameOf(2) }).getByText('L2 (not ready)'));
  expect(await world.admin.get('getLineGroup', { params: { id } })).toMatchObject({
    l2_enable: true,
    l2_mode: 'global',
  });
  expect(complaints).toEqual([]);
  await close();
});
