import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let page: Page;
let domain: string;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => {
    response.statusCode = 404;
    response.end('from the origin');
  });
  const site = await makeSite(world.admin, { port: origin.port });
  domain = site.domain;
  await waitFor('a node that is online', async () => {
    const { list } = await world.admin.get('listNodes', { query: {} });
    return list[0]?.status === 'normal';
  });
  ({ page } = await openShell(world, { path: `/dashboard/site/sitedetail/${site.id}?tab=advanced` }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
const answerOf = () => world.fetchEdge(domain, '/none');

test('an error page is written, previewed and shown to visitors', async () => {
  await page.getByRole('button', { name: 'Add error page' }).first().click();
  const editor = page.getByRole('textbox', { name: 'Content', exact: true });
  await editor.fill('<h1>{{status}} at {{host}}</h1>');
  await page.getByRole('button', { name: 'Preview' }).click();
  const frame = page.frameLocator('iframe[title="Page preview"]');
  await seen(frame.getByRole('heading', { name: `404 at ${domain}` }));
  await page.getByRole('button', { name: 'Close' }).click();
  await save();
  await waitFor('the page at the edge', async () => (await answerOf()).body === `<h1>404 at ${domain}</h1>`);
});

test('a directive that is not allowed is told while it is typed, and one that nginx refuses when it is saved', async () => {
  const editor = page.getByRole('textbox', { name: 'Directives', exact: true });
  await editor.fill('expires 1h;\nroot /;');
  await seen(page.getByText('Line 2: this directive is not allowed'));
  await editor.fill('expires 1h;\nexpires 2h;');
  await save();
  await seen(page.getByText(`Rejected by the nginx of a node: "expires" directive is duplicate`));
  await editor.fill('add_header X-Own yes always;');
  await save();
  await seen(page.getByText(/Validated on node /));
  await waitFor('the directive at the edge', async () => (await answerOf()).headers['x-own'] === 'yes');
});

test('maintenance closes the site and opens it again', async () => {
  const maintenance = page.getByRole('switch', { name: 'Enable maintenance mode' });
  await maintenance.click();
  await save();
  await waitFor('the closed site', async () => (await answerOf()).status === 503);
  await maintenance.click();
  await save();
  await waitFor('the open site', async () => (await answerOf()).status === 404);
  expect((await answerOf()).headers['x-own']).toBe('yes');
});
