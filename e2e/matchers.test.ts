import { makeSite, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeDueLists } from '../apps/server/src/modules/address-list/rule-entries.ts';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Rules on requests: from a template, tried by looking, then enforced at a node and found in the log. */

let world: World;
let visitor: Visitor;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
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

test('a rule asks browsers for a challenge by what a text is decoded to', async () => {
  const asked = await makeSite(world.admin);
  await page.goto('/dashboard');
  await walkToSite(page, asked.domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Action', 'Challenge');
  await choose('Challenge type', 'Proof of work');
  await page.getByLabel('Share of nodes (%)').fill('10');
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  await choose('Decode', 'Base64');
  await choose('Decode 2', 'Length');
  await page.getByLabel(/^Values/).fill('9');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText(/^Path \(decoded: Base64 → Length\) is 9 → Challenge \(Proof of work\)/).first());
  await expect
    .poll(async () => {
      const { value } = await world.admin.get('getMatcherRule', { params: { id: asked.id } });
      return value.rules[0];
    })
    .toMatchObject({
      action: 'challenge',
      challenge: { kind: 'proof_of_work' },
      nodes: 10,
      condition: {
        items: [{ field: 'path', decode: ['base64', 'length'], operator: 'equals', values: ['9'] }],
      },
    });
});

test('a rule asks for a field of JSON, is tried on a request with a body, and blocks', async () => {
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  const { id, domain } = await makeSite(world.admin, { port: origin.port });
  await page.goto('/dashboard');
  await walkToSite(page, domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Mode', 'Enforce');
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  await choose('Field', 'JSON field (body)');
  await page.getByRole('group', { name: 'Condition 1', exact: true }).getByLabel('Name').fill('user.role');
  await choose('Operator', 'is one of');
  await page.getByLabel(/^Values/).fill('admin');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Test a request' }).click();
  await seen(page.getByText('Does not match'));
  await page.getByLabel(/^Request body \(empty/).fill('{"user":{"role":"admin"}}');
  await seen(page.getByText('Matches', { exact: true }));
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  const send = async (role: string) => {
    const answer = await world.fetchEdge(domain, '/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: { role } }),
    });
    return answer.status;
  };
  await expect.poll(() => send('admin')).toBe(403);
  expect(await send('guest')).toBe(200);
  const trace = await world.admin.get('explainSite', {
    params: { id },
    body: { url: `http://${domain}/`, method: 'POST' },
  });
  expect(trace.model_trace.steps).toContainEqual(
    expect.objectContaining({ step: 'matchers', outcome: 'passed', reason: 'matcher_undecided' }),
  );
});

test('a rule asks for the answer, is tried on one, and withholds it', async () => {
  const origin = await world.startOrigin((request, response) => {
    response.statusCode = request.url === '/broken' ? 500 : 200;
    response.end('stack trace');
  });
  const { domain } = await makeSite(world.admin, { port: origin.port });
  await page.goto('/dashboard');
  await walkToSite(page, domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Mode', 'Enforce');
  await choose('Action', 'Skip');
  await page.getByRole('button', { name: 'Apply to some requests only' }).click();
  await choose('Field', 'Response status code');
  await choose('Operator', 'is at least');
  await page.getByLabel(/^Values/).fill('500');
  await page.keyboard.press('Enter');
  await seen(page.getByText(/^Tested once the response headers arrive/));
  await page.getByRole('button', { name: 'Test a request' }).click();
  await seen(page.getByText('Does not match'));
  await page.getByLabel('Response status code', { exact: true }).fill('502');
  await seen(page.getByText('Matches', { exact: true }));
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText(/^A rule that tests the response can only block/).first());
  await choose('Action', 'Block');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await expect.poll(async () => (await world.fetchEdge(domain, '/broken')).status).toBe(403);
  const withheld = await world.fetchEdge(domain, '/broken');
  expect(withheld.body).not.toContain('stack trace');
  expect((await world.fetchEdge(domain, '/')).status).toBe(200);
});

test('a rule puts visitors on a list, and their addresses are taken off it', async () => {
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  const { domain } = await makeSite(world.admin, { port: origin.port });
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await page.goto('/dashboard/site/address_list');
  await page.getByRole('button', { name: 'Add address list' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Trapped');
  await choose('Source', 'Added by rules');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Trapped' }));

  await walkToSite(page, domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await choose('Mode', 'Enforce');
  await choose('Action', 'Add to address list');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('This field is required').first());
  await page.getByRole('combobox', { name: 'Address list' }).click();
  await page.getByRole('option', { name: 'Trapped' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  expect((await world.fetchEdge(domain, '/trap')).status).toBe(200);
  // The work by the clock does not run here.
  const entries = async () => {
    await makeDueLists(world.server.services);
    const { list } = await world.admin.get('listAddressLists', { query: { name: 'Trapped' } });
    return list[0]!.entry_count;
  };
  await expect.poll(entries).toBe(1);

  await page.goto('/dashboard/site/address_list');
  await page.getByRole('button', { name: 'Actions for Trapped' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await seen(page.getByText(/^127\.0\.0\.1 # /));
  await page.getByLabel('Remove address').fill('127.0.0.1');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await seen(page.getByText('1 address removed'));
  await expect.poll(entries).toBe(0);
});

test('a global rule has the kernel drop an IP at all sites, which a rule of a site is not offered', async () => {
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const { domain } = await makeSite(world.admin);
  await page.goto('/dashboard');
  await walkToSite(page, domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await choose('Action', 'Block the IP');
  await page.getByRole('combobox', { name: 'Block on', exact: true }).click();
  await seen(page.getByRole('option', { name: 'This site' }));
  expect(await page.getByRole('option', { name: 'Whole platform' }).count()).toBe(0);
  await page.goto('/dashboard/site/wafglobal');
  await page.getByRole('tab', { name: 'Custom rules' }).click();
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await choose('Action', 'Block the IP');
  await choose('Block on', 'Whole platform');
  await choose('Block by', 'Dropped in the kernel');
  await seen(page.getByText(/→ Block the IP \(whole platform, dropped in the kernel\)/).first());
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button').last().click();
  const rules = async () => (await world.admin.get('getNodeWafMatcherSetting', {})).value.rules;
  await expect
    .poll(rules)
    .toMatchObject([{ action: 'ban', ban: { scope: 'platform', place: 'kernel' }, mode: 'observe' }]);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { version } = await world.admin.get('getNodeWafMatcherSetting', {});
  await world.admin.get('updateNodeWafMatcherSetting', { body: { version, value: { rules: [] } } });
});

test('a template becomes rules of a site, and one of them blocks once it is enforced', async () => {
  await page.goto('/dashboard/site/waf_matcher');
  await page.getByRole('button', { name: 'Add rule template' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').first().fill('Blogs');
  await drawer.getByRole('button', { name: 'Load common rules' }).click();
  await page.getByRole('menuitem', { name: 'WordPress' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('cell', { name: 'Blogs' }));

  await walkToSite(page, site.domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add from template' }).click();
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Blogs' }).click();
  await rowOf(page, 'Custom rules', 1)
    .getByRole('button', { name: /^Expand/ })
    .click();
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Enforce' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
  await expect.poll(() => status('/xmlrpc.php')).toBe(403);
  // The others only observe.
  expect(await status('/readme.html')).toBe(200);

  // What it met stands beside it, with a link to the lines.
  await expect
    .poll(async () => {
      const { list } = await world.admin.get('getMatcherRuleHits', { params: { id: site.id } });
      return list.some(({ place, day }) => place === 0 && day > 0);
    })
    .toBe(true);
  await page.reload();
  const hits = rowOf(page, 'Custom rules', 1).getByRole('link', { name: /^Hits: / });
  await seen(hits);
  expect(await hits.getAttribute('href')).toContain('waf=');

  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=explain`);
  await page.getByRole('textbox', { name: 'URL' }).fill(`http://${site.domain}/xmlrpc.php`);
  await page.getByRole('button', { name: 'Run trace' }).click();
  await seen(page.getByText('The request ends at “Custom rules”.').first());

  await page.goto('/dashboard/site/wafglobal');
  await seen(page.getByText('No custom rules'));
  expect(visitor.scriptErrors).toEqual([]);
});
