import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
const bodies: string[] = [];
const receiver = createServer((request, response) => {
  request.on('data', (chunk) => bodies.push(String(chunk)));
  request.on('end', () => response.writeHead(200).end());
});

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  receiver.closeAllConnections();
  receiver.close();
});

test('an owner has nodes send their log lines to a receiver, and a test line arrives', async () => {
  const { page, scriptErrors } = await openShell(world, { path: '/dashboard/system/setting' });
  const form = page.locator('form', { has: page.getByRole('combobox', { name: 'Destination' }) });
  await form.getByRole('combobox', { name: 'Destination' }).click();
  await page.getByRole('option', { name: 'HTTP POST (one JSON object per line)' }).click();
  const { port } = receiver.address() as AddressInfo;
  await form.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${port}/logs`);
  await form.getByRole('button', { name: 'Save' }).click();
  const nodes = page.getByRole('table', { name: 'Node status' });
  await seen(nodes.getByText('No logs yet', { exact: true }));
  await nodes.getByRole('button', { name: /Send test log/ }).click();
  await seen(page.getByText(/sent a test log/));
  await waitFor('the line', () => bodies.some((body) => body.includes('"test":true')));
  await fetch(`http://127.0.0.1:${world.edgeHttpPort}/visited`);
  await waitFor('its line', () => bodies.some((body) => body.includes('/visited')));
  await seen(nodes.getByText('OK', { exact: true }));
  expect(scriptErrors).toEqual([]);
});
