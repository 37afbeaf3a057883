import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeNode, readSetting, startWorld, type World } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

/** Where logs are kept: its state, its connection, its days, and for how long. */

let world: World;
let page: Page;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const node = await makeNode(world, { ip: '192.0.2.80' });
  const lines = toBytes(Array.from({ length: 7 }, () => makeLine({ time: '2026-03-01T10:00:00.000Z' })));
  await world.server.services.logStore.ingest({ nodeId: node.id, file: 'access.1', offset: 0, lines });
  ({ page } = await openShell(world, { path: '/dashboard/node/elastic' }));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

test('state and days are shown', async () => {
  await seen(page.getByText('DuckDB (built-in)'));
  const day = page.getByRole('row', { name: /2026-03-01/ });
  await seen(day.first());
  await seen(day.first().getByRole('cell', { name: '7', exact: true }));
  await page.getByRole('row', { name: /figure_minute/ }).waitFor();
});

test('the connection is tested with a button', async () => {
  await page.getByRole('button', { name: 'Test connection' }).click();
  await seen(page.getByText(/Read and write OK, \d+ ms/));
});

test('charts say that the log store is away, and its own screen says where it should be', async () => {
  const [port] = await freePorts(1);
  const away = await startWorld({
    templateUrl: inject('templateUrl'),
    logStoreUrl: `http://u:s3cret-word@127.0.0.1:${String(port)}`,
  });
  try {
    const { page: charts } = await openShell(away, { path: '/dashboard/statistics/monitor' });
    await charts
      .getByText(/The log store cannot be reached/)
      .first()
      .waitFor();
    await charts.getByText('Failed to load data').first().waitFor();
    expect(await charts.getByText('No data in this range').count()).toBe(0);
    await charts.goto(`${away.adminUrl}/dashboard`);
    await charts
      .getByText(/The log store cannot be reached/)
      .first()
      .waitFor();
    await charts.goto(`${away.adminUrl}/dashboard/node/elastic`);
    await charts.getByText(`http://127.0.0.1:${String(port)}`).waitFor();
    await charts
      .getByText(/The log store cannot be reached/)
      .first()
      .waitFor();
    expect(await charts.content()).not.toContain('s3cret-word');
  } finally {
    await away.close();
  }
});

test('a policy of the cluster that deletes what is ours is warned of', async () => {
  const path = /\/(?:_ilm\/explain|_ilm\/policy\/weekly|_search|_doc\/days)$/;
  const answers: Record<string, object> = {
    '/_ilm/explain': { indices: { 'breakwater-log-2026.03.01-1': { managed: true, policy: 'weekly' } } },
    '/_ilm/policy/weekly': {
      weekly: { policy: { phases: { delete: { min_age: '7d', actions: { delete: {} } } } } },
    },
    '/_search': { hits: { hits: [] } },
    '/_doc/days': {},
  };
  // Of Elasticsearch only what is asked of it for this.
  const cluster = createServer(({ url = '/' }, response) => {
    const asked = path.exec(url.split('?')[0]!)?.[0];
    const body = asked === undefined ? { version: { number: '8.19.0' } } : answers[asked];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(cluster, 'listening');
  const logStoreUrl = `http://127.0.0.1:${String((cluster.address() as AddressInfo).port)}`;
  const shared = await startWorld({ templateUrl: inject('templateUrl'), logStoreUrl });
  try {
    const { page: screen } = await openShell(shared, { path: '/dashboard/node/elastic' });
    await seen(
      screen.getByRole('alert').filter({
        hasText:
          /The cluster policy “weekly” applies to 1 index of this platform. It deletes these indices after 7d/,
      }),
    );
  } finally {
    await shared.close();
    cluster.closeAllConnections();
    cluster.close();
  }
});

test('the retention policy is changed, and is there afterwards', async () => {
  await seen(page.getByText('Written → deleted after 30 days'));
  const days = page.getByLabel('Access logs', { exact: true });
  await days.fill('9');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Shorten retention?' });
  await seen(asked.getByText(/Access logs older than 9 days will be deleted/));
  const shorten = asked.getByRole('button', { name: 'Shorten and delete' });
  expect(await shorten.isDisabled()).toBe(true);
  expect((await readSetting(world, 'LogPolicy')).record_days).toBeGreaterThan(9);
  await asked.getByRole('textbox').fill('Delete');
  await shorten.click();
  await seen(page.getByText('Retention policy saved'));
  await seen(page.getByText('Written → deleted after 9 days'));
  expect(await readSetting(world, 'LogPolicy')).toMatchObject({ record_days: 9 });
  await page.reload();
  await expect.poll(() => days.inputValue()).toBe('9');
});
