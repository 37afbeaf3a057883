import { routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import {
  makeApiClient,
  makeCustomer,
  makeSite,
  passDays,
  saveSetting,
  startDnsHost,
  startNodes,
  startPebble,
  startWorld,
  waitFor,
  type Customer,
  type DnsHost,
  type Origin,
  type Pebble,
  type StartedNode,
  type StartedNodes,
  type World,
} from '@breakwater/test-world';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, seen } from './browser.ts';
import { openShell, type ShellVisitor } from './shell.ts';

/**
 * HTTPS and the cache as a new customer has them, on three nodes, with a DNS of their own and an authority that looks there: each
 * test goes on where the one before ended.
 */

const domain = 'www.example.com';
const wildcard = '*.example.com';
/** Any name below the wildcard. */
const another = 'shop.example.com';

let world: World;
let dns: DnsHost;
let pebble: Pebble;
let nodes: StartedNodes;
let customer: Customer;
let origin: Origin;
let visitor: ShellVisitor;
let page: Page;
/** Where the domains are to point, as the page of the site says. */
let cname = '';
let siteId = 0;
/** What the origin has by now. */
let content = 'first';

beforeAll(async () => {
  [dns, world] = await Promise.all([
    startDnsHost(['example.com'], { others: ['cdn.example.net'] }),
    startWorld({ templateUrl: inject('templateUrl'), worker: true }),
  ]);
  [nodes, pebble] = await Promise.all([
    startNodes(world, 3),
    startPebble({ httpPort: world.edgeHttpPort, dnsServer: dns.server, validityDays: 90 }),
  ]);
  const addresses = nodes.list.map(({ ip }) => ip);
  await dns.write('cdn.example.net', '*.cdn.example.net', 'A', addresses);
  await saveSetting(world, 'SiteSetting', {
    cname_domain: 'cdn.example.net',
    dns_servers: [dns.server],
    compared_dns_servers: [],
  });
  await world.admin.get('createAcmeAccount', {
    body: {
      name: 'Authority',
      directory: 'other',
      directory_url: pebble.directoryUrl,
      directory_ca: pebble.ca,
      terms_agreed: true,
    },
  });
  const level = { level: 'global' as const, target_id: 0, section: 'certificate_settings' as const };
  await world.admin.get('updateSiteLevelSection', {
    query: level,
    body: { version: 0, value: { auto_certificate: true }, own: ['auto_certificate'] },
  });
  customer = await makeCustomer(world);
  // That is not over when months have passed.
  const { list } = await world.admin.get('listProducts', { query: {} });
  await world.admin.get('createOrder', {
    body: { client_id: customer.id, product_id: list[0]!.id, cycle: 'year' },
  });
  origin = await world.startOrigin(({ url }, response) => {
    response.setHeader('cache-control', 'max-age=86400');
    response.end(`${url} ${content}`);
  });
  visitor = await openShell(world, { customer, path: '/dashboard/site/list' });
  ({ page } = visitor);
});
afterAll(async () => {
  await closeBrowser();
  await nodes?.close();
  await world?.close();
  await Promise.all([pebble?.close(), dns?.close()]);
});

let root: string | undefined;
const visit = async (node: StartedNode, host: string, path = '/') =>
  nodes.visit(node, host, path, (root ??= await pebble.root()));
const visits = (host: string, path?: string) =>
  Promise.all(nodes.list.map((node) => visit(node, host, path)));

/** Waits until all nodes serve the same certificate for a name, which is another one than before. */
const servedByAll = (host: string, before?: string): Promise<string> =>
  waitFor(`${host} with its certificate on all nodes`, async () => {
    const prints = new Set((await visits(host)).map(({ fingerprint }) => fingerprint));
    const [print] = prints;
    return prints.size === 1 && print !== before && print;
  });

const order = async () => {
  const { list } = await customer.api.get('listCertificateOrders', { query: { site_id: siteId } });
  return list[0];
};
const renewed = 61;

/** Opens a tab of the site in a window, as it stands now. */
const openTab = (on: Page, tab: string) => on.goto(`/dashboard/site/sitedetail/${siteId}?tab=${tab}`);

/** Reads the timeline of the site in both languages: every line is to be there word for word. */
async function readTimeline(en: readonly string[], zh: readonly string[]): Promise<void> {
  const chinese = await openShell(world, {
    customer,
    language: 'zh',
    path: `/dashboard/site/sitedetail/${siteId}?tab=certificate`,
  });
  await chinese.page.getByRole('button', { name: '查看进度' }).click();
  for (const words of zh)
    await seen(chinese.page.getByRole('dialog', { name: /进度$/ }).getByText(words, { exact: true }));
  await chinese.close();
  await openTab(page, 'certificate');
  await page.getByRole('button', { name: 'Show timeline' }).click();
  const timeline = page.getByRole('dialog', { name: /Timeline$/ });
  for (const words of en) await seen(timeline.getByText(words, { exact: true }));
  await seen(timeline.getByText(/^Next attempt at/));
}

/** A renewal comes due and fails; nodes serve what they have. Answers its certificate. */
async function failRenewal(): Promise<string> {
  const before = await servedByAll(domain);
  await passDays(world, renewed);
  await waitFor('the renewal to fail', async () => (await order())?.state === 'failed');
  expect(await servedByAll(domain)).toBe(before);
  return before;
}

async function issueNow(before: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Issue now' }).click();
  await servedByAll(domain, before);
  await seen(page.getByRole('dialog').getByText(/^Certificate issued by /));
  expect(await order()).toMatchObject({ state: 'valid', failures: 0, problem: null });
}

test('a site that is added and whose DNS points here has HTTPS on all nodes, by itself', async () => {
  await page.getByRole('link', { name: 'Add site' }).first().click();
  await page.getByLabel('Domains').fill(domain);
  await page.getByLabel('Origin address').fill(`127.0.0.1:${origin.port}`);
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  siteId = (await customer.api.get('listSites', { query: {} })).list[0]!.id;
  const record = page.getByRole('region', { name: 'Add this DNS record' });
  cname = (await record
    .getByText(/^\S+\.cdn\.example\.net$/)
    .first()
    .textContent())!;
  await dns.write('example.com', domain, 'CNAME', [`${cname}.`]);
  await page.getByRole('button', { name: 'Check again' }).click();
  await seen(page.getByText('Domain points to the nodes'));
  await servedByAll(domain);
  expect((await visits(domain, '/hello')).map(({ body }) => body)).toEqual(
    nodes.list.map(() => '/hello first'),
  );
  await openTab(page, 'certificate');
  await seen(page.getByRole('row', { name: new RegExp(domain) }).getByText('Has a certificate'));
});

test('when its DNS is broken the timeline says what to mend, and once that is done it goes on', async () => {
  await dns.write('example.com', domain, 'CNAME', []);
  await dns.write('example.com', domain, 'A', ['198.51.100.7']);
  const before = await failRenewal();
  const seenThere = `${domain}: 198.51.100.7`;
  await readTimeline(
    [
      'Issuance failed · The DNS records do not point to this platform',
      seenThere,
      `Set the DNS of ${domain} to CNAME ${cname}, and delete its other address records.`,
    ],
    [
      '签发失败 · 域名解析未指向本平台',
      seenThere,
      `请将 ${domain} 的解析改为 CNAME ${cname}，并删除其他地址记录。`,
    ],
  );
  await dns.write('example.com', domain, 'A', []);
  await dns.write('example.com', domain, 'CNAME', [`${cname}.`]);
  await issueNow(before);
});

test('it moves to a wildcard that is proven by DNS, and then renews itself twice', async () => {
  const before = await servedByAll(domain);
  await page.goto('/dashboard/site/dns_account');
  await page.getByRole('button', { name: 'Add DNS account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add DNS account' });
  await form.getByLabel('Name', { exact: true }).fill('My DNS');
  await form.getByLabel('Provider').click();
  await page.getByRole('option', { name: 'PowerDNS' }).click();
  await form.getByLabel('API address').fill(dns.apiUrl);
  await form.getByRole('button', { name: /: API key$/ }).click();
  await form.getByLabel('API key', { exact: true }).fill(dns.apiKey);
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Account saved'));

  await openTab(page, 'certificate');
  await page.getByRole('combobox', { name: 'DNS account for wildcards' }).click();
  await page.getByRole('option', { name: 'My DNS' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('Live on all nodes'));

  await dns.write('example.com', wildcard, 'CNAME', [`${cname}.`]);
  await page.goto(`/dashboard/site/sitedetail/${siteId}`);
  await page.getByRole('button', { name: 'Edit domains' }).click();
  const domains = page.getByRole('dialog').getByLabel('Domains', { exact: true });
  await domains.fill(wildcard);
  await domains.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('2 of 2 domains point to the nodes'));
  let at = await servedByAll(another);
  expect(at).not.toBe(before);
  expect(await servedByAll(domain)).toBe(at);
  expect(await order()).toMatchObject({ challenge: 'dns-01', domains: [domain, wildcard] });

  for (const _ of [1, 2]) {
    await passDays(world, renewed);
    at = await servedByAll(another, at);
    await waitFor('it to rest', async () => (await order())?.state === 'valid');
  }
});

test('what keeps a wildcard from its renewal stands in the timeline too', async () => {
  const [name, target] = [`_acme-challenge.${domain}`, 'proof.old-cdn.example'];
  await dns.write('example.com', name, 'CNAME', [`${target}.`]);
  const before = await failRenewal();
  await readTimeline(
    [
      'Issuance failed · The record could not be written with the DNS account',
      target,
      `${name} has a CNAME to ${target}, whose zone this DNS account does not manage. Delete or correct the CNAME, or choose an account that manages that zone.`,
    ],
    [
      '签发失败 · 无法通过 DNS 账号写入记录',
      target,
      `${name} 的 CNAME 指向 ${target}，该 DNS 账号没有其区域：请删除或更正此 CNAME，或改用管理该区域的账号。`,
    ],
  );
  await dns.write('example.com', name, 'CNAME', []);
  await issueNow(before);
});

const stored = (path: string) =>
  Promise.all(
    nodes.list.map((node) =>
      waitFor(`${path} to be stored`, async () => (await visit(node, domain, path)).cache === 'HIT'),
    ),
  );

test('a folder is purged on all nodes, and each proves it', async () => {
  const path = '/assets/app.js';
  for (const each of [path, '/other']) await stored(each);
  content = 'second';
  await page.goto('/dashboard/site/site_refresh');
  await page.getByRole('button', { name: 'Refresh cache' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Type').click();
  await page.getByRole('option', { name: 'Folder' }).click();
  await form.getByLabel('Folders').fill(`https://${domain}/assets/`);
  await form.getByRole('button', { name: 'Refresh cache', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: '/assets/' });
  await seen(row.getByText('Refreshed 3/3'));
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'View details' }).click();
  const drawer = page.getByRole('dialog', { name: /^Cache refresh #/ });
  await drawer.getByLabel('URL').fill(`https://${domain}${path}`);
  await drawer.getByRole('button', { name: 'Verify' }).click();
  for (const { name } of nodes.list)
    await seen(
      drawer.getByRole('row', {
        name: new RegExp(`^${name} MISS · 200 · \\d+ ms HIT · 200 · \\d+ ms New content$`),
      }),
    );
  expect((await visits(domain, path)).map(({ body }) => body)).toEqual(
    nodes.list.map(() => `${path} second`),
  );
  expect((await visits(domain, '/other')).map(({ body, cache }) => [body, cache])).toEqual(
    nodes.list.map(() => ['/other first', 'HIT']),
  );
});

/** Of each call, what it answers to somebody who names nothing that is there. */
async function answersTo(token: string): Promise<Map<RouteName, number>> {
  const api = makeApiClient(() => world.userUrl, token);
  const answers = new Map<RouteName, number>();
  for (const [name, spec] of Object.entries(routes) as [RouteName, RouteSpec][]) {
    const { access, method, transport } = spec;
    if (!['user', 'both', 'signed_in'].includes(access.kind) || transport === 'stream') continue;
    const path = spec.path.replace(/\{\w+\}/g, '1000000');
    const body = method === 'POST' || method === 'PUT' ? {} : undefined;
    answers.set(
      name,
      (await api.send(method, path, transport === 'file' && body ? new FormData() : body)).status,
    );
  }
  return answers;
}

test('a deployment purges it with the one command of the documentation, and its token can do nothing else', async () => {
  const path = '/assets/site.css';
  await stored(path);
  content = 'third';
  const { token } = await customer.api.get('createApiToken', {
    body: {
      name: 'Deployment',
      permissions: ['site.refresh'],
      site_ids: [siteId],
      password: customer.password,
    },
  });
  const text = await readFile(new URL('../docs/cache-refresh.md', import.meta.url), 'utf8');
  const [, documented] = /## From a deployment[^]*?```sh\n([^]*?)```/.exec(text)!;
  expect(documented!.match(/curl/g)).toHaveLength(1);
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', documented!.replace('https://console.example.com', world.userUrl)],
    { env: { PATH: process.env.PATH, BREAKWATER_TOKEN: token } },
  );
  const { data } = JSON.parse(stdout) as { data: { ids: number[] } };
  await waitFor('all nodes', async () => {
    const { delivery } = await customer.api.get('getSiteRefresh', { params: { id: data.ids[0]! } });
    return delivery.nodes_applied === 3;
  });
  const after = await visits(domain, path);
  expect(after.map(({ body, cache }) => [body, cache])).toEqual(
    nodes.list.map(() => [`${path} third`, 'MISS']),
  );

  const other = await makeSite(customer.api, { domain: 'other.example.org' });
  const deployment = makeApiClient(() => world.userUrl, token);
  for (const body of [
    { type: 'clean_site' as const, site_ids: [other.id] },
    { type: 'clean_tag' as const, site_ids: [other.id], tags: ['a'] },
  ])
    expect((await deployment.call('createSiteRefresh', { body })).errors[0]?.path).toBe('site_ids.0');
  expect((await deployment.call('cleanSiteCache', { params: { id: other.id } })).status).toBe(404);
  const allowed = [...(await answersTo(token))].flatMap(([name, status]) =>
    [401, 403].includes(status) ? [] : [name],
  );
  expect(allowed.toSorted()).toEqual([
    'cleanSiteCache',
    'createSitePrefetch',
    'createSiteRefresh',
    // What every caller has: who one is, and of what one may see.
    'currentAccount',
    'getDashboardState',
    'getMenu',
    'getRefreshLoad',
    'getSetupState',
    'getWork',
    'probeSiteRefresh',
    'retrySitePrefetch',
    'search',
    'stopSitePrefetch',
  ]);
  expect(visitor.scriptErrors).toEqual([]);
});
