import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** What is wrong with a rule stands at a field that can mend it, and goes when that field or the other one of the two is mended. */

let world: World;
let visitor: Visitor;
let page: Page;
let siteId: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  visitor = await openSession(world);
  page = visitor.page;
});
beforeEach(async () => {
  ({ id: siteId } = await makeSite(world.admin));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const open = (tab: string) => page.goto(`/dashboard/site/sitedetail/${siteId}?tab=${tab}`);
const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
const save = () => button('Save').click();
const choose = async (name: string, option: string) => {
  await page.getByRole('combobox', { name, exact: true }).last().click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const text = (name: string) => page.getByRole('textbox', { name, exact: true });
const add = async (field: Locator, value: string) => {
  await field.fill(value);
  await field.press('Enter');
};

/** It is marked wrong, and what is wrong is told of it. */
async function isWrong(field: Locator, message: string): Promise<void> {
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.evaluate(descriptionOf)).toContain(message);
}
/** Whatever mended it, nobody says so any more. */
async function isMended(message: string): Promise<void> {
  await expect.poll(() => page.getByText(message, { exact: false }).count()).toBe(0);
  expect(await page.locator('main [aria-invalid=true]').count()).toBe(0);
}
const descriptionOf = (element: Element): string =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

test('of access rules', async () => {
  await open('access');
  await button('Add rule').click();
  await save();
  const empty = 'Set at least one condition';
  const addresses = page.getByLabel('IP addresses', { exact: false }).first();
  await isWrong(addresses, empty);
  await add(page.getByLabel('Only these paths'), '/closed/');
  await isMended(empty);

  const path = 'A path must start with';
  await add(page.getByLabel('Only these paths'), 'no-slash');
  await save();
  await isWrong(page.getByLabel('Only these paths'), path);
  await page.getByLabel('Only these paths').press('Backspace');
  await isMended(path);
  await save();
  await expect
    .poll(async () => (await world.admin.get('getAccessControl', { query: { site_id: siteId } })).value.rules)
    .toMatchObject([{ only_paths: ['/closed/'] }]);
});

test('of CC protection rules', async () => {
  await open('guard');
  await choose('Mode', 'Standard');
  await button('Add rule').click();
  await choose('When exceeded', 'Block IP');
  const duration = page.getByRole('spinbutton', { name: 'Duration', exact: true });
  // Of a minute.
  await duration.fill('0.1');
  await save();
  const seconds = 'Block for at least 10 seconds';
  await isWrong(duration, seconds);
  // The other of the two.
  await choose('When exceeded', 'Log only');
  await isMended(seconds);

  const required = 'This field is required';
  await choose('Count', 'By response');
  await save();
  await isWrong(page.getByLabel('Status codes'), required);
  await page.getByRole('switch', { name: 'Cache misses only' }).click();
  await isMended(required);

  await choose('Counted by', 'Header');
  await save();
  await isWrong(text('Name').last(), required);
  await text('Name').last().fill('x-key');
  await isMended(required);
});

test('of rewriting rules', async () => {
  await open('rewrite');
  await button('Add redirect').click();
  await save();
  const required = 'This field is required';
  await isWrong(text('From'), required);
  await text('From').fill('/old/');
  await text('To').fill('/new/');
  await isMended(required);
  await text('To').fill('/new/?by=link');
  await save();
  const kept = 'When the path is kept';
  await isWrong(text('To'), kept);
  await page.getByRole('switch', { name: 'Keep path' }).click();
  await isMended(kept);

  await choose('Match by', 'URL');
  await text('To').fill('/old/');
  await save();
  const loop = 'This rule redirects to itself';
  await isWrong(text('To'), loop);
  await text('From').fill('/older/');
  await isMended(loop);
});

test('of custom rules', async () => {
  await open('matchers');
  await button('Add rule').click();
  await choose('Action', 'Redirect');
  await save();
  const required = 'This field is required';
  await isWrong(text('Redirect to'), required);
  await text('Redirect to').fill('/elsewhere');
  await isMended(required);

  // What an answer is asked for, no redirect can follow: that stands at the action, and the condition mends it as well.
  await button('Apply to some requests only').click();
  await choose('Field', 'Response status code');
  await add(page.getByLabel(/^Values?/), '404');
  await save();
  const answered = 'response';
  const action = page.getByRole('combobox', { name: 'Action', exact: true });
  await isWrong(action, answered);
  await button('Remove condition').click();
  await expect.poll(() => action.getAttribute('aria-invalid')).not.toBe('true');
  await seen(action);
  expect(visitor.scriptErrors).toEqual([]);
});
