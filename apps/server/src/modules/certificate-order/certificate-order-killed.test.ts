import {
  makeCustomer,
  makeSite,
  saveSetting,
  startDnsHost,
  startPebble,
  startWorld,
  waitFor,
  type DnsHost,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { and, eq } from 'drizzle-orm';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { certificateOrder, operation, site as siteTable, siteDomain } from '../../db/schema.ts';
import { startServicesProcess, startWorkerProcess } from '../../jobs/test-work.ts';
import { runAutomaticOrders } from './automatic-sites.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import { runDueOrders, triesAtOnce } from './certificate-order.service.ts';
import { readOrderRow, type OrderRow } from './certificate-order.store.ts';
import { killBeforeEach } from './test-held-steps.ts';

/** A worker that is killed in the middle of an order: the next one goes on with the same. */

let world: World;
let host: DnsHost;
let pebble: Pebble;
const children: ChildProcess[] = [];
beforeAll(async () => {
  host = await startDnsHost(['example.com']);
  const [httpPort] = (await freePorts(1)) as [number];
  [world, pebble] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    startPebble({ httpPort, dnsServer: host.server, sleepSeconds: 2 }),
  ]);
  await saveSetting(world, 'SiteSetting', {
    dns_servers: [host.server],
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
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await world?.close();
  await Promise.all([pebble?.close(), host?.close()]);
});

function killable(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

function startWorkerChild(): ChildProcess {
  const file = new URL('certificate-order.job.ts', import.meta.url);
  return killable(startWorkerProcess(world, { file, name: 'certificateOrderJob' }));
}

async function makeOrder(): Promise<number> {
  const params = { url: host.apiUrl, api_key: host.apiKey, server_id: 'localhost' };
  const { list } = await world.admin.get('listClients', { query: {} });
  const { list: orders } = await world.admin.get('listOrders', { query: { client_id: list[0]!.id } });
  const site = await makeSite(world.admin, { orderId: orders[0]!.id });
  const name = `dns ${site.domain}`;
  const { id: dns } = await world.admin.get('createDnsAccount', {
    body: { name, provider: 'powerdns', params },
  });
  const { id } = await world.admin.get('createCertificateOrder', {
    body: {
      name: site.domain,
      domains: [site.domain],
      challenge: 'dns-01',
      dns_account_id: dns,
      client_id: list[0]!.id,
    },
  });
  return id;
}

it('goes on whatever step it was killed in before that was written: nothing is done twice, nothing is left out', async () => {
  const { db, database } = world.server.services;
  const id = await makeOrder();
  const [domain] = (await readOrderRow(db, id))!.domains as [string];
  const [site] = await db.select().from(siteDomain).where(eq(siteDomain.domain, domain));
  await db.update(certificateOrder).set({ siteId: site!.siteId }).where(eq(certificateOrder.id, id));
  const steps = ['ordered', 'sent', 'live', 'validating', 'validated', 'requested', 'issued', 'bound'];
  await killBeforeEach(database, steps, startWorkerChild);
  startWorkerChild();
  const query = { site_id: site!.siteId };
  const ids = await waitFor('its use', async () => {
    const { value } = await world.admin.get('getCertificateSettings', { query });
    return value.certificate_ids.length > 0 && value.certificate_ids;
  });
  const done = (await readOrderRow(db, id))!;
  expect(ids).toEqual([done.certificateId]);
  expect(await countCertificates(done)).toBe(1);
  const { list } = await world.admin.get('listCertificateSteps', {
    params: { id },
    query: { page_size: 100 },
  });
  const kinds = list.map(({ kind }) => kind).toReversed();
  // That it was told to look, and to issue, the authority knew already.
  expect(kinds.filter((kind) => kind !== 'validating' && kind !== 'requested')).toEqual([
    'asked',
    'started',
    'checked',
    'ordered',
    'record_written',
    'record_seen',
    'validated',
    'issued',
    'renewal_planned',
    'bound',
  ]);
  await waitFor('the end of its task', async () => (await readOrderRow(db, id))!.records.length === 0);
  const client = await dnsClientOf(world.server.services, done.dnsAccountId!);
  expect(await client.read('example.com', `_acme-challenge.${domain}`, 'TXT')).toBeUndefined();
}, 400_000);

const countCertificates = async ({ clientId, name }: OrderRow) =>
  (await world.admin.get('listCertificates', { query: { client_id: clientId, name } })).total;

it('ten thousand names of a thousand sites that come to want one have one order a site, whoever is killed, and few are under way at once', async () => {
  const { services } = world.server;
  const { db } = services;
  const customer = await makeCustomer(world);
  const template = await makeSite(customer.api, { orderId: customer.orderId });
  const [row] = await db.select().from(siteTable).where(eq(siteTable.id, template.id));
  const { id: _, cnameLabel: _label, ...fields } = row!;
  const rows = await db
    .insert(siteTable)
    .values(Array.from({ length: 999 }, () => fields))
    .returning({ id: siteTable.id });
  const named = (siteId: number, from: number) =>
    Array.from({ length: 10 - from }, (_each, index) => ({
      siteId,
      domain: `many-${siteId}-${from + index}.example.com`,
      position: from + index,
    }));
  const names = [...rows.flatMap(({ id }) => named(id, 0)), ...named(template.id, 1)];
  await db.insert(siteDomain).values(names);
  const query = { level: 'client' as const, target_id: customer.id };
  const { version } = await world.admin.get('getSiteLevel', { query });
  await world.admin.get('updateSiteLevelSection', {
    query: { ...query, section: 'certificate_settings' },
    body: { version, value: { auto_certificate: true }, own: ['auto_certificate'] },
  });
  const mine = eq(certificateOrder.clientId, customer.id);
  const file = JSON.stringify(new URL('automatic-sites.ts', import.meta.url).href);
  const child = killable(
    startServicesProcess(
      world,
      `
        const { runAutomaticOrders } = await import(${file});
        await runAutomaticOrders(services, new AbortController().signal);
      `,
    ),
  );
  await waitFor('some of them', async () => (await db.$count(certificateOrder, mine)) > 50);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { signal } = new AbortController();
  await Promise.all([runAutomaticOrders(services, signal), runAutomaticOrders(services, signal)]);
  const orders = await db.select().from(certificateOrder).where(mine);
  expect(orders).toHaveLength(1000);
  expect(new Set(orders.map(({ siteId }) => siteId)).size).toBe(1000);
  expect(new Set(orders.flatMap(({ domains }) => domains)).size).toBe(10_000);
  await Promise.all([runDueOrders(services, signal), runDueOrders(services, signal)]);
  expect(await db.$count(certificateOrder, eq(certificateOrder.state, 'working'))).toBe(triesAtOnce);
  const tasks = await db.$count(
    operation,
    and(eq(operation.kind, 'certificate_order'), eq(operation.clientId, customer.id)),
  );
  expect(tasks).toBe(triesAtOnce);
});
