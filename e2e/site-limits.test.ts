import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** Download speeds set in the console, and felt by a visitor. */

const kilobyte = 1024;
const content = 'x'.repeat(2048 * kilobyte);

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => response.end(content));
  site = await makeSite(world.admin, { port: origin.port });
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

/** Bytes a second of one download. */
async function speed(): Promise<number> {
  const from = performance.now();
  const { status, body } = await world.fetchEdge(site.domain, '/file');
  expect([status, body.length]).toEqual([200, content.length]);
  return (content.length / (performance.now() - from)) * 1000;
}

/** Until it is saved, and the form is built on that. */
async function save(): Promise<void> {
  const button = page.getByRole('button', { name: 'Save', exact: true });
  await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PUT'), button.click()]);
  await button.getByRole('progressbar').waitFor({ state: 'hidden' });
  await seen(page.getByRole('button', { name: 'Discard changes', disabled: true }));
}

const becomes = (check: (bytesPerSecond: number) => boolean, what: string) =>
  waitFor(what, async () => check(await speed()), 30);

test('each of the three speeds makes downloads slower, and none is left when it is taken away', async () => {
  await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/file')).status === 200);
  const limit = 400 * kilobyte;
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=limits`);
  const speeds = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Bandwidth limits' }) });
  for (const label of ['Per client', 'Whole site', 'Per response']) {
    // What one second allows is sent at once, so a short download is on average faster than its limit.
    const isLimited = (bytesPerSecond: number) => bytesPerSecond < limit * 2;
    expect(await speed()).toBeGreaterThan(limit * 4);
    await speeds.getByLabel(`${label}: unit`).selectOption('KB');
    await speeds.getByLabel(label, { exact: true }).fill('400');
    await save();
    await becomes(isLimited, `a slower download (${label})`);
    await speeds.getByLabel(label, { exact: true }).fill('');
    await save();
    await becomes((bytesPerSecond) => bytesPerSecond > limit * 4, `a fast download (${label})`);
  }
  const { value } = await world.admin.get('getSiteSecurity', { query: { site_id: site.id } });
  expect(Object.keys(value).filter((name) => name.startsWith('bandwidth'))).toEqual([]);
  expect(visitor.scriptErrors).toEqual([]);
});
