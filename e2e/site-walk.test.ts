import { readFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { request as requestTls } from 'node:https';
import { join, normalize } from 'node:path';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { startWorld, waitFor, type Reply, type World } from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { freePorts } from '@breakwater/test-world/ports';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser, rowOf, seen, type Visitor } from './browser.ts';
import { openShell } from './shell.ts';

/**
 * Delivery as a new user sets it up: two plain servers with a documentation tree, everything by the console, and each
 * section's effect seen by a visitor. Real addresses have `site-real-ip.test.ts`, 500 sites at once `site-batch.test.ts`.
 */

const domain = 'walk.example.com';
const documentation = '/usr/share/doc/nginx';

let world: World;
let visitor: Visitor;
let page: Page;
let ports: [number, number, number];
let servers: [Server, Server];
const asked = [0, 0];

/** A plain file server that says its name and nothing of caching. */
function plainServer(index: 0 | 1): Server {
  return createServer((incoming, response) => {
    if (incoming.headers['user-agent']?.includes('health') !== true) asked[index]! += 1;
    const path = normalize(new URL(incoming.url ?? '/', 'http://origin').pathname);
    readFile(join(documentation, path)).then(
      (bytes) => response.writeHead(200, { 'content-type': 'text/plain', 'x-from': `${index}` }).end(bytes),
      () => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n'),
    );
  });
}

const open = (index: 0 | 1) => {
  servers[index] = plainServer(index);
  return new Promise<void>((settle) => servers[index].listen(ports[index], '127.0.0.1', settle));
};
const shut = (server: Server) => {
  server.closeAllConnections();
  return new Promise((settle) => server.close(settle));
};

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  ports = (await freePorts(3)) as [number, number, number];
  servers = [plainServer(0), plainServer(1)];
  await open(0);
  await open(1);
  visitor = await openShell(world);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await Promise.all(servers.map(shut));
});

const get = (path: string, headers = {}): Promise<Reply> => world.fetchEdge(domain, path, { headers });
const tab = async (name: string) => {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
};
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
/** What was saved is live when a visitor sees it. */
const until = (what: string, check: (reply: Reply) => boolean, path = '/copyright', headers = {}) =>
  waitFor(what, async () => check(await get(path, headers)), 30);

test('a site with two origins is delivered, from both', async () => {
  await page.getByRole('link', { name: 'Add site' }).first().click();
  await page.getByLabel('Domains').fill(domain);
  await page.getByLabel('Origin address').fill(`127.0.0.1:${ports[0]}`);
  await page.getByRole('button', { name: 'Add site', exact: true }).click();
  await seen(page.getByRole('heading', { name: domain, level: 1 }));
  await seen(page.getByText('Live 1/1'));
  await tab('Origin');
  await page.getByRole('button', { name: 'Add origin' }).click();
  const second = page.getByRole('group', { name: /origin/i }).last();
  await second.getByLabel('Address').fill('127.0.0.1');
  await second.getByLabel('HTTP port').fill(`${ports[1]}`);
  await save();
  let count = 0;
  await waitFor('answers of both', async () => {
    expect((await get(`/README?${(count += 1)}`)).status).toBe(200);
    return asked[0]! > 0 && asked[1]! > 0;
  });
});

test('a folder is kept, another is not', async () => {
  await tab('Cache');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = rowOf(page, 'Cache rules', 1);
  await rule.getByLabel('Match by').click();
  await page.getByRole('option', { name: 'Folder' }).click();
  await rule.getByLabel('Matches').fill('/examples/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await save();
  await until('a hit', ({ headers }) => headers['x-cache'] === 'HIT', '/examples/http');
  const before = asked[0]! + asked[1]!;
  for (const _ of [1, 2, 3]) expect((await get('/examples/http')).headers['x-cache']).toBe('HIT');
  expect(asked[0]! + asked[1]!).toBe(before);
  const other = await get('/support-irc');
  expect((await get('/support-irc')).headers['x-cache']).not.toBe('HIT');
  expect(other.body).toBe(await readFile(`${documentation}/support-irc`, 'utf8'));
});

test('text is compressed', async () => {
  await tab('Compression and preload');
  await page.getByRole('switch', { name: 'gzip' }).click();
  await save();
  const packed = { 'accept-encoding': 'gzip' };
  await until('gzip', ({ headers }) => headers['content-encoding'] === 'gzip', '/copyright', packed);
  expect((await get('/copyright')).headers['content-encoding']).toBeUndefined();
});

test('a port of its own answers', async () => {
  await tab('Ports');
  await page.getByLabel('HTTP ports', { exact: true }).fill(`${ports[2]}`);
  await save();
  await waitFor('the port', async () => (await statusAt(ports[2]).catch(() => 0)) === 200, 30);
});

function statusAt(port: number): Promise<number> {
  return new Promise((settle, refuse) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/README', headers: { host: `${domain}:${port}` }, agent: false },
      (response) => {
        response.resume();
        settle(response.statusCode ?? 0);
      },
    );
    call.on('error', refuse);
    call.end();
  });
}

/** Over TLS, trusting that authority and no other. */
function overTls(
  authority: Authority,
  maxVersion?: SecureVersion,
): Promise<{ status: number; serial: string; version: string | null; hsts: string | undefined }> {
  const options = {
    host: '127.0.0.1',
    port: world.edgeHttpsPort,
    servername: domain,
    headers: { host: domain },
    ca: authority.certificate,
    agent: false,
    ...(maxVersion === undefined ? {} : { maxVersion }),
  } as const;
  return new Promise((settle, refuse) => {
    const call = requestTls({ ...options, path: '/copyright' }, (response) => {
      const socket = response.socket as TLSSocket;
      const serial = socket.getPeerCertificate().serialNumber;
      response.resume();
      response.on('end', () =>
        settle({
          status: response.statusCode!,
          serial,
          version: socket.getProtocol(),
          hsts: response.headers['strict-transport-security'],
        }),
      );
    });
    call.on('error', refuse);
    call.end();
  });
}

test('HTTPS has the certificate that was uploaded, is asked for, remembered and no older than it may be', async () => {
  const authority = await Authority.make('Walk');
  try {
    const pair = await authority.issue([domain]);
    await expect(overTls(authority)).rejects.toThrow(/certificate/);

    await tab('HTTPS');
    await page.getByRole('link', { name: 'Upload certificate' }).click();
    await page.getByRole('button', { name: 'Upload certificate' }).first().click();
    await page.getByLabel('Name').last().fill('walk');
    await page.getByLabel('Certificate (PEM)').fill(pair.certificate);
    await page.getByLabel('Private key (PEM)').fill(pair.key);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await seen(page.getByRole('cell', { name: domain }));
    await page.goBack();
    await page.getByLabel('Certificates in use').click();
    await page.getByRole('option', { name: new RegExp(`walk .*${domain}`) }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Redirect HTTP to HTTPS').click();
    await page.getByLabel('HTTPS port').fill(`${world.edgeHttpsPort}`);
    await page.getByLabel('Enable HSTS').click();
    await save();
    const presented = async () => {
      const { status, serial, hsts } = await overTls(authority);
      return [status, serial, hsts?.split(';')[0]];
    };
    const wanted = [200, pair.serial, 'max-age=31536000'];
    await expect.poll(() => presented().catch(String)).toEqual(wanted);
    const { status, headers } = await get('/copyright?a');
    expect([status, headers.location]).toEqual([301, `https://${domain}:${world.edgeHttpsPort}/copyright?a`]);
    expect((await overTls(authority, 'TLSv1.2')).version).toBe('TLSv1.2');

    await page.getByLabel('Minimum version').click();
    await page.getByRole('option', { name: 'TLS 1.3' }).click();
    await page.getByLabel('Redirect HTTP to HTTPS').click();
    await save();
    await until('no redirect', (reply) => reply.status === 200);
    await expect(overTls(authority, 'TLSv1.2')).rejects.toThrow(/alert|version|handshake/i);
    expect((await overTls(authority)).version).toBe('TLSv1.3');
  } finally {
    await authority.close();
  }
});

test('an error page of its own is shown', async () => {
  await tab('Advanced');
  await page.getByRole('button', { name: 'Add error page' }).first().click();
  await page.getByRole('textbox', { name: 'Content', exact: true }).fill('<h1>Nothing at {{host}}</h1>');
  await save();
  await until('the page', ({ body }) => body === `<h1>Nothing at ${domain}</h1>`, '/no-such-file');
  expect((await get('/no-such-file')).status).toBe(404);
});

test('too many requests are refused, until that section is rolled back and no other', async () => {
  await tab('Limits');
  await page.getByLabel('Requests', { exact: true }).first().fill('1');
  await page.getByLabel('Period', { exact: true }).fill('3600');
  await page.getByLabel('Burst').fill('0');
  await save();
  await until('429', ({ status }) => status === 429);
  expect(Number((await get('/copyright')).headers['retry-after'])).toBeGreaterThan(60);

  await tab('Versions');
  // Every version before the limits will do for their section; the others stay as they are.
  await page.getByRole('button', { name: /Version 2\b/ }).click();
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Rollback scope').click();
  await page.getByRole('option', { name: 'Limits' }).click();
  await form.getByRole('button', { name: 'Roll back to this version' }).click();
  await until('no limit', ({ status }) => status === 200);
  expect((await get('/no-such-file')).body).toBe(`<h1>Nothing at ${domain}</h1>`);
  expect((await get('/examples/http')).headers['x-cache']).toBe('HIT');
});

test('one of two origins breaks and comes back: visitors notice nothing, and the times are on the screen', async () => {
  await tab('Health checks');
  await page.getByLabel('Enable health checks').check();
  await page.getByLabel('Check type').click();
  await page.getByRole('option', { name: 'TCP connection' }).click();
  await page.getByLabel('Interval', { exact: true }).fill('2');
  await page.getByLabel('Timeout', { exact: true }).fill('1');
  await page.getByLabel('Failures').fill('1');
  await page.getByLabel('Successes').fill('1');
  await page.getByLabel('Minimum time out of rotation', { exact: true }).fill('1');
  await save();
  const state = page.getByRole('table', { name: 'Current status' });
  const history = page.getByRole('table', { name: 'History' });
  await waitFor(
    'two origins that are up',
    async () => (await state.getByText('Healthy', { exact: true }).count()) === 2,
    30,
  );

  await shut(servers[0]);
  const statuses = new Set<number>();
  let count = 0;
  const visit = async () => statuses.add((await get(`/README?out=${(count += 1)}`)).status);
  for (let time = 0; time < 20; time++) await visit();
  await seen(state.getByText('Unhealthy'));
  const down = history.getByRole('row').filter({ hasText: 'Taken out' });
  await seen(down);
  for (let time = 0; time < 20; time++) await visit();
  expect([...statuses]).toEqual([200]);

  await open(0);
  const back = history.getByRole('row').filter({ hasText: 'Back in rotation' });
  await seen(back);
  asked[0] = 0;
  await waitFor(
    'requests at the first',
    async () => {
      await visit();
      return asked[0]! > 0;
    },
    30,
  );
  expect([...statuses]).toEqual([200]);
  const [wentDown, cameBack] = await Promise.all(
    [down, back].map((row) => row.first().locator('time').first().getAttribute('datetime')),
  );
  expect(Date.parse(cameBack!)).toBeGreaterThan(Date.parse(wentDown!));
  expect(visitor.scriptErrors).toEqual([]);
});
