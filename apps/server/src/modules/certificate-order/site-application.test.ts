import { makeSite, saveSetting } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { followSites } from './order-sites.ts';
import { OrderWorld } from './test-orders.ts';

/** Certificates that somebody asks for a site, which follow it from then on: as many as its domains take. */

let w: OrderWorld;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
  const setting = { compared_dns_servers: [], site_check: false };
  await saveSetting(w.world, 'SiteSetting', { ...setting, dns_servers: ['127.0.0.1:9'] });
});
afterAll(() => w?.close());

const ordersOf = (siteId: number) =>
  w.db
    .select()
    .from(certificateOrder)
    .where(eq(certificateOrder.siteId, siteId))
    .orderBy(certificateOrder.part);
async function setDomains(id: number, domains: string[]) {
  const { version } = await w.world.admin.get('getSite', { params: { id } });
  await w.world.admin.get('updateSiteDomains', { params: { id }, body: { version, domains } });
}
const apply = (id: number) => w.one.api.get('applySiteCertificate', { params: { id } });
/** None is under way, whatever became of it. */
const rest = (siteId: number) =>
  w.db
    .update(certificateOrder)
    .set({ state: 'failed', operationId: null, nextAt: null })
    .where(eq(certificateOrder.siteId, siteId));

async function makeLarge(count: number) {
  const site = await makeSite(w.one.api, { orderId: w.one.orderId });
  const domains = Array.from({ length: count }, (_, index) => `n${index}.${site.domain}`);
  await setDomains(site.id, domains);
  return { ...site, domains };
}

describe('a site that somebody asks certificates for', () => {
  it('has one for each hundred of its domains, and asked again no more', async () => {
    const { id, domains } = await makeLarge(130);
    const first = await apply(id);
    const orders = await ordersOf(id);
    expect(orders.map((order) => order.domains)).toEqual([domains.slice(0, 100), domains.slice(100)]);
    expect(first).toEqual({ id: orders[0]!.id });
    expect(await apply(id)).toEqual(first);
    expect(await ordersOf(id)).toHaveLength(2);
    const body = { site_ids: [id] };
    expect(await w.one.api.get('applySiteCertificates', { body })).toMatchObject({ begun: 0, already: 1 });
  });

  it('gets one more by itself when its domains need it, unless a certificate covers them', async () => {
    const { id, domain, domains } = await makeLarge(100);
    await apply(id);
    await rest(id);
    const more = `more.${domain}`;
    await setDomains(id, [more, ...domains]);
    await Promise.all([followSites(w.world.server.services), followSites(w.world.server.services)]);
    const [first, second, ...others] = await ordersOf(id);
    expect(first!.domains).toEqual(domains);
    expect(second).toMatchObject({ domains: [more], automatic: false, challenge: 'http-01' });
    expect(others).toEqual([]);

    // Deleted, it comes again only once what it obtained has gone.
    const pem = await w.db
      .insert(certificate)
      .values({
        clientId: w.one.id,
        name: 'second',
        domains: [more],
        issuer: '',
        fingerprint: '',
        notBefore: new Date(),
        notAfter: new Date(Date.now() + 30 * 86_400_000),
        certificate: '',
        privateKey: w.world.server.services.secrets.encrypt('x'),
      })
      .returning();
    const { version, value } = await w.world.admin.get('getCertificateSettings', { query: { site_id: id } });
    const body = { version, value: { ...value, certificate_ids: [pem[0]!.id] } };
    await w.world.admin.get('updateCertificateSettings', { query: { site_id: id }, body });
    await w.one.api.get('removeCertificateOrder', { params: { id: second!.id } });
    await followSites(w.world.server.services);
    expect(await ordersOf(id)).toHaveLength(1);
  });

  it('loses the order whose domains have all gone, and no other', async () => {
    const { id, domains } = await makeLarge(130);
    await apply(id);
    await rest(id);
    await setDomains(id, domains.slice(100));
    await followSites(w.world.server.services);
    const left = await ordersOf(id);
    expect(left.map((order) => [order.part, order.domains])).toEqual([[1, domains.slice(100)]]);
    // The next one takes the place that is free.
    await rest(id);
    await setDomains(id, domains);
    await followSites(w.world.server.services);
    const now = await ordersOf(id);
    expect(now.map(({ part }) => part)).toEqual([0, 1]);
    expect(now[1]!.domains.slice(0, 30)).toEqual(domains.slice(100));
    expect(now.flatMap((order) => order.domains).toSorted()).toEqual(domains.toSorted());
  });
});
