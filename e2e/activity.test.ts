import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordEvents, systemActor } from '../apps/server/src/events/record-event.ts';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
const added = `${unique('added')}.example.com`;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  const params = { id: site.id };
  await customer.api.get('updateSiteDomains', {
    params,
    body: { version: 1, domains: [site.domain, added] },
  });
  await world.admin.get('updateSiteStatus', { params, body: { version: 2, status: 'suspended', note: '' } });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const tabOf = (path: string) => `${path}?tab=activity`;

test('an operator reads what happened to a site, who did it, and what it was before', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto(`/dashboard/site/sitedetail/${site.id}`);
  await page.getByRole('tab', { name: 'Activity' }).click();
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('button', { name: /^Status changed.*Version 3.*admin/ }));
  const changed = panel.getByRole('button', { name: /^Domains changed.*Version 2.*Customer/ });
  await changed.click();
  await seen(panel.getByText(`Domains: added ${added}`));
  await seen(panel.getByRole('button', { name: /^Created/ }));
  expect(scriptErrors).toEqual([]);
});

test('a customer reads it in Chinese, and is told of the platform instead of a name', async () => {
  const { page, scriptErrors } = await openSession(world, { customer, language: 'zh' });
  await page.goto(tabOf(`/dashboard/site/sitedetail/${site.id}`));
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('heading', { name: '动态' }));
  const suspended = panel.getByRole('button', { name: /^状态变更.*版本 3/ });
  await seen(suspended);
  expect(await suspended.textContent()).toContain('平台');
  expect(await panel.textContent()).not.toContain('admin');
  await seen(panel.getByRole('button', { name: /^修改域名.*1 处变更/ }));
  expect(scriptErrors).toEqual([]);
});

test('nodes, customers, orders and line groups have theirs, and what happens meanwhile comes by itself', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto(tabOf(`/dashboard/order/orderdetail/${customer.orderId}`));
  const panel = page.getByRole('tabpanel');
  await seen(panel.getByRole('button', { name: /^Created/ }));
  await world.admin.get('updateOrderNotes', {
    params: { id: customer.orderId },
    body: { another_name: 'Renamed', notes: '', version: 1 },
  });
  await panel.getByRole('button', { name: /^Changed/ }).click();
  await seen(panel.getByText('Alias: (empty) → Renamed'));
  const { list } = await world.admin.get('listNodes', { query: {} });
  await page.goto(tabOf(`/dashboard/node/nodedetail/${list[0]!.id}`));
  await seen(panel.getByRole('button', { name: /^Created/ }));
  await seen(panel.getByText('System').first());
  expect(scriptErrors).toEqual([]);
});

test('what is known by an id or a code is told in words: documents, accounts, nodes, problems', async () => {
  const { admin, server } = world;
  const makeDns = async () => {
    const name = unique('dns');
    const params = { url: 'https://dns.example.com', api_key: 'k', server_id: 'localhost' };
    return {
      name,
      ...(await admin.get('createDnsAccount', { body: { name, provider: 'powerdns', params } })),
    };
  };
  const [before, after] = [await makeDns(), await makeDns()];
  const group = await admin.get('createAdminGroup', { body: { name: unique('group'), permissions: [] } });
  const { list: nodes } = await admin.get('listNodes', { query: {} });
  const node = nodes[0]!;
  const params = await admin.get('createLineGroup', { body: { name: unique('group') } });
  await admin.get('bindNodes', { params, body: { add: [node.id] } });
  const actor = { kind: 'node', id: node.id, name: node.name } as const;
  const subject = { kind: 'certificate_order', id: 1, name: 'order' } as const;
  await recordEvents(server.services.db, [
    { kind: 'delivery_refused', subject: actor, actor, data: { facts: { [`site/${site.id}`]: 'no room' } } },
    {
      kind: 'updated',
      subject,
      actor: systemActor,
      data: {
        changes: [
          { path: 'dns_account_id', before: before.id, after: after.id },
          { path: 'group_id', after: group.id },
        ],
      },
    },
    {
      kind: 'issuance_failed',
      subject,
      actor: systemActor,
      data: { facts: { problem: 'dns_missing', detail: 'NXDOMAIN', days: 3 } },
    },
    { kind: 'revoked', subject, actor: systemActor, data: { facts: { reason: 'superseded' } } },
  ]);
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard/system/sys_http_log');
  const panel = page.getByRole('tabpanel');
  const open = (name: RegExp) => panel.getByRole('button', { name }).first().click();
  await open(/^Rejected by a node/);
  await seen(panel.getByText(`Site ${site.domain}: no room`));
  await open(/^Changed.*Certificate order order/);
  await seen(panel.getByText(`DNS account: ${before.name} → ${after.name}`));
  await open(/^Certificate could not be issued.*Days left 3/);
  await seen(panel.getByText('Reason: The domain has no DNS records'));
  await seen(panel.getByText('Details: NXDOMAIN'));
  await seen(panel.getByText(/Reason Superseded/));
  await open(/^Nodes added or removed/);
  await seen(panel.getByText(`Nodes: added ${node.name}`));
  expect(await panel.getByText(/#\d/).count()).toBe(0);
  expect(scriptErrors).toEqual([]);
});

test('a row of a list shows its activity beside it', async () => {
  const name = unique('list');
  await world.admin.get('createAddressList', { body: { name, content: '192.0.2.1' } });
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard/site/address_list');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  const drawer = page.getByRole('dialog', { name: `Activity: ${name}` });
  await drawer.getByRole('button', { name: /^Created/ }).click();
  await seen(drawer.getByText('Entries: 1'));
  // What is empty in something new is no news.
  expect(await drawer.getByText('URL').count()).toBe(0);
  expect(scriptErrors).toEqual([]);
});

test('the operation log begins with what happened, in words; the calls are beside it, those of nobody when asked for', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard/system/sys_http_log');
  const panel = page.getByRole('tabpanel');
  const changed = panel
    .getByRole('button', { name: /^Domains changed.*Customer/ })
    .filter({ hasText: `Site ${site.domain}` });
  await changed.click();
  await seen(panel.getByText(`Domains: added ${added}`));
  await seen(panel.getByRole('link', { name: `Open ${site.domain}` }).first());
  await page.getByRole('tab', { name: 'Requests' }).click();
  await seen(panel.getByRole('row').filter({ hasText: 'domain_name' }));
  expect(await panel.getByRole('row').filter({ hasText: 'Not signed in' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'User type' }).click();
  await page.getByRole('option', { name: 'Not signed in' }).click();
  await page.waitForURL(/user_type=unknown/);
  expect(scriptErrors).toEqual([]);
});
