import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import type { KernelState, NodeReport } from '@breakwater/contract';
import {
  makeCustomer,
  makeNode,
  makeNodeState,
  makeSite,
  saveSetting,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { node, siteDomain } from '../apps/server/src/db/schema.ts';
import { closeBrowser, seen, type Visitor } from './browser.ts';
import { trafficTo } from './flood-node.ts';
import { openSession } from './shell.ts';

/** An attack below HTTP, as nodes tell of it: seen, followed to who it is about, and what would isolate it. */

let world: World;
let customer: Customer;
let site: { id: number; domain: string };
let visitor: Visitor;
let page: Page;
let attacked: Reporter;
const address = '192.0.2.80';

type Reporter = Awaited<ReturnType<typeof makeReporter>>;

async function makeReporter(name: string, ip: string) {
  const made = await makeNode(world, { name, ip });
  const credentials = { url: world.userUrl, appId: made.app_id, appSecret: made.app_secret };
  const controlPlane = new ControlPlane(credentials, new AbortController().signal);
  const report = (packet_counts: KernelState, addresses?: NodeReport['addresses']) =>
    controlPlane.report({ ...makeNodeState({ packet_counts }), ...(addresses ? { addresses } : {}) });
  return { id: made.id, report };
}

async function bind(lineGroupId: number, nodeId: number) {
  await world.admin.get('bindNodes', { params: { id: lineGroupId }, body: { add: [nodeId] } });
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  site = await makeSite(customer.api);
  await world.server.services.db
    .update(siteDomain)
    .set({
      verdict: 'address',
      seen: { name: '', cname_chain: [], a: [address], aaaa: [], txt: [] },
    })
    .where(eq(siteDomain.siteId, site.id));
  attacked = await makeReporter('attacked', address);
  await world.admin.get('createNodeIp', { body: { node_id: attacked.id, ip: '192.0.2.81' } });
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  await bind(list[0]!.id, attacked.id);
  const refuge = await makeReporter('calm', '192.0.2.90');
  const { id } = await world.admin.get('createLineGroup', { body: { name: 'Refuge' } });
  await bind(id, refuge.id);
  await refuge.report('no_nft');
  await attacked.report('on', [trafficTo(address, { syn: 36_000, tcp: 4000 })]);
  visitor = await openSession(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const region = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });

test('the list says where, with what, and which nodes nobody would see it on', async () => {
  await page.goto('/dashboard/node/flood');
  const row = page.getByRole('row').filter({ hasText: address });
  for (const text of ['In progress', 'SYN flood', '40 Mbps'])
    await seen(row.getByText(text, { exact: true }).first());
  await seen(row.getByRole('cell', { name: '40,000', exact: true }).first());
  await seen(row.getByRole('link', { name: 'attacked', exact: true }));
  await seen(page.getByText('1 of 2 nodes do not count packets'));
  await page.getByRole('button', { name: 'Show nodes' }).click();
  await seen(page.getByRole('alert').getByText('nftables is not installed'));
  await page.goto('/dashboard/node/flood?state=over');
  await seen(page.getByText('No results match these filters'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('an attack says whom it is likely about, and what isolates it', async () => {
  await page.goto('/dashboard/node/flood');
  await page.getByRole('row').getByRole('link', { name: address }).click();
  await seen(page.getByRole('heading', { name: `SYN flood · ${address}` }));
  await seen(page.getByRole('heading', { name: 'Packets/s by type' }));
  await seen(region('Likely target').getByText('This IP carries 1 site'));
  await seen(region('Likely target').getByText('Default: 1 of 2 nodes attacked, 1 site'));
  const suspect = page.getByRole('row').filter({ hasText: site.domain });
  await seen(suspect.getByText('DNS points here'));
  await seen(suspect.getByText('New site'));
  const steps = region('Isolate the attack');
  const { order_no } = await world.admin.get('getOrder', { params: { id: customer.orderId } });
  await seen(steps.getByRole('link', { name: order_no }));
  await seen(steps.getByRole('link', { name: 'Refuge (1 node, 0 sites)' }));
  await seen(steps.getByText('192.0.2.90'));
  await seen(steps.getByText('192.0.2.81'));
  expect(visitor.scriptErrors).toEqual([]);
});

test('the text for the provider is copied', async () => {
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy Message to the provider' }).click();
  await expect.poll(copied).toContain(`IP: ${address}\nStarted (UTC): 20`);
  expect(await copied()).toContain(
    'Type: SYN flood\nPeak: 40,000 packets/s, 40 Mbit/s\nMix at the peak: SYN 90%, Other TCP 10%',
  );
  await page.getByRole('button', { name: 'Copy IPs of Refuge' }).click();
  await expect.poll(copied).toBe('192.0.2.90');
});

test('the node has its traffic by IP, which leads to the attack, and its activity tells of it', async () => {
  await page.goto(`/dashboard/node/nodedetail/${attacked.id}`);
  await seen(page.locator('dl').getByText('Packet counts by IP'));
  const row = page.getByRole('row').filter({ hasText: 'Under attack' });
  await seen(row.getByRole('cell', { name: '40,000', exact: true }).first());
  await row.getByRole('link', { name: 'Under attack' }).click();
  await seen(page.getByRole('heading', { name: `SYN flood · ${address}` }));
  await page.goto(`/dashboard/node/nodedetail/${attacked.id}?tab=activity`);
  await seen(page.getByText('DDoS attack started'));
  for (const fact of [`IP ${address}`, 'Type SYN flood', 'Packets/s 40,000', 'Bandwidth 40 Mbps'])
    await seen(page.locator('main').getByText(fact));
  expect(visitor.scriptErrors).toEqual([]);
});

test('thresholds are set where bans are', async () => {
  await page.goto('/dashboard/site/waf_setting');
  const form = page.locator('form', { has: page.getByLabel('Detect DDoS attacks') });
  const syn = form.getByRole('spinbutton', { name: 'TCP connection requests (SYN)' });
  await syn.fill('0');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => syn.getAttribute('aria-invalid')).toBe('true');
  await syn.fill('20000');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await world.admin.get('getFloodSetting', {})).value)
    .toMatchObject({ syn: 20_000, udp: 50_000 });
  expect(visitor.scriptErrors).toEqual([]);
});

test('a node that went silent amid an attack may have been cut off by it', async () => {
  const set = (statusTime: Date) =>
    world.server.services.db.update(node).set({ statusTime }).where(eq(node.id, attacked.id));
  await set(new Date(Date.now() - 600_000));
  await page.goto('/dashboard/node/flood');
  await seen(page.getByRole('row').filter({ hasText: address }).getByText('In progress, node silent'));
  await page.getByRole('row').getByRole('link', { name: address }).click();
  await seen(page.getByRole('alert').getByText('the attack may have cut it off'));
  await set(new Date());
  await seen(page.locator('main').getByText('In progress', { exact: true }));
});

test('the end of an attack shows by itself', async () => {
  await page.goto('/dashboard/node/flood');
  await page.getByRole('row').getByRole('link', { name: address }).click();
  await seen(page.locator('main').getByText('In progress', { exact: true }));
  await saveSetting(world, 'FloodSetting', { enabled: false });
  await attacked.report('off');
  await seen(page.locator('main').getByText('Over', { exact: true }));
  await seen(page.getByText('The IP below was under a DDoS attack'));
  expect(visitor.scriptErrors).toEqual([]);
});
