import {
  makeSite,
  saveSetting,
  startDnsServer,
  startPebble,
  startWorld,
  waitFor,
  type DnsServer,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificateOrder, edgeDocument, nodeIp, siteDomain } from '../../db/schema.ts';
import { runAutomaticOrders } from './automatic-sites.ts';
import { runDueOrders } from './certificate-order.service.ts';

/** From a site without HTTPS to one that renews by itself, through a real node and an authority that looks there. */

let world: World;
let pebble: Pebble;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer('example.com', [
    '* IN A 127.0.0.1',
    'far IN A 198.51.100.7',
    'off IN A 198.51.100.7',
  ]);
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  pebble = await startPebble({ httpPort: world.edgeHttpPort, dnsServer: dns.address, sleepSeconds: 1 });
  await world.server.services.db.update(nodeIp).set({ ip: '127.0.0.1' });
  await saveSetting(world, 'SiteSetting', {
    dns_servers: [dns.address],
    compared_dns_servers: [],
    site_check: false,
  });
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
  await world?.close();
  await Promise.all([pebble?.close(), dns?.close()]);
});

const db = () => world.server.services.db;
const served = (servername: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port: world.edgeHttpsPort,
      servername,
      rejectUnauthorized: false,
    });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
const read = (id: number) => world.admin.get('getCertificateOrder', { params: { id } });
const reached = (id: number, state: string) =>
  waitFor(`the order to be ${state}`, async () => {
    const found = await read(id);
    return found.state === state && found;
  });
const certificateOf = async (certificateId: number) =>
  (await world.admin.get('listCertificates', { query: { ids: String(certificateId) } })).list[0]!;

describe('a site that wants HTTPS', () => {
  it('gets it by itself behind a password and a redirect, follows its domains, and is renewed in place', async () => {
    const origin = await world.startOrigin((_, response) => response.end('of the origin'));
    const site = await makeSite(world.admin, { port: origin.port });
    const query = { site_id: site.id };
    const { version } = await world.admin.get('getSite', { params: { id: site.id } });
    await world.admin.get('updateCertificateSettings', {
      query,
      body: { version, value: { force_https: { enabled: true }, auto_certificate: true } },
    });
    const users = [{ name: 'ann', password: 'a long password' }];
    await world.admin.get('updateAccessControl', {
      query,
      body: { version: version + 1, value: { basic_auth: { enabled: true, users } } },
    });
    const { id } = await waitFor('its order', async () => {
      const { list } = await world.admin.get('listCertificateOrders', { query });
      return list[0];
    });
    const found = await reached(id, 'valid');
    const first = await certificateOf(found.certificate_id!);
    await waitFor('the node to serve it', async () => (await served(site.domain)) === first.fingerprint);
    expect((await certificateOf(found.certificate_id!)).site_count).toBe(1);
    const { list } = await world.admin.get('listCertificateSteps', {
      params: { id },
      query: { page_size: 100 },
    });
    expect(list.find(({ kind }) => kind === 'challenge_live')!.facts).toEqual({ nodes: '1' });
    expect(list.find(({ kind }) => kind === 'answer_seen')!.facts).toEqual({
      seen: `${site.domain} (127.0.0.1)`,
    });
    const [answers] = await db().select().from(edgeDocument).where(eq(edgeDocument.kind, 'acme_challenge'));
    expect(answers).toMatchObject({ deleted: true });

    const more = `and-${site.domain}`;
    const { version: now } = await world.admin.get('getSite', { params: { id: site.id } });
    await world.admin.get('updateSiteDomains', {
      params: { id: site.id },
      body: { version: now, domains: [site.domain, more] },
    });
    const { signal } = new AbortController();
    await runAutomaticOrders(world.server.services, signal);
    await runDueOrders(world.server.services, new AbortController().signal);
    await waitFor('both names', async () =>
      (await certificateOf(found.certificate_id!)).domains.includes(more),
    );
    const second = await certificateOf(found.certificate_id!);
    expect(second.domains).toContain(site.domain);
    await waitFor('the node to serve it', async () => (await served(more)) === second.fingerprint);

    await reached(id, 'valid');
    const due = new Date(Date.now() - 1000);
    await db().update(certificateOrder).set({ renewAt: due, nextAt: due }).where(eq(certificateOrder.id, id));
    await runDueOrders(world.server.services, new AbortController().signal);
    await waitFor('a renewal at the node', async () => {
      const at = await served(site.domain);
      return at !== second.fingerprint && at === (await certificateOf(found.certificate_id!)).fingerprint;
    });
    expect(await world.admin.get('applySiteCertificate', { params: { id: site.id } })).toEqual({ id });
  });

  it('gets it for the domains that point here, and for another once it does', async () => {
    const site = await makeSite(world.admin);
    const params = { id: site.id };
    const query = { site_id: site.id };
    const { version } = await world.admin.get('getSite', { params });
    const domains = [site.domain, 'off.example.com'];
    await world.admin.get('updateSiteDomains', { params, body: { version, domains } });
    await waitFor('their check', async () => {
      const [row] = await db().select().from(siteDomain).where(eq(siteDomain.domain, 'off.example.com'));
      return row?.verdict === 'elsewhere';
    });
    const { version: now, value } = await world.admin.get('getCertificateSettings', { query });
    const body = { version: now, value: { ...value, auto_certificate: true } };
    await world.admin.get('updateCertificateSettings', { query, body });
    const states = async () =>
      (await world.admin.get('getSiteCertificates', { params })).list.map(({ state }) => state).join();
    await waitFor('the one that is here', async () => (await states()) === 'covered,absent');
    await dns.write(['* IN A 127.0.0.1', 'far IN A 198.51.100.7']);
    await world.admin.get('checkSiteDns', { params });
    await waitFor('both', async () => {
      const { signal } = new AbortController();
      await runAutomaticOrders(world.server.services, signal);
      await runDueOrders(world.server.services, signal);
      return (await states()) === 'covered,covered';
    });
  });

  it('whose name points elsewhere costs no order, and says where it points', async () => {
    const site = await makeSite(world.admin, { domain: 'far.example.com' });
    const { id } = await world.admin.get('applySiteCertificate', { params: { id: site.id } });
    const found = await reached(id, 'failed');
    expect(found).toMatchObject({
      problem: 'dns_elsewhere',
      problem_detail: 'far.example.com: 198.51.100.7',
    });
    const { list } = await world.admin.get('listCertificateSteps', {
      params: { id },
      query: { page_size: 100 },
    });
    expect(list.map(({ kind }) => kind)).toEqual(['next_try', 'failed', 'started', 'asked']);
    const [why] = list.filter(({ kind }) => kind === 'failed');
    expect(why!.facts).toEqual({ name: 'far.example.com', type: 'A', value: '127.0.0.1' });
    await dns.write(['* IN A 127.0.0.1']);
    // Whoever asks for it again does not wait for the next attempt.
    await world.admin.get('applySiteCertificate', { params: { id: site.id } });
    await reached(id, 'valid');
  });

  it('gets it while its node is away, once that is back', async () => {
    const site = await makeSite(world.admin);
    await waitFor('the site', async () => (await world.fetchEdge(site.domain, '/')).status !== 421);
    await world.stopAgent();
    const { id } = await world.admin.get('applySiteCertificate', { params: { id: site.id } });
    await waitFor('the answers to be sent', async () => {
      const { list } = await world.admin.get('listCertificateSteps', {
        params: { id },
        query: { page_size: 100 },
      });
      return list.some(({ kind }) => kind === 'challenge_sent');
    });
    expect((await read(id)).state).toBe('working');
    await world.startAgent();
    await reached(id, 'valid');
  });

  it('among many is asked for once', async () => {
    const sites = [await makeSite(world.admin), await makeSite(world.admin), await makeSite(world.admin)];
    const wild = await makeSite(world.admin, { domain: '*.wild.example.com' });
    const site_ids = [...sites, wild].map(({ id }) => id);
    const apply = () => world.admin.get('applySiteCertificates', { body: { site_ids } });
    expect(await apply()).toEqual({ begun: 3, already: 0, without_domains: 1 });
    expect(await apply()).toEqual({ begun: 0, already: 3, without_domains: 1 });
    const query = { state: 'valid' as const, page_size: 200 };
    await waitFor('all of them', async () => {
      const { list } = await world.admin.get('listCertificateOrders', { query });
      const done = new Set(list.map(({ site_id }) => site_id));
      return sites.every(({ id }) => done.has(id));
    });
    expect(await world.admin.call('applySiteCertificates', { body: { site_ids: [999_999] } })).toMatchObject({
      status: 400,
      errors: [{ path: 'site_ids.0' }],
    });
  });
});
