import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { siteRevision } from '../apps/server/src/db/schema.ts';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** What was attacked is seen, followed to its log lines, and something is done about each. */

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
let operator: Visitor;
let owner: Visitor;
const attacker = '8.8.8.8';

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  const from = Date.now() - 10 * 60_000;
  const line = (index: number, fields: object) =>
    makeLine({
      time: new Date(from + index * 1000).toISOString(),
      request_id: index.toString(16).padStart(32, '0'),
      site_id: site.id,
      client_id: customer.id,
      host: site.domain,
      remote_addr: attacker,
      user_agent: 'sqlmap/1.8',
      ...fields,
    });
  const detected = {
    status: 403,
    decision: 'used_system_rule sql',
    waf: 'used_system_rule sql=block',
    waf_part: "query.q: 1' OR 1=1",
    request_uri: '/find?q=1',
  };
  const ruled = {
    status: 403,
    decision: 'matcher_rule 1',
    waf: 'matcher_rule 1=block',
    request_uri: '/shop/list',
  };
  const observed = { waf: 'used_system_rule html=observe', request_uri: '/comment?text=1' };
  await world.server.services.logStore.ingest({
    nodeId: 1,
    file: 'access.1',
    offset: 0,
    lines: toBytes([
      ...Array.from({ length: 6 }, (_, index) => line(index, detected)),
      line(10, ruled),
      ...Array.from({ length: 4 }, (_, index) => line(20 + index, observed)),
    ]),
  });
  const params = { id: site.id };
  const rules = await customer.api.get('getMatcherRule', { params });
  await customer.api.get('updateMatcherRule', {
    params,
    body: { version: rules.version, value: { rules: [{ action: 'block', note: 'No shops' }] } as never },
  });
  // The rule stood when the requests came.
  await world.server.services.db.update(siteRevision).set({ createdAt: new Date(from - 60_000) });
  operator = await openSession(world);
  owner = await openSession(world, { customer });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const region = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('group', { name, exact: true }));

test('attacks are seen by kind and as campaigns, which lead to their log lines', async () => {
  const { page } = operator;
  await page.goto('/dashboard/statistics/http_attack_stats?campaigns_by=address');
  await seen(region(page, 'By attack type').getByText('SQL injection').first());
  const campaign = page.getByRole('row').filter({ hasText: attacker });
  await seen(campaign.getByRole('cell', { name: '7', exact: true }));
  await seen(campaign.getByText('Custom rules, SQL injection'));
  await seen(campaign.getByRole('link', { name: site.domain }));
  await page.getByRole('button', { name: 'Tool' }).click();
  await page.waitForURL(/campaigns_by=tool/);
  await page.getByRole('row').getByRole('link', { name: 'sqlmap/1.8' }).click();
  await page.waitForURL(/http_waf\?.*user_agent=sqlmap/);
  await seen(page.getByText('1–7 of 7'));
  // What was only observed is another campaign, whose lines stand in the access log.
  await page.goto('/dashboard/statistics/http_attack_stats?campaigns_by=address&outcome=observed');
  await seen(page.getByText('No campaigns'));
  await seen(region(page, 'By attack type').getByText('Cross-site scripting (XSS)').first());
  expect(operator.scriptErrors).toEqual([]);
});

test('an address is banned from its log line: for its site, and only where it may be', async () => {
  const { page } = owner;
  await page.goto('/dashboard/statistics/http_waf');
  await page.getByRole('row').filter({ hasText: '/shop/list' }).click();
  const drawer = page.getByRole('dialog');
  await seen(drawer.getByText('No shops').first());
  await seen(drawer.getByRole('link', { name: 'Open rule' }));
  await drawer.getByRole('button', { name: 'Block this IP' }).click();
  const form = page.getByRole('dialog', { name: 'Block IPs' });
  await form.getByRole('textbox', { name: 'IPs or networks' }).fill('10.0.0.1');
  await form.getByRole('button', { name: 'Block IPs' }).click();
  await seen(form.getByText(/Not a public address/));
  await form.getByRole('button', { name: 'Block the network 8.8.8.0/24 instead' }).click();
  await form.getByRole('button', { name: 'Block IPs' }).click();
  await seen(page.getByText('1 IP blocked'));
  const { list } = await customer.api.get('listSiteRejects', { query: {} });
  expect(list).toMatchObject([
    { remote_addr: '8.8.8.0/24', site_id: site.id, reason: 'Custom rules · No shops' },
  ]);
  // It stands in the list, after a reload as well.
  await page.goto('/dashboard/statistics/site_reject');
  await seen(page.getByRole('row').filter({ hasText: '8.8.8.0/24' }).getByText('Active'));
  await page.reload();
  await seen(page.getByRole('row').filter({ hasText: '8.8.8.0/24' }).getByText('Active'));
  expect(owner.scriptErrors).toEqual([]);
});

test('a rule that lets such requests in is drafted before the one that blocked', async () => {
  const { page } = owner;
  await page.goto('/dashboard/statistics/http_waf');
  await page.getByRole('row').filter({ hasText: '/shop/list' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Allow such requests' }).click();
  await seen(page.getByText(/was added at the top, based on the log/));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const rulesNow = async () =>
    (await customer.api.get('getMatcherRule', { params: { id: site.id } })).value.rules;
  await expect.poll(async () => (await rulesNow()).length).toBe(2);
  expect(await rulesNow()).toMatchObject([
    {
      action: 'allow',
      allow: { scope: 'stage' },
      condition: {
        items: [
          { field: 'path', values: ['/shop/list'] },
          { field: 'method', values: ['GET'] },
        ],
      },
    },
    { note: 'No shops' },
  ]);
  expect(owner.scriptErrors).toEqual([]);
});

test('a false alarm goes from the log line of a customer to the operator, and the answer back', async () => {
  const { page } = owner;
  await page.goto('/dashboard/statistics/http_waf');
  await page.getByRole('row').filter({ hasText: '/find' }).first().click();
  const drawer = page.getByRole('dialog');
  await seen(drawer.getByText("1' OR 1=1"));
  await drawer.getByRole('button', { name: 'Report false alarm' }).click();
  const form = page.getByRole('dialog', { name: 'Report false alarm' });
  await form.getByRole('textbox', { name: 'Note' }).fill('A search for a formula');
  await form.getByRole('button', { name: 'Report false alarm' }).click();
  await seen(page.getByText('False alarm reported'));

  const { page: office } = operator;
  await office.goto('/dashboard/statistics/false_alarm');
  const row = office.getByRole('row').filter({ hasText: 'A search for a formula' });
  await seen(row.getByText('Open'));
  await row
    .getByRole('button', { name: /More|Actions|Handle/ })
    .first()
    .click();
  await office.getByRole('menuitem', { name: 'Handle' }).or(office.getByRole('dialog')).first().click();
  const answer = office.getByRole('dialog', { name: 'Handle' });
  await answer.getByRole('textbox', { name: 'Answer' }).fill('An exception stands');
  await answer.getByRole('button', { name: 'Handle' }).click();
  await seen(row.getByText('Exception added'));

  await page.goto('/dashboard/statistics/false_alarm');
  await page.getByRole('row').filter({ hasText: 'A search for a formula' }).click();
  await seen(page.getByRole('dialog').getByText('An exception stands'));
  expect([...operator.scriptErrors, ...owner.scriptErrors]).toEqual([]);
});

test('the status of protection says what is on, what strict would have done, and leads to each', async () => {
  const { page } = owner;
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=posture`);
  await seen(page.getByRole('listitem').filter({ hasText: 'Custom rules' }).getByText('On', { exact: true }));
  await seen(region(page, 'Blocked').getByRole('link', { name: '7', exact: true }));
  await seen(region(page, 'Logged, not blocked').getByText('Cross-site scripting (XSS)'));
  await seen(page.getByText(/up to 4 of these as well/));
  await page.getByRole('link', { name: 'Turn on attack detection, log only at first' }).click();
  await page.waitForURL(/tab=system-rules/);
  expect(owner.scriptErrors).toEqual([]);
});
