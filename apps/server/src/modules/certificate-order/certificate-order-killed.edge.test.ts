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
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument, nodeIp } from '../../db/schema.ts';
import { startWorkerProcess } from '../../jobs/test-work.ts';
import { killBeforeEach } from './test-held-steps.ts';

/** A worker that is killed in the middle of an order that nodes answer for. By DNS: `certificate-order-killed.test.ts`. */

let world: World;
let pebble: Pebble;
let dns: DnsServer;
const children: ChildProcess[] = [];
beforeAll(async () => {
  dns = await startDnsServer('example.com', ['* IN A 127.0.0.1']);
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  pebble = await startPebble({ httpPort: world.edgeHttpPort, dnsServer: dns.address });
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
  children.forEach((child) => child.kill('SIGKILL'));
  await world?.close();
  await Promise.all([pebble?.close(), dns?.close()]);
});

function startWorkerChild(): ChildProcess {
  const file = new URL('certificate-order.job.ts', import.meta.url);
  const child = startWorkerProcess(world, { file, name: 'certificateOrderJob' });
  children.push(child);
  return child;
}

it('goes on whatever step it was killed in before that was written, and its site uses the certificate', async () => {
  const { db, database } = world.server.services;
  const site = await makeSite(world.admin);
  const { id } = await world.admin.get('applySiteCertificate', { params: { id: site.id } });
  const steps = ['ordered', 'sent', 'live', 'validating', 'validated', 'requested', 'issued', 'bound'];
  await killBeforeEach(database, steps, startWorkerChild);
  startWorkerChild();
  await waitFor('its use', async () => {
    const { list } = await world.admin.get('getSiteCertificates', { params: { id: site.id } });
    return list.every(({ state }) => state === 'covered');
  });
  const { list } = await world.admin.get('listCertificateSteps', {
    params: { id },
    query: { page_size: 100 },
  });
  const kinds = list.map(({ kind }) => kind).toReversed();
  // That it was told to look, and to issue, the authority knew already; what was seen before is told with that.
  expect(kinds.filter((kind) => !/^(?:validating|requested|answer_)/.test(kind))).toEqual([
    'asked',
    'started',
    'checked',
    'ordered',
    'challenge_sent',
    'challenge_live',
    'validated',
    'issued',
    'renewal_planned',
    'bound',
  ]);
  const answers = await db.select().from(edgeDocument).where(eq(edgeDocument.kind, 'acme_challenge'));
  expect(answers).toMatchObject([{ deleted: true }]);
}, 400_000);
