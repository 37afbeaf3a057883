import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  saveSetting,
  startDnsServer,
  startWorld,
  unique,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell } from './shell.ts';

let world: World;
let dns: DnsServer;
let customer: Customer;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  dns = await startDnsServer('example.com');
  customer = await makeCustomer(world);
  await saveSetting(
    world,
    'SiteSetting',
    siteSetting.parse({
      cname_domain: 'cdn.example.com',
      site_check: true,
      dns_servers: [dns.address],
    }),
  );
});
afterAll(async () => {
  await closeBrowser();
  await dns?.close();
  await world?.close();
});

async function addSite(name: string) {
  const domains = [`${name}.example.com`];
  const { id } = await customer.api.get('createSite', { body: { domains, origin: '192.0.2.9' } });
  return { id, path: `/dashboard/site/sitedetail/${id}`, domain: domains[0]! };
}

test('a newcomer finds the record to create, creates it, and sees the site go online', async () => {
  const name = unique('www');
  const { id, path } = await addSite(name);
  const { page, scriptErrors } = await openShell(world, { path, customer });
  await seen(page.getByText('Verifying', { exact: true }));
  await seen(page.getByText('Verifying domain ownership', { exact: false }));
  const record = page.getByRole('region', { name: 'Add this DNS record' });
  const { cname } = await customer.api.get('getSiteCname', { params: { id } });
  await seen(record.getByText(cname!, { exact: true }));
  // As the panel of a DNS host asks for it: without the zone, which is named once.
  await seen(record.getByText(/at the DNS provider of example\.com/));
  await seen(record.getByText(name, { exact: true }));
  await seen(record.getByText(`_breakwater.${name}`, { exact: true }));
  await page.getByRole('button', { name: 'Check again' }).click();
  await seen(page.getByText('Domain does not exist'));

  await dns.write([`${name} IN CNAME ${cname}.`]);
  await page.getByRole('button', { name: 'Check again' }).click();
  await seen(page.getByText('CNAME correct'));
  await seen(page.getByText('Domain points to the nodes'));
  await seen(page.getByText('Online', { exact: true }));
  expect(await record.count()).toBe(0);
  expect(scriptErrors).toEqual([]);
});

test('nothing is called wrong before the DNS was asked, and the site can be tried before its DNS is switched', async () => {
  const { id, path, domain } = await addSite(unique('try'));
  // As it is in its first seconds: the DNS has not been asked.
  await world.server.services.db.execute(
    sql`UPDATE site_domain SET verdict = NULL, seen = NULL, checked_at = NULL, next_check_at = now() + interval '1 hour'
        WHERE site_id = ${id}`,
  );
  const { page } = await openShell(world, { path, customer });
  await seen(page.getByText('Not checked yet').first());
  const line = await page
    .getByRole('region', { name: 'Test before switching DNS' })
    .locator('pre')
    .textContent();
  // The CNAME of this platform is in no DNS that curl asks: the node stands in for it.
  const { cname } = await customer.api.get('getSite', { params: { id } });
  expect(line).toMatch(new RegExp(`^curl -i --connect-to ::${cname}:\\d+ http://${domain}/$`));
  const { stdout } = await promisify(execFile)('sh', ['-c', line!.replace(cname!, '127.0.0.1')]);
  expect(stdout).toMatch(/^HTTP\/1\.1 \d{3}/);
  expect(stdout).toContain('being verified');
});

test('an operator suspends a site with a reason that its customer reads', async () => {
  const { path, domain } = await addSite(unique('bad'));
  const operator = await openShell(world, { path });
  // The site's own stand above those of its domain, and both are there.
  const actions = operator.page.getByRole('button', { name: `Actions for ${domain}` });
  await expect.poll(() => actions.count()).toBe(2);
  await actions.first().click();
  await operator.page.getByRole('menuitem', { name: 'Suspend' }).click();
  await operator.page.getByLabel('Reason').fill('Phishing was reported');
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await seen(operator.page.getByText('Phishing was reported'));

  const { page } = await openShell(world, { path, customer });
  await seen(page.getByText('Suspended', { exact: true }));
  await seen(page.getByText('Note: Phishing was reported'));
  await page.getByRole('button', { name: `Actions for ${domain}` }).click();
  const online = page.getByRole('menuitem', { name: 'Bring online' });
  expect(await online.isDisabled()).toBe(true);
});

test('the list of domains has their checks, and checks several again', async () => {
  const names = [unique('one'), unique('two')];
  for (const name of names) await addSite(name);
  await dns.write(names.map((name) => `${name} IN A 127.0.0.1`));
  const { page, scriptErrors } = await openShell(world, {
    path: '/dashboard/site/domain_name?page_size=200',
  });
  for (const name of names) await page.getByRole('checkbox', { name: `${name}.example.com` }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Check again' }).click();
  await seen(page.getByText('2 domains checked'));
  const table = page.getByRole('table', { name: 'Domains' });
  expect(await table.getByText('Points to nodes').count()).toBe(2);
  await page.getByLabel('Domain', { exact: true }).first().fill(names[0]!);
  await page.getByLabel('Domain', { exact: true }).first().press('Enter');
  await page.waitForURL(/domain=/);
  await table.getByRole('link', { name: `${names[0]}.example.com` }).click();
  await seen(page.getByRole('heading', { name: `${names[0]}.example.com` }));
  expect(scriptErrors).toEqual([]);
});

test('a product’s prompts are told wrong by their line, and show on its sites', async () => {
  const { path, id } = await addSite(unique('tips'));
  const { page } = await openShell(world, { path: '/dashboard/product/product' });
  await page.getByRole('button', { name: 'Actions for Default' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const prompts = page.getByLabel('Site notices');
  await prompts.fill('Welcome|Point your domain at {cname}|green\nOops|what|pink');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Line 2: the color must be green, gray, yellow or red'));
  await prompts.fill('Welcome|Point your domain at {cname}|green');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Product saved'));
  const { cname } = await customer.api.get('getSiteCname', { params: { id } });
  const visitor = await openShell(world, { path, customer });
  await seen(visitor.page.getByText(`Point your domain at ${cname}`));
});
