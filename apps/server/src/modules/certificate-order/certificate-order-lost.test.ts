import { makeSite, waitFor } from '@breakwater/test-world';
import { arrayOverlaps, eq } from 'drizzle-orm';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { startWorkerProcess } from '../../jobs/test-work.ts';
import { runAutomaticOrders } from './automatic-sites.ts';
import { runDueOrders } from './certificate-order.service.ts';
import { readOrderRow, type OrderRow } from './certificate-order.store.ts';
import { takeStep } from './order-run.ts';
import { OrderWorld } from './test-orders.ts';

/** What is lost on the way: the order at the authority, or a name, which goes to another customer while it is proven. */

let w: OrderWorld;
const children: ChildProcess[] = [];
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'), { worker: false });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(() => w?.close());

const { signal } = new AbortController();
const startWorker = () => {
  const file = new URL('certificate-order.job.ts', import.meta.url);
  children.push(startWorkerProcess(w.world, { file, name: 'certificateOrderJob' }));
};
const rowOf = async (id: number): Promise<OrderRow> => (await readOrderRow(w.db, id))!;
/** With whom nothing else is under way, as a worker would go on. */
async function stepTo(id: number, phase: string): Promise<OrderRow> {
  return waitFor(`it to be ${phase}`, async () => {
    const row = await rowOf(id);
    if (row.phase === phase) return row;
    await takeStep({ services: w.world.server.services, row, signal });
    return false;
  });
}

/** A site of the first customer with a domain that stays theirs, and one that does not. */
async function makeSites() {
  const site = await makeSite(w.one.api, { orderId: w.one.orderId });
  const taken = `taken.${site.domain}`;
  const { version } = await w.world.admin.get('getSite', { params: { id: site.id } });
  const domains = [site.domain, `*.${site.domain}`, taken];
  await w.world.admin.get('updateSiteDomains', { params: { id: site.id }, body: { version, domains } });
  return { ...site, taken, domains };
}
/** As when the other one proved that it is theirs. */
async function give(domain: string) {
  const site = await makeSite(w.other.api, { orderId: w.other.orderId, domain });
  await w.world.admin.get('grantDomain', { params: { id: site.id }, body: { domain } });
}
const certificatesFor = (domain: string) =>
  w.db.$count(certificate, arrayOverlaps(certificate.domains, [domain]));

describe('a name that goes to another customer during an order', () => {
  it('ends it with clear words and no certificate, however far it was', async () => {
    const orders = [];
    for (const phase of ['ordered', 'sent', 'live', 'validating', 'validated', 'requested']) {
      const { taken, domain } = await makeSites();
      const { data } = await w.order(w.one, {}, [domain, taken]);
      await stepTo(data.id, phase);
      await give(taken);
      orders.push({ id: data.id, taken, phase });
    }
    startWorker();
    for (const { id, taken, phase } of orders) {
      const found = await w.reached(id, 'failed');
      expect(found, phase).toMatchObject({
        problem: 'name_not_served',
        problem_detail: taken,
        certificate_id: null,
      });
      const row = await waitFor('its records to be gone', async () => {
        const last = await rowOf(id);
        return last.records.length === 0 && last;
      });
      expect([row.orderUrl, row.orderKey], phase).toEqual(['', null]);
      expect(await certificatesFor(taken), phase).toBe(0);
      // Nor is a record written for a name that is not theirs any more.
      const kinds = (await w.stepsOf(id)).map(({ kind }) => kind);
      expect(kinds.includes('record_written'), phase).toBe(phase !== 'ordered');
    }
  });

  it('is left out where the order follows its site, and the others get their certificate', async () => {
    const site = await makeSites();
    const query = { site_id: site.id };
    const { version, value } = await w.world.admin.get('getCertificateSettings', { query });
    const settings = { ...value, auto_certificate: true, auto_dns_account_id: w.dnsId };
    await w.world.admin.get('updateCertificateSettings', { query, body: { version, value: settings } });
    const { services } = w.world.server;
    await runAutomaticOrders(services, signal);
    await runDueOrders(services, signal);
    const [order] = await w.db.select().from(certificateOrder).where(eq(certificateOrder.siteId, site.id));
    const { id } = order!;
    await stepTo(id, 'validating');
    await give(site.taken);
    startWorker();
    await w.reached(id, 'failed');
    await waitFor('the others', async () => {
      await runAutomaticOrders(services, signal);
      await runDueOrders(services, signal);
      return (await w.read(id)).state === 'valid';
    });
    const found = await w.certificateOf((await w.read(id)).certificate_id!);
    expect(found.domains.toSorted()).toEqual(site.domains.slice(0, 2).toSorted());
    expect(await certificatesFor(site.taken)).toBe(0);
  });
});

describe('an order that the authority has no longer', () => {
  it.each([
    [
      'is unknown there',
      async (row: OrderRow) => {
        const orderUrl = `${row.orderUrl}-gone`;
        await w.db.update(certificateOrder).set({ orderUrl }).where(eq(certificateOrder.id, row.id));
      },
    ],
    [
      'has not been decided for hours',
      async (row: OrderRow) => {
        const waitingSince = new Date(Date.now() - 3 * 3_600_000);
        await w.db.update(certificateOrder).set({ waitingSince }).where(eq(certificateOrder.id, row.id));
      },
    ],
  ])('since it %s is begun anew at the next try, and there is one certificate', async (_, lose) => {
    const { data } = await w.order(w.one);
    const { id } = data;
    await lose(await stepTo(id, 'sent'));
    const { orderUrl: before } = await rowOf(id);
    startWorker();
    const failed = await w.reached(id, 'failed');
    expect(failed).toMatchObject({ problem: 'order_expired', failures: 1 });
    expect(Date.parse(failed.next_at!)).toBeGreaterThan(Date.now());
    expect((await rowOf(id)).orderUrl).toBe('');
    await w.db.update(certificateOrder).set({ nextAt: new Date() }).where(eq(certificateOrder.id, id));
    const { services } = w.world.server;
    await Promise.all([runDueOrders(services, signal), runDueOrders(services, signal)]);
    const urls = new Set<string>();
    const done = await waitFor('the certificate', async () => {
      const row = await rowOf(id);
      if (row.orderUrl !== '') urls.add(row.orderUrl);
      return row.state === 'valid' && row;
    });
    urls.delete(before);
    expect(urls.size).toBeLessThanOrEqual(1);
    const kinds = (await w.stepsOf(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'ordered')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'issued')).toHaveLength(1);
    expect(await certificatesFor(done.domains[0]!)).toBe(1);
  });
});
