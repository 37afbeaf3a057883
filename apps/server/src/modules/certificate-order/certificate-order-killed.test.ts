import {
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
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { startWorkerProcess } from '../../jobs/test-work.ts';
import { readOrderRow, type OrderRow } from './certificate-order.store.ts';

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
  await saveSetting(world, 'SiteSetting', { dns_servers: [host.server], site_check: false });
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

function startChild(): ChildProcess {
  const file = new URL('certificate-order.job.ts', import.meta.url);
  const child = startWorkerProcess(world, { file, name: 'certificateOrderJob' });
  children.push(child);
  return child;
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

it.each(['ordered', 'sent', 'validating', 'requested'])(
  'goes on from where it is %s, with one order and one certificate',
  async (phase) => {
    const id = await makeOrder();
    const child = startChild();
    const row = async () => (await readOrderRow(world.server.services.db, id))!;
    const reached = await waitFor(`it to be ${phase}`, async () => {
      const found = await row();
      return (phasesFrom(phase).includes(found.phase) || found.state === 'valid') && found;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const url = (await row()).orderUrl || reached.orderUrl;
    startChild();
    const done = await waitFor('the certificate', async () => {
      const found = await row();
      if (found.orderUrl !== '') expect(found.orderUrl).toBe(url);
      return found.state === 'valid' && found;
    });
    const { list } = await world.admin.get('listCertificateSteps', {
      params: { id },
      query: { page_size: 100 },
    });
    for (const kind of ['ordered', 'validated', 'requested', 'issued'])
      expect(
        list.filter((step) => step.kind === kind),
        kind,
      ).toHaveLength(1);
    expect(await countCertificates(done)).toBe(1);
  },
);

const phases = ['ordered', 'sent', 'live', 'validating', 'validated', 'requested'];
const phasesFrom = (phase: string) => phases.slice(phases.indexOf(phase));
const countCertificates = async ({ clientId, name }: OrderRow) =>
  (await world.admin.get('listCertificates', { query: { client_id: clientId, name } })).total;
