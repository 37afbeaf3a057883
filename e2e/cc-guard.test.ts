import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** CC guard: a mode with its numbers, a rule, the button for an attack, and an attack that a node tells of by itself. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const status = async (path: string) => (await world.fetchEdge(site.domain, path)).status;
async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('a mode says its numbers, and a rule of one’s own answers at the node', async () => {
  await page.goto('/dashboard/site/waf_matcher');
  await walkToSite(page, site.domain, 'CC protection');
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Standard' }).click();
  const limits = page.getByRole('list', { name: 'Thresholds of this mode' });
  await seen(limits.getByText('More than 1000 requests from one IP within 10'));
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = rowOf(page, 'Custom rules', 1);
  await rule.getByRole('textbox', { name: 'Name', exact: true }).fill('Sign-in');
  await rule.getByRole('spinbutton', { name: 'Requests' }).fill('2');
  await rule.getByRole('combobox', { name: 'Scope' }).click();
  await page.getByRole('option', { name: 'Each URL separately' }).click();
  await rule.getByRole('combobox', { name: 'When exceeded' }).click();
  await page.getByRole('option', { name: 'Rate limit (429)' }).click();
  await page.getByRole('spinbutton', { name: 'Requests per second, one URL' }).fill('5');
  await save();
  await expect.poll(() => status('/sign-in')).toBe(429);
  expect(await status('/')).toBe(200);
});

test('the button challenges everybody at once, and ends', async () => {
  await page.getByRole('button', { name: 'Turn on emergency protection' }).click();
  await seen(page.getByText('On, 1 h 0 min left'));
  await expect.poll(() => status('/elsewhere')).toBe(403);
  await page.getByRole('button', { name: 'End emergency protection' }).click();
  // Each URL is counted by itself.
  let asked = 0;
  await expect.poll(() => status(`/elsewhere/${asked++}`)).toBe(200);
});

test('what a node finds attacked is shown with why, and as activity of the site', async () => {
  await Promise.all(Array.from({ length: 60 }, () => world.fetchEdge(site.domain, '/flooded')));
  const now = page.getByRole('table', { name: 'Current state' });
  await seen(now.getByRole('cell', { name: '/flooded' }));
  await seen(now.getByText('requests per second, above 5'));
  const steps = page.getByRole('table', { name: 'Escalation history' });
  await seen(steps.getByRole('cell', { name: 'JavaScript challenge' }).first());
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=activity`);
  await seen(page.getByText('CC protection escalated').first());
  expect(visitor.scriptErrors).toEqual([]);
});

test('suggested thresholds say what they lack where there is little to learn from', async () => {
  await walkToSite(page, site.domain, 'CC protection');
  await page.getByRole('button', { name: 'Show suggestions' }).click();
  await seen(page.getByText('Not enough statistics yet', { exact: false }));
});

test('an order, and the platform, have the button for all their sites, and take it back', async () => {
  const { order_id: orderId } = await world.admin.get('getSite', { params: { id: site.id } });
  const ofOrder = async (time: string, action: string) => {
    await page.goto(`/dashboard/order/orderdetail/${orderId}`);
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Emergency protection' }).click();
    const dialog = page.getByRole('dialog', { name: 'Emergency protection' });
    await dialog.getByRole('combobox', { name: 'Duration' }).click();
    await page.getByRole('option', { name: time }).click();
    await dialog.getByRole('button', { name: action }).click();
    await page.waitForURL(/batchs/);
  };
  let asked = 0;
  const isChallenged = async (yes: boolean) => {
    await expect.poll(() => status(`/of-many/${asked++}`), { timeout: 30_000 }).toBe(yes ? 403 : 200);
  };
  await ofOrder('30 minutes', 'Start');
  await isChallenged(true);
  await ofOrder('End now', 'End emergency protection');
  await isChallenged(false);

  await page.goto('/dashboard/site/defaults?tab=guard');
  for (const [name, is] of [
    ['Turn on emergency protection', true],
    ['End emergency protection', false],
  ] as const) {
    await page.getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Save' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('1');
    await button.click();
    await isChallenged(is);
  }
  expect(visitor.scriptErrors).toEqual([]);
});
