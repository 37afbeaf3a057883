import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** A condition made in the console, by hand and as text, tried there, and heeded at the edge. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => void response.end('page'));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const cacheState = async (path: string, headers: Record<string, string> = {}) =>
  (await world.fetchEdge(site.domain, path, { headers })).headers['x-cache'];

async function choose(within: ReturnType<Page['getByRole']>, field: string, option: string): Promise<void> {
  await within.getByLabel(field, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function saveAndSee(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('nothing of conditions is fetched before there is one to edit', async () => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=cache`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = rowOf(page, 'Cache rules', 1);
  await choose(rule, 'Match by', 'Folder');
  await rule.getByLabel('Matches').fill('/some/');
  await page.keyboard.press('Enter');
  // Leaving the field has it checked, and what it says then may move what stands below.
  await page.keyboard.press('Tab');
  expect(fetched.filter((url) => url.includes('condition-editor'))).toEqual([]);
  await rule.getByRole('button', { name: 'Apply to some requests only' }).click();
  await seen(rule.getByRole('group', { name: 'Condition 1' }));
  expect(fetched.filter((url) => url.includes('condition-editor'))).toHaveLength(1);
});

test('tests and groups are set one by one, and what is missing is told where it is', async () => {
  const rule = rowOf(page, 'Cache rules', 1);
  const first = rule.getByRole('group', { name: 'Condition 1', exact: true });
  await choose(first, 'Field', 'Cookie');
  await choose(first, 'Operator', 'is one of');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(first.getByText('This field is required'));
  await first.getByLabel('Name').fill('lang');
  await first.getByLabel(/^Values/).fill('zh');
  await page.keyboard.press('Enter');
  await rule.getByRole('button', { name: 'Add group' }).click();
  const inner = rule.getByRole('group', { name: 'Condition 2.1' });
  await choose(inner, 'Field', 'Client IP');
  await inner.getByLabel(/^Values/).fill('10.0.0.0/8 192.0.2.1');
  await page.keyboard.press('Enter');
  await inner.getByRole('button', { name: 'Negate condition 2.1' }).click();
});

test('as text it is the same, and a text that cannot be read is neither saved nor left', async () => {
  const rule = rowOf(page, 'Cache rules', 1);
  await rule.getByRole('button', { name: 'Expression', exact: true }).click();
  const text = rule.getByLabel('Condition expression');
  expect(await text.inputValue()).toBe('cookie.lang equals "zh" and (not ip in ["10.0.0.0/8", "192.0.2.1"])');
  await text.fill('cookie.lang equals "zh" and (not ip in ["10.0.0.0/8", "192.0.2.300"])');
  await seen(rule.getByText('At character 34: IP Format Error'));
  expect(await rule.getByRole('button', { name: 'Builder' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(rule.getByText('This field is required'));
  await text.fill('cookie.lang equals "zh" and (not ip in "10.0.0.0/8" or header.x-a regex "^b+$")');
  await rule.getByRole('button', { name: 'Builder' }).click();
  await seen(rule.getByRole('group', { name: 'Condition 2.2' }).getByText('^b+$'));
});

test('a request is tried on it in the browser, and says which test decided', async () => {
  const rule = rowOf(page, 'Cache rules', 1);
  await rule.getByRole('button', { name: 'Test a request' }).click();
  const result = rule.getByRole('status');
  await seen(result.getByText('Does not match'));
  await seen(result.getByText('cookie.lang equals "zh"'));
  await rule.getByLabel('Request headers (one per line)').fill('Cookie: lang=zh\nX-A: bb');
  await seen(result.getByText('Matches', { exact: true }));
  await rule.getByLabel('Client IP').last().fill('10.1.1.1');
  await seen(result.getByText('header.x-a regex "^b+$"'));
  await rule.getByLabel('URL').fill('nothing');
  await seen(rule.getByText('Enter a full URL, such as https://www.example.com/'));
});

test('it holds at the edge', async () => {
  await saveAndSee();
  const zh = { cookie: 'lang=zh' };
  const states = [];
  for (const headers of [zh, zh, {}, zh]) states.push(await cacheState('/some/a', headers));
  expect(states[1]).toBe('HIT');
  expect(states[2]).not.toBe('HIT');
  expect(states[3]).toBe('HIT');
  await page.reload();
  await seen(page.getByText('Folder /some/ (some requests) → Cache 1 d'));
});

test('limits, error pages and forced HTTPS offer the same', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=limits`);
  await page.getByLabel('Requests', { exact: true }).first().fill('1');
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  const leaf = page.getByRole('group', { name: 'Condition 1', exact: true });
  await leaf.getByLabel(/^Values/).fill('/login');
  await page.keyboard.press('Enter');
  await saveAndSee();
  expect(visitor.scriptErrors).toEqual([]);
});
