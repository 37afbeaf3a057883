import { makeCustomer, makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let visitor: Visitor;
let page: Page;
let refused: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  visitor = await openSession(world);
  page = visitor.page;
  refused = await makeSite(world.admin);
  const { db } = world.server.services;
  await db.execute(
    sql`UPDATE operation_item SET state = 'failed', error = '{"text":"nginx: unknown directive"}', finished_at = now()
        WHERE kind = 'site' AND key = ${String(refused.id)}`,
  );
  await db.execute(
    sql`UPDATE operation SET state = 'failed', finished_at = now() WHERE subject_kind = 'site' AND subject_id = ${refused.id}`,
  );
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });
const drawer = () => page.getByRole('dialog', { name: /^Sub-tasks/ });

test('a delivery that failed says why, and is tried again', async () => {
  await page.goto('/dashboard/task/task');
  const figure = page.getByRole('group', { name: 'Failed in last 24 hours' });
  await seen(figure.getByText('1', { exact: true }));
  await figure.getByRole('link', { name: 'All failed tasks: 1' }).click();
  await page.waitForURL(/status=failed/);
  await page.getByRole('button', { name: refused.domain, exact: true }).click();
  await seen(drawer().getByText('nginx: unknown directive'));
  await drawer().getByRole('button', { name: 'Retry' }).click();
  await seen(page.getByText('Retrying 1 sub-task'));
  await seen(drawer().getByText('Waiting for node').first());
  expect(await drawer().getByRole('button', { name: 'Cancel task' }).isDisabled()).toBe(true);
  await drawer().getByRole('button', { name: 'Close' }).click();
  await seen(figure.getByText('0', { exact: true }));
});

test('a change of the defaults of all sites is called so', async () => {
  const level = { level: 'global', target_id: 0 } as const;
  const { version } = await world.admin.get('getSiteLevel', { query: level });
  await world.admin.get('updateSiteLevelSection', {
    query: { ...level, section: 'speed_optimize' },
    body: { version, value: { gzip: true }, own: ['gzip'] },
  });
  await page.goto('/dashboard/task/task?type=site_level_update');
  await seen(page.getByRole('row').getByRole('button', { name: 'All sites', exact: true }));
});

test('a batch is followed as it goes, cancelled, and finished later', async () => {
  const word = unique('tasks');
  const lines = Array.from({ length: 400 }, (_, n) => `www${n}.${word}.example.com|192.0.2.1`);
  const { id } = await world.admin.get('createSiteBatch', { body: { lines } });
  await page.goto('/dashboard/task/task?type=site_batch');
  await seen(rowOf(word).getByText('In progress'));
  await rowOf(word)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Cancel task' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click();
  await seen(rowOf(word).getByText('Cancelled'));
  await rowOf(word)
    .getByRole('button', { name: new RegExp(`^www0.${word}`) })
    .click();
  await seen(drawer().getByText('Batch operation'));
  await drawer().getByRole('link', { name: 'View batch operation' }).click();
  await page.waitForURL(new RegExp(`/batchs/${id}$`));
  await seen(page.getByText(/\d+ done · \d+ cancelled/));
  await page.getByRole('button', { name: 'Run remaining lines' }).click();
  await page.getByRole('button', { name: 'Cancel batch operation' }).click();
  await seen(page.getByRole('button', { name: 'Run remaining lines' }));
});

test('work by the clock is listed, and old tasks are deleted by day once that is typed', async () => {
  await page.goto('/dashboard/task/task');
  await page.getByRole('button', { name: 'Scheduled tasks' }).click();
  const schedules = page.getByRole('dialog', { name: 'Scheduled tasks' });
  await seen(schedules.getByText('Check domain DNS'));
  await seen(schedules.getByText('Every 10 minutes').first());
  await seen(schedules.getByText('Every 5 seconds').first());
  await schedules.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Delete old tasks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete old tasks?' });
  const day = new Date().toLocaleDateString('sv-SE');
  await dialog.getByLabel('Cutoff date').fill(day);
  await seen(dialog.getByText(/^[1-9]\d* tasks? will be deleted$/));
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Type/).fill('Delete');
  await confirm.click();
  await seen(page.getByText('Deleting; see the task list for progress'));
  await waitFor('the others are gone', async () => {
    const { list } = await world.admin.get('listTasks', { query: {} });
    return list.every(({ status, type }) => status === 'pending' || type === 'task_removal');
  });
  expect(visitor.scriptErrors).toEqual([]);
});

test('an order that moves says how many sites go along, and leads to its task', async () => {
  const { orderId } = await makeCustomer(world);
  const sites = [await makeSite(world.admin, { orderId }), await makeSite(world.admin, { orderId })];
  const name = unique('Abroad');
  await world.admin.get('createLineGroup', { body: { name } });
  await page.goto(`/dashboard/order/orderdetail/${orderId}`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Change line group' }).click();
  const form = page.getByRole('dialog', { name: 'Change line group' });
  await seen(form.getByText('2 sites move to the new line group, one at a time.', { exact: false }));
  await form.getByRole('combobox', { name: 'Line group' }).click();
  await page.getByRole('option', { name }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Line group changed; moving 2 sites'));
  await page.getByRole('button', { name: 'View task' }).click();
  await page.waitForURL(/task\/task\?open=/);
  for (const { domain } of sites) await seen(drawer().getByText(domain));
  await expect
    .poll(async () => (await world.admin.get('getOrder', { params: { id: orderId } })).sites_elsewhere)
    .toBe(0);
  await page.goto(`/dashboard/order/orderdetail/${orderId}`);
  await seen(page.getByRole('link', { name }));
  expect(await page.getByText('not moved yet').count()).toBe(0);
});
