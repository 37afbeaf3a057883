import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { makeNode, makeNodeState, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, openConsole, seen, signIn, type Visitor } from './browser.ts';

let world: World;
let visitor: Visitor;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  visitor = await openConsole(world.adminUrl);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('what no node has told of is no zero', async () => {
  const { page } = visitor;
  await signIn(page, 'admin', world.adminPassword);
  await page.waitForURL(/\/dashboard$/);
  const figure = (name: string) => page.getByRole('group', { name, exact: true });
  await seen(figure('Requests').getByText('–', { exact: true }));
  await seen(figure('Current bandwidth').getByText('No reports from nodes in the last 5 minutes'));
});

test('home says of a node in trouble why it is', async () => {
  const node = await makeNode(world, { ip: '192.0.2.79', name: 'stopped' });
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  const controlPlane = new ControlPlane(credentials, new AbortController().signal);
  await controlPlane.report(makeNodeState({ nginx_running: false, connections: 12 }));
  const { page } = visitor;
  await page.goto('/dashboard');
  await seen(page.getByText(/nginx not running.*192\.0\.2\.79/));
  expect(await page.getByText('12 connections').count()).toBe(0);
});

test('a clock that is off shows where an operator looks: at home, in the list and on the node', async () => {
  const node = await makeNode(world, { ip: '192.0.2.78', name: 'slow-clock' });
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  const controlPlane = new ControlPlane(credentials, new AbortController().signal);
  await controlPlane.report(makeNodeState({ clock_ahead_seconds: -3600 }));
  const { page } = visitor;
  await page.goto('/dashboard');
  await seen(page.getByText('Clock skew'));
  await page.goto('/dashboard/node/node');
  await seen(page.getByRole('row').filter({ hasText: 'slow-clock' }).getByText('Clock 1 h behind'));
  await page.goto(`/dashboard/node/nodedetail/${node.id}`);
  await seen(page.getByText('Clock 1 h behind').first());
  await controlPlane.report(makeNodeState());
  await page.goto('/dashboard/node/node');
  await seen(page.getByRole('row').filter({ hasText: 'slow-clock' }));
  await page.getByText(/^Clock .* behind/).waitFor({ state: 'detached' });
  expect(visitor.scriptErrors).toEqual([]);
});
