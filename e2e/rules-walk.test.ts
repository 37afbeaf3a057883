import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startWorld, waitFor, type Reply, type World } from '@breakwater/test-world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openShell } from './shell.ts';

/** A site's rules as a new user sets them up: everything by the console, and each one's effect seen by a visitor. */

const domain = 'rules.example.com';
/** Of China Telecom; the site takes visitors' addresses from a header, so that one can come from there. */
const chinese = '202.96.128.86';

let world: World;
let visitor: Visitor;
let page: Page;
let port: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  const origin = await world.startOrigin(({ url, headers }, response) => {
    response.setHeader('X-Powered-By', 'PHP').setHeader('Cache-Control', 'max-age=600');
    response.end([headers.host, url, headers['x-tenant']].join(' ').trim());
  });
  port = origin.port;
  visitor = await openShell(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const get = (path: string, headers: Record<string, string> = {}, host = domain): Promise<Reply> =>
  world.fetchEdge(host, path, { headers });
const tab = async (name: string) => {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
};
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
const until = (
  what: string,
  check: (reply: Reply) => boolean,
  path: string,
  headers: Record<string, string> = {},
) => waitFor(what, async () => check(await get(path, headers)), 60);

async function addEntry(label: string, text: string): Promise<void> {
  await page.getByLabel(label).last().fill(text);
  await page.keyboard.press('Enter');
}

test('a site is there, and takes its visitors’ addresses from a proxy’s header', async () => {
  await page.getByRole('link', { name: 'Add site' }).first().click();
  await page.getByLabel('Domains').fill(domain);
  await page.getByLabel('Origin address').fill(`127.0.0.1:${port}`);
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  await seen(page.getByText('Live 1/1'));
  await tab('Real client IP');
  await page.getByLabel('Source', { exact: true }).click();
  await page.getByRole('option', { name: 'Request headers' }).click();
  await page.getByLabel('Headers', { exact: true }).fill('X-Real-IP');
  await page.keyboard.press('Enter');
  await page.getByLabel('Trusted proxies').fill('127.0.0.0/8');
  await save();
  await seen(page.getByText('Live on all nodes'));
  expect((await get('/')).status).toBe(200);
});

test('a folder is closed to a country', async () => {
  await tab('Access control');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await addEntry('Only these paths', '/home/');
  await page.getByRole('combobox', { name: 'Countries and regions' }).fill('China');
  await page
    .getByRole('option', { name: /^China/ })
    .first()
    .click();
  await page.keyboard.press('Escape');
  await save();
  await until('the refusal', ({ status }) => status === 403, '/home/x', { 'X-Real-IP': chinese });
  expect((await get('/home/x', { 'X-Real-IP': '8.8.8.8' })).status).toBe(200);
  expect((await get('/x', { 'X-Real-IP': chinese })).status).toBe(200);
});

test('another opens by signed links only', async () => {
  await page.getByLabel('Require signed URLs').click();
  await page.getByRole('button', { name: 'Set: Key', exact: true }).click();
  await page.getByLabel('Key', { exact: true }).fill('a-good-key');
  await addEntry('Only these paths', '/paid/');
  await save();
  await until('the refusal', ({ status }) => status === 403, '/paid/film');
  const stamp = `${Math.floor(Date.now() / 1000)}-0-0`;
  const digest = createHash('md5').update(`/paid/film-${stamp}-a-good-key`).digest('hex');
  const link = `/paid/film?auth_key=${stamp}-${digest}`;
  expect((await get(link)).body).toBe(`${domain} /paid/film`);
  expect((await get(link.replace('film', 'other'))).status).toBe(403);
  expect((await get('/x')).status).toBe(200);
});

test('pictures are shown by no other site', async () => {
  await tab('Hotlink protection');
  await page.getByRole('switch', { name: 'Enable hotlink protection' }).click();
  await addEntry('Only these paths', '*.jpg');
  await save();
  const elsewhere = { Referer: 'https://other.example/' };
  await until('the refusal', ({ status }) => status === 403, '/a.jpg', elsewhere);
  expect((await get('/a.jpg', { Referer: `https://${domain}/` })).status).toBe(200);
  expect((await get('/a.png', elsewhere)).status).toBe(200);
});

test('header fields are rewritten, and an old path leads to the new one', async () => {
  await tab('Rewrites');
  await page.getByRole('button', { name: 'Add redirect' }).click();
  const redirect = rowOf(page, 'Redirects', 1);
  await redirect.getByLabel('From').fill('/old/');
  await redirect.getByLabel('To', { exact: true }).fill('/new/');
  await seen(page.getByRole('status').getByText('/new/page?x=1').first());
  await page.getByRole('button', { name: 'Add response header rule' }).click();
  const answer = rowOf(page, 'Response headers', 1);
  await answer.getByLabel('Header name').fill('X-Frame-Options');
  await answer.getByLabel('Value').fill('DENY');
  await page.getByRole('button', { name: 'Add request header rule' }).click();
  const sent = rowOf(page, 'Origin request headers', 1);
  await sent.getByLabel('Header name').fill('X-Tenant');
  await sent.getByLabel('Value').fill('blue');
  await save();
  await until('the redirect', ({ status }) => status === 301, '/old/page?x=1');
  expect((await get('/old/page?x=1')).headers.location).toBe('/new/page?x=1');
  const { headers, body } = await get('/fresh');
  expect([headers['x-frame-options'], body]).toEqual(['DENY', `${domain} /fresh blue`]);
});

test('a blocked address and a cached one are explained', async () => {
  const step = (name: string) =>
    page
      .getByRole('list', { name: 'Request trace' })
      .locator('> li')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });
  const explain = async (path: string, address: string) => {
    await page.getByLabel('URL', { exact: true }).fill(`http://${domain}${path}`);
    await page.getByLabel('Connection IP').fill(address);
    await page.getByRole('button', { name: 'Run trace', exact: true }).click();
  };
  await tab('Request trace');
  await explain('/home/x', chinese);
  await seen(page.getByRole('status').getByText('The request ends at “Access control”.'));
  await get('/kept');
  expect((await get('/kept')).headers['x-cache']).toBe('HIT');
  await explain('/kept', '127.0.0.1');
  await seen(
    page.getByRole('status').getByText('Cached on the node and still fresh: served from the cache.'),
  );
  await seen(step('Cache').getByText('Cached now: yes'));
  await seen(page.getByText('The node and the saved configuration agree.'));
});

/**
 * What Debian's packages bring for nginx, with names of our own and one application twice, as somebody who moves here has
 * it: ten sites in twelve `server` blocks. PHP's own protocol is not spoken here, so such a site is told its web server.
 */
const packages = '/usr/share/doc';
const moved = (name: string) => `${name}.moved.test`;

function serversOf(file: string, ...names: string[]): string {
  let next = 0;
  return readFileSync(file, 'utf8')
    .replace('server unix:/tmp/gunicorn.sock', `server 127.0.0.1:${port}`)
    .replaceAll(/^(\s*server_name) .*;/gm, (_, directive: string) => `${directive} ${names[next++]!};`);
}

test('a configuration of nginx with ten servers becomes sites that work', async () => {
  const examples = `${packages}/nginx/examples`;
  const application = `${packages}/gunicorn-examples/examples/nginx.conf`;
  const text = [
    serversOf(`${examples}/drupal`, moved('drupal')),
    serversOf(`${examples}/wordpress`, moved('blog')),
    serversOf(`${examples}/wordpress`, moved('news')),
    serversOf(`${examples}/mailman`, moved('lists')),
    serversOf(`${examples}/virtual_hosts`, moved('files'), moved('alias'), moved('secure')),
    serversOf('/etc/nginx/sites-available/default', moved('start')),
    serversOf(application, moved('app')),
    serversOf(application, moved('shop')).replaceAll('app_server', 'shop_server'),
  ].join('\n');
  await page.goto('/dashboard/site/batch?tab=import');
  await page.getByLabel('Content').fill(text);
  await page.getByRole('button', { name: 'Preview' }).click();
  await seen(page.getByText('10 sites found', { exact: true }));
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByLabel(`Import ${moved(name)}`) });
  for (const name of ['app', 'shop'])
    expect(await row(name).getByLabel('Origins').inputValue()).toBe(`127.0.0.1:${port}`);
  for (const name of ['drupal', 'blog', 'news', 'lists', 'files', 'alias', 'secure', 'start']) {
    await row(name).getByLabel('Origins').fill(`127.0.0.1:${port}`);
    await page.keyboard.press('Tab');
  }
  await page.getByLabel('Bring online after creation').click();
  await page.getByRole('button', { name: 'Create 10 sites' }).click();
  const names = ['drupal', 'blog', 'news', 'files', 'alias', 'secure', 'start', 'app', 'shop'];
  for (const name of names)
    await waitFor(
      `${name} to be served`,
      async () => (await get('/page?x=1', {}, moved(name))).body === `${moved(name)} /page?x=1`,
      120,
    );
  const lists = async (path: string) => get(path, {}, moved('lists'));
  await waitFor('the lists to be served', async () => (await lists('/')).status === 301, 120);
  expect((await lists('/')).headers.location).toBe('/mailman/listinfo');
  expect((await lists('/about')).body).toBe(`${moved('lists')} /mailman/about`);
  expect((await lists('/mailman/listinfo')).body).toBe(`${moved('lists')} /mailman/listinfo`);
  await get('/style.css', {}, moved('blog'));
  const kept = await get('/style.css', {}, moved('blog'));
  // A browser counts the lifetime from when the answer was made.
  const lifetime = 31_536_000 + Number(kept.headers.age ?? 0);
  expect([kept.headers['x-cache'], kept.headers['cache-control']]).toEqual(['HIT', `max-age=${lifetime}`]);
  expect(visitor.scriptErrors).toEqual([]);
});
