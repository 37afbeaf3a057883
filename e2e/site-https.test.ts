import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { certificate as certificateTable } from '@breakwater/server/db/schema';
import { runServedChecks } from '@breakwater/server/modules/served-certificate/served-certificate.service';
import { makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openSession } from './shell.ts';

/** HTTPS and ports of a site, set in the console and seen by a visitor. */

let world: World;
let page: Page;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_request, response) => response.end('origin'));
  site = await makeSite(world.admin, { port: origin.port });
  ({ page } = await openSession(world));
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

async function saveAndSee(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));
}

test('HTTPS is forced on', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await page.getByLabel('Redirect HTTP to HTTPS').click();
  await page.getByLabel('HTTPS port').fill('8443');
  await saveAndSee();
  const { status, headers } = await world.fetchEdge(site.domain, '/a?b');
  expect([status, headers.location]).toEqual([301, `https://${site.domain}:8443/a?b`]);
});

test('a certificate that is not among the first five is found by its name, and stands there after a reload', async () => {
  const { client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    const { certificate, key } = makeSelfSigned(`${number}.${site.domain}`);
    const body = { name: `Picked ${number}`, certificate, private_key: key, client_id };
    await world.admin.get('createCertificate', { body });
  }
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  const picker = page.getByRole('combobox', { name: 'Certificates in use' });
  await picker.click();
  await expect.poll(() => page.getByRole('option').count()).toBe(5);
  await picker.fill('Picked 7');
  await page.getByRole('option', { name: `Picked 7 (7.${site.domain})` }).click();
  await page.keyboard.press('Escape');
  await seen(page.getByText(`Covers: 7.${site.domain}`));
  await saveAndSee();
  await page.reload();
  await seen(page.getByRole('button', { name: `Picked 7 (7.${site.domain})` }));
});

test('what a node serves otherwise is shown with the site, the node and at home, until it is right', async () => {
  const { client_id } = await world.admin.get('getSite', { params: { id: site.id } });
  const [right, wrong] = [makeSelfSigned(site.domain), makeSelfSigned(site.domain)];
  const body = { name: 'Served', certificate: right.certificate, private_key: right.key, client_id };
  const { id } = await world.admin.get('createCertificate', { body });
  const query = { site_id: site.id };
  const { version } = await world.admin.get('getCertificateSettings', { query });
  const value = { certificate_ids: [id] };
  await world.admin.get('updateCertificateSettings', { query, body: { version, value } });
  const { services } = world.server;
  const keep = (pem: string) =>
    services.db.update(certificateTable).set({ certificate: pem }).where(eq(certificateTable.id, id));
  const check = async () => {
    const before = (await world.admin.get('getServedCheck', { params: { id: site.id } })).checked_at;
    await page.getByRole('button', { name: 'Check now' }).click();
    await waitFor('the check', async () => {
      await runServedChecks(services);
      return (await world.admin.get('getServedCheck', { params: { id: site.id } })).checked_at !== before;
    });
  };
  await keep(wrong.certificate);
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await check();
  await seen(page.getByText(`${site.domain} on node local`));
  await seen(page.getByText(/Expected serial number [0-9A-F]+, got/));
  const fault = (await world.admin.get('listServedFaults', { query })).list[0]!;
  for (const path of [`/dashboard/node/nodedetail/${fault.node_id}`, '/dashboard']) {
    await page.goto(path);
    await seen(page.getByText('Nodes serve a different certificate than configured'));
  }
  await keep(right.certificate);
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  await check();
  await seen(page.getByText('All nodes serve the correct certificates'));
});

test('of many domains the certificates are shown by pages', async () => {
  const word = unique('many');
  const domains = Array.from({ length: 12 }, (_, n) => `www${n}.${word}.example.com`);
  const { id } = await world.admin.get('createSite', { body: { domains, origin: '192.0.2.1' } });
  await page.goto(`/dashboard/site/sitedetail/${id}?tab=certificate`);
  await seen(page.getByText('1–10 of 12'));
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await seen(row(`www9.${word}`).getByText('No certificate', { exact: true }));
  expect(await row(`www10.${word}`).count()).toBe(0);
  await page.getByRole('button', { name: 'Next page' }).click();
  await seen(row(`www11.${word}`));
});

test('HSTS is advised where HTTP is redirected without it, and no more once it is on', async () => {
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=certificate`);
  const advice = page.getByText('Enable HSTS as well, so that browsers use HTTPS from then on');
  const forced = page.getByLabel('Redirect HTTP to HTTPS');
  await seen(forced);
  expect(await forced.isChecked()).toBe(false);
  expect(await advice.count()).toBe(0);
  await forced.click();
  await seen(advice);
  await page.getByLabel('Enable HSTS').click();
  await advice.waitFor({ state: 'detached' });
  await saveAndSee();
  await page.reload();
  expect(await page.getByLabel('Enable HSTS').isChecked()).toBe(true);
  expect(await advice.count()).toBe(0);
});

test('a port is opened, and said to reload nginx before it is saved', async () => {
  const [port] = (await freePorts(1)) as [number];
  await page.goto(`/dashboard/site/sitedetail/${site.id}?tab=ports`);
  await page.getByLabel('HTTP ports', { exact: true }).fill('no port');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Wrong type'));
  await page.getByLabel('HTTP ports', { exact: true }).fill(`${port}`);
  await seen(page.getByText('Saving reloads nginx on 1 node'));
  await saveAndSee();
  const answer = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
  // Of this host no site is; the port answers, which it did not before.
  expect(answer.status).toBe(421);
});
