import {
  makeCustomer,
  makeSite,
  saveSetting,
  startDnsServer,
  startPebble,
  startWorld,
  unique,
  waitFor,
  type DnsServer,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { request, type IncomingHttpHeaders, type Server } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { connect as connectPlain, type AddressInfo } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildListener } from '../listener.ts';
import { makeHttpPort } from './challenge.ts';

/** The consoles and the node API by HTTPS on the ports that they have. */

let world: World;
let authority: Authority;
let id: number;
beforeAll(async () => {
  authority = await Authority.make('consoles');
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  id = (await world.admin.get('createCertificate', { body: await makeBody() })).id;
});
afterAll(async () => {
  await world?.close();
  await authority?.close();
});

const hostname = 'console.example.com';
async function makeBody() {
  const { certificate, key } = await authority.issue([hostname]);
  return { name: unique('console'), certificate, private_key: key };
}
const portOf = (url: string) => Number(new URL(url).port);
const read = () => world.server.services.https.read();

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
}
const get = (url: string, path: string) =>
  new Promise<Seen>((resolve, reject) => {
    const secure = url.startsWith('https:');
    const options = {
      host: '127.0.0.1',
      port: portOf(url),
      path,
      agent: false,
      headers: { host: hostname },
    };
    const asked = secure
      ? requestSecurely({ ...options, servername: hostname, ca: authority.certificate })
      : request(options);
    asked.on('response', (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode!, headers: answer.headers });
    });
    asked.on('error', reject);
    asked.end();
  });
const serialOf = (port: number) => shownSerial(port, { ca: authority.certificate });
/** Whoever signed it. */
const shownSerial = (port: number, trust: ConnectionOptions = { rejectUnauthorized: false }) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: hostname, ...trust });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
const secured = (url: string) => url.replace('http:', 'https:');

describe('without a certificate', () => {
  it('the ports speak HTTP alone', async () => {
    await expect(get(secured(world.adminUrl), '/healthz')).rejects.toThrow(/SSL|ECONNRESET|socket/);
    expect(await get(world.adminUrl, '/healthz')).toMatchObject({ status: 200 });
  });

  it('none is sent elsewhere, and none can be chosen that is not there or a customer’s', async () => {
    const { version } = await world.admin.get('getPlatformHttps', {});
    const save = (value: object) => world.admin.call('updatePlatformHttps', { body: { version, value } });
    const customer = await makeCustomer(world);
    const body = { ...(await makeBody()), client_id: customer.id };
    const { id: foreign } = await world.admin.get('createCertificate', { body });
    for (const value of [{ redirect: true }, { certificate_id: 999_999 }, { certificate_id: foreign }])
      expect(await save(value)).toMatchObject({
        status: 400,
        errors: [{ path: 'value.certificate_id' }],
      });
  });
});

describe('with a certificate', () => {
  beforeAll(async () => {
    await saveSetting(world, 'PlatformHttps', { certificate_id: id, redirect: false });
    await read();
  });

  it('both ports speak HTTPS beside HTTP', async () => {
    for (const url of [world.adminUrl, world.userUrl]) {
      expect(await get(secured(url), '/healthz')).toMatchObject({ status: 200 });
      expect(await get(url, '/healthz')).toMatchObject({ status: 200 });
      expect((await get(secured(url), '/prod-api/site')).status).toBe(401);
    }
  });

  it('another one in its place is shown without a restart', async () => {
    const before = await serialOf(portOf(world.adminUrl));
    const { version } = await world.admin.get('getCertificate', { params: { id } });
    const { certificate, key } = await authority.issue([hostname]);
    const body = { version, name: unique('console'), certificate, private_key: key };
    await world.admin.get('updateCertificate', { params: { id }, body });
    await waitFor('the other one', async () => (await serialOf(portOf(world.userUrl))) !== before);
  });

  it('that one cannot be deleted', async () => {
    expect(await world.admin.call('removeCertificate', { params: { id } })).toMatchObject({ status: 409 });
    const answer = await world.admin.get('removeCertificates', {
      body: { certificates: { certificate_ids: [id] } },
    });
    expect(answer).toMatchObject({ removed: 0, kept: [{ id }] });
  });

  it('whoever says nothing, or no TLS after all, troubles nobody', async () => {
    const port = portOf(world.adminUrl);
    const mute = connectPlain(port, '127.0.0.1');
    const broken = connectPlain(port, '127.0.0.1', () =>
      broken.write(Buffer.from([22, 3, 1, 0, 4, 9, 9, 9, 9])),
    );
    await new Promise((resolve) => broken.once('close', resolve).resume());
    expect((await get(secured(world.adminUrl), '/healthz')).status).toBe(200);
    mute.destroy();
  });

  it('HTTP is sent to HTTPS, but for nodes, health checks and the machine itself', async () => {
    await saveSetting(world, 'PlatformHttps', { certificate_id: id, redirect: true });
    await read();
    expect((await get(world.adminUrl, '/prod-api/site')).status).toBe(401);
    const app = await buildListener(world.server.services, 'user');
    const ask = (url: string, remoteAddress = '198.51.100.7') =>
      app.inject({ url, remoteAddress, headers: { host: `${hostname}:8080` } });
    expect(await ask('/dashboard?a=b')).toMatchObject({
      statusCode: 308,
      headers: { location: `https://${hostname}:8080/dashboard?a=b` },
    });
    expect((await ask('/node-api/session')).statusCode).not.toBe(308);
    expect((await ask('/healthz')).statusCode).toBe(200);
    expect((await ask('/prod-api/site', '127.0.0.1')).statusCode).toBe(401);
    await app.close();
    await saveSetting(world, 'PlatformHttps', { certificate_id: null, redirect: false });
    await read();
    await expect(get(secured(world.adminUrl), '/healthz')).rejects.toThrow(/SSL|ECONNRESET|socket/);
  });
});

describe('a certificate of the platform’s own names', () => {
  let dns: DnsServer;
  let pebble: Pebble;
  let port: Server;
  beforeAll(async () => {
    dns = await startDnsServer('example.com', ['console IN A 127.0.0.1']);
    port = makeHttpPort(world.server.services);
    await new Promise<void>((resolve) => void port.listen(0, '127.0.0.1', resolve));
    const { port: httpPort } = port.address() as AddressInfo;
    pebble = await startPebble({ httpPort, dnsServer: dns.address });
    await saveSetting(world, 'SiteSetting', { dns_servers: [dns.address], compared_dns_servers: [] });
    const body = {
      name: 'pebble',
      directory: 'other' as const,
      directory_url: pebble.directoryUrl,
      directory_ca: pebble.ca,
      terms_agreed: true,
    };
    await world.admin.get('createAcmeAccount', { body });
  });
  afterAll(async () => {
    port?.close();
    await Promise.all([pebble?.close(), dns?.close()]);
  });
  const plain = () => `http://127.0.0.1:${(port.address() as AddressInfo).port}`;

  it('is obtained by what the control plane answers, shown, and renewed without a restart', async () => {
    const { id: order } = await world.admin.get('createCertificateOrder', {
      body: { name: 'consoles', domains: [hostname] },
    });
    const done = () =>
      waitFor('the certificate', async () => {
        const found = await world.admin.get('getCertificateOrder', { params: { id: order } });
        return found.state === 'valid' && found;
      });
    const { certificate_id, client_id } = await done();
    expect(client_id).toBeNull();
    const query = { owner: 'platform' as const, page_size: 200 };
    const { list } = await world.admin.get('listCertificates', { query });
    expect(list.find(({ id: each }) => each === certificate_id)).toMatchObject({
      client_id: null,
      client_name: null,
      domains: [hostname],
    });
    const steps = await world.admin.get('listCertificateSteps', {
      params: { id: order },
      query: { page_size: 100 },
    });
    expect(steps.list.map(({ kind }) => kind)).toContain('challenge_ready');
    expect((await get(plain(), '/')).status).toBe(404);

    await saveSetting(world, 'PlatformHttps', { certificate_id, redirect: true });
    await read();
    const before = await shownSerial(portOf(world.adminUrl));
    expect(await get(plain(), '/dashboard')).toMatchObject({
      status: 308,
      headers: { location: `https://${hostname}:${world.server.services.config.userPort}/dashboard` },
    });
    expect((await get(plain(), '/.well-known/acme-challenge/0123456789abcdef0123')).status).toBe(404);
    // Behind our own name it would be another one: `https://console.example.comhttp://…`.
    expect((await get(plain(), 'http://evil.example/')).status).toBe(404);
    await world.admin.get('runCertificateOrder', { params: { id: order } });
    await waitFor('its renewal', async () => (await shownSerial(portOf(world.userUrl))) !== before);
  });

  it('is no customer’s to see or to use', async () => {
    const customer = await makeCustomer(world);
    expect((await customer.api.call('getCertificate', { params: { id } })).status).toBe(404);
    const site = await makeSite(customer.api);
    const query = { site_id: site.id };
    const { version } = await customer.api.get('getCertificateSettings', { query });
    const body = { version, value: { certificate_ids: [id] } };
    expect((await customer.api.call('updateCertificateSettings', { query, body })).status).toBe(400);
  });
});
