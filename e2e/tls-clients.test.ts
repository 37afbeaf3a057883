import { request } from 'node:https';
import { makeSite, startWorld, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { relayTo, type Relay } from '../packages/edge/test/client-hello.ts';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Fingerprints of TLS clients, as people use them: switched on for the log, found there, blocked, counted by, bound to. */

let world: World;
let relay: Relay;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  relay = await relayTo(world.edgeHttpsPort);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await relay?.close();
  await world?.close();
});

const fetchHttps = (path: string, maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3'): Promise<number> =>
  new Promise((settle, refuse) => {
    const { domain } = site;
    const asked = {
      host: '127.0.0.1',
      port: relay.port,
      servername: domain,
      path,
      headers: { host: domain },
    };
    request({ ...asked, maxVersion, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      response.on('end', () => settle(response.statusCode!));
    })
      .on('error', refuse)
      .end();
  });
const save = async () => {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
};
const choose = async (name: string, option: string) => {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const field = 'TLS fingerprint (JA4)';

test('it is switched on for the log of a site, and found there', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=advanced`);
  await page.getByRole('switch', { name: field }).check();
  await save();
  await expect.poll(() => fetchHttps('/logged')).toBe(200);
  const ja4 = relay.seen.at(-1)!;
  await expect
    .poll(async () => (await world.admin.get('listAccessLogs', { query: { ja4 } })).total)
    .toBeGreaterThan(0);
  await page.goto('/dashboard/statistics/http_access');
  await page.getByRole('row').filter({ hasText: '/logged' }).first().click();
  const drawer = page.getByRole('dialog');
  await seen(drawer.getByText(ja4));
  await drawer.getByRole('button', { name: `Show only: ${field}` }).click();
  await page.waitForURL(new RegExp(`ja4=${ja4}`));
  const ranked = await world.admin.get('rankTlsClients', {
    params: { side: 'cdn' },
    query: {
      start_time: new Date(Date.now() - 600_000).toISOString(),
      end_time: new Date(Date.now() + 60_000).toISOString(),
    },
  });
  expect(ranked.ranks.map(({ name }) => name)).toContain(ja4);
});

test('a rule blocks it, after it was tried', async () => {
  const ja4 = relay.seen.at(-1)!;
  await page.goto('/dashboard');
  await walkToSite(page, site.domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await choose('Mode', 'Enforce');
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  await choose('Field', field);
  await choose('Operator', 'is one of');
  await page.getByLabel(/^Values/).fill(ja4);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Test a request' }).click();
  await seen(page.getByText('Does not match'));
  await page.getByLabel(`${field.slice(0, -1)}, empty for none)`).fill(ja4);
  await seen(page.getByText('Matches', { exact: true }));
  await save();
  await expect.poll(() => fetchHttps('/blocked')).toBe(403);
  expect(await fetchHttps('/other', 'TLSv1.2')).toBe(200);
  expect((await world.fetchEdge(site.domain, '/plain')).status).toBe(200);
  const trace = async (described: object) => {
    const body = { url: `https://${site.domain}/`, ...described };
    const { model_trace } = await world.admin.get('explainSite', { params: { id: site.id }, body });
    return model_trace.steps.find(({ step }) => step === 'matchers')!.reason;
  };
  expect(await trace({ ja4 })).toBe('matcher_blocked');
  expect(await trace({})).toBe('matcher_unmet');
});

test('CC guard counts by it, and passes are bound to it', async () => {
  await page.goto('/dashboard');
  await walkToSite(page, site.domain, 'CC protection');
  await choose('Mode', 'Standard');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const key = rowOf(page, 'Counted by', 1);
  await key.getByRole('combobox').click();
  await page.getByRole('option', { name: field }).click();
  expect(await key.getByRole('textbox').count()).toBe(0);
  await save();
  await page.getByRole('tab', { name: 'Browser verification' }).click();
  await page.getByRole('switch', { name: 'Enable browser verification' }).check();
  await page.getByRole('switch', { name: 'Bind to the TLS client' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  const params = { id: site.id };
  // The last save may still be told of as live.
  await expect
    .poll(async () => (await world.admin.get('getBrowserVerifyRule', { params })).value.bind_tls)
    .toBe(true);
  const guard = await world.admin.get('getCcGuardianRule', { params });
  expect(guard.value.rules[0]!.key).toEqual([{ part: 'ja4', name: '' }]);
  expect(visitor.scriptErrors).toEqual([]);
});
