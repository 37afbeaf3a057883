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
  await seen(page.getByText('DuckDB (built in)'));
  const day = page.getByRole('row', { name: /2026-03-01/ });
  await seen(day.first());
  expect(await day.first().innerText()).toMatch(/Records\s+7/);
  await page.getByRole('row', { name: /figure_minute/ }).waitFor();
});

test('the connection is tested with a button', async () => {
  await page.getByRole('button', { name: 'Test connection' }).click();
  await seen(page.getByText(/Reads and writes, in \d+ ms/));
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
    await charts.getByText('The data could not be read').first().waitFor();
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

test('the retention policy is changed, and is there afterwards', async () => {
  const days = page.getByLabel('Access-log records', { exact: true });
  await days.fill('9');
  await page.getByRole('button', { name: 'Save' }).click();
  const asked = page.getByRole('dialog', { name: 'Keep logs for a shorter time?' });
  await seen(asked.getByText(/Records older than 9 days are deleted/));
  const shorten = asked.getByRole('button', { name: 'Shorten and delete' });
  expect(await shorten.isDisabled()).toBe(true);
  expect((await readSetting(world, 'LogRetention')).record_days).toBeGreaterThan(9);
  await asked.getByRole('textbox').fill('Delete');
  await shorten.click();
  await seen(page.getByText('Retention saved'));
  expect(await readSetting(world, 'LogRetention')).toMatchObject({ record_days: 9 });
  await page.reload();
  await expect.poll(() => days.inputValue()).toBe('9');
});
