import { makeCustomer, makeSite, saveSetting, waitFor } from '@breakwater/test-world';
import type { CertificateSettings } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { followSites } from './order-sites.ts';
import { runAutomaticOrders } from './automatic-sites.ts';
import { runDueOrders } from './certificate-order.service.ts';
import type { OrderRow } from './certificate-order.store.ts';
import { OrderWorld } from './test-orders.ts';

/** Certificates that sites get by themselves, proven by DNS. By HTTP through a node: `certificate-order.edge.test.ts`. */

let w: OrderWorld;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
});
afterAll(() => w?.close());

const signal = new AbortController().signal;
const sweep = () => runAutomaticOrders(w.world.server.services, signal);
const due = () => runDueOrders(w.world.server.services, signal);
const orderOf = async (siteId: number) => {
  const [row] = await w.db.select().from(certificateOrder).where(eq(certificateOrder.siteId, siteId));
  return row;
};
const ordersOf = (siteId: number) =>
  w.db
    .select()
    .from(certificateOrder)
    .where(eq(certificateOrder.siteId, siteId))
    .orderBy(certificateOrder.part);
type Certificate = Awaited<ReturnType<typeof w.certificateOf>>;
const boundTo = async (id: number) =>
  (await w.world.admin.get('getCertificateSettings', { query: { site_id: id } })).value.certificate_ids;
const certificatesOf = (id: number) => w.world.admin.get('getSiteCertificates', { params: { id } });

async function setSite(id: number, change: Partial<CertificateSettings>) {
  const { version, value } = await w.world.admin.get('getCertificateSettings', { query: { site_id: id } });
  return w.world.admin.call('updateCertificateSettings', {
    query: { site_id: id },
    body: { version, value: { ...value, ...change } },
  });
}

async function setLevel(
  level: { level: 'global' | 'product' | 'client'; target_id: number },
  value: Partial<CertificateSettings>,
) {
  const { version } = await w.world.admin.get('getSiteLevel', { query: level });
  const query = { ...level, section: 'certificate_settings' as const };
  const own = Object.keys(value);
  return w.world.admin.call('updateSiteLevelSection', { query, body: { version, value, own } });
}

/** With a wildcard, whose certificate DNS alone can prove. */
async function makeWild() {
  const site = await makeSite(w.one.api, { orderId: w.one.orderId });
  const wild = `*.${site.domain}`;
  await setDomains(site.id, [site.domain, wild]);
  return { ...site, wild };
}

async function setDomains(id: number, domains: string[]) {
  const { version } = await w.world.admin.get('getSite', { params: { id } });
  await w.world.admin.get('updateSiteDomains', { params: { id }, body: { version, domains } });
}

describe('a site that wants a certificate by itself', () => {
  it('gets one with its wildcard by the DNS account of its customer, follows its domains, and keeps the old one until then', async () => {
    const site = await makeWild();
    expect((await certificatesOf(site.id)).list.map(({ state }) => state)).toEqual(['none', 'none']);
    await setSite(site.id, { auto_certificate: true, auto_dns_account_id: w.dnsId });
    const order = await waitFor('its order', () => orderOf(site.id));
    expect(order).toMatchObject({ automatic: true, challenge: 'dns-01', domains: [site.domain, site.wild] });
    const found = await w.reached(order.id, 'valid');
    await waitFor('its use', async () => {
      const { list } = await certificatesOf(site.id);
      return list.every(
        ({ state, certificate_id: id }) => state === 'covered' && id === found.certificate_id,
      );
    });
    const first = await w.certificateOf(found.certificate_id!);
    const more = `and-${site.domain}`;
    await setDomains(site.id, [more, site.wild]);
    const wanted = [more, site.wild].toSorted().join();
    await waitFor(
      'the other names',
      async () => (await due(), (await w.certificateOf(first.id)).domains.toSorted().join() === wanted),
    );
    const kinds = (await w.stepsOf(order.id)).map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['asked_automatically', 'started']);
    expect(kinds).toContain('names_changed');
    expect(kinds.filter((kind) => kind === 'bound')).toHaveLength(1);
    expect((await w.certificateOf(first.id)).fingerprint).not.toBe(first.fingerprint);
  });

  it('gets one without the wildcard where no DNS account has its zone, and says so', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId, domain: 'wild.example.net' });
    await setDomains(site.id, ['wild.example.net', '*.wild.example.net']);
    await setSite(site.id, { auto_certificate: true, auto_dns_account_id: w.dnsId });
    const order = await waitFor('its order', () => orderOf(site.id));
    expect(order).toMatchObject({ challenge: 'http-01', domains: ['wild.example.net'], dnsAccountId: null });
    const left = (await w.stepsOf(order.id)).find(({ kind }) => kind === 'wildcards_left');
    expect(left).toMatchObject({
      detail: '_acme-challenge.wild.example.net',
      facts: { names: '*.wild.example.net' },
    });
    const failed = await w.reached(order.id, 'failed');
    const seen = await certificatesOf(site.id);
    expect(seen.orders[0]).toMatchObject({ id: order.id, state: 'failed', problem: failed.problem });
    expect(seen.list.map(({ state }) => state)).toEqual(['failed', 'wildcard']);
  });

  it('asks for none while its own certificate lasts, and for one before that ends, which goes before it', async () => {
    const source = await w.obtained();
    const site = await makeWild();
    const [own] = await w.db
      .insert(certificate)
      .values({
        ...(await w.certificateOf(source.certificate_id!)),
        id: undefined,
        clientId: w.one.id,
        domains: [site.domain, site.wild],
      } as never)
      .returning();
    await setSite(site.id, {
      auto_certificate: true,
      auto_dns_account_id: w.dnsId,
      certificate_ids: [own!.id],
    });
    await sweep();
    expect(await orderOf(site.id)).toBeUndefined();
    const soon = new Date(Date.now() + 3 * 86_400_000);
    await w.db.update(certificate).set({ notAfter: soon }).where(eq(certificate.id, own!.id));
    await sweep();
    const order = (await orderOf(site.id))!;
    await due();
    const { certificate_id: id } = await w.reached(order.id, 'valid');
    const ids = await waitFor('its use', async () => {
      const { value } = await w.world.admin.get('getCertificateSettings', { query: { site_id: site.id } });
      return value.certificate_ids.length === 2 && value.certificate_ids;
    });
    expect(ids).toEqual([id, own!.id]);
  });

  it('with more domains than a certificate takes gets a second, and each domain stays in its own when others come and go', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const wild = `*.${site.domain}`;
    const domains = [wild, ...Array.from({ length: 101 }, (_, index) => `n${index}.${site.domain}`)];
    await setDomains(site.id, domains);
    await setSite(site.id, { auto_certificate: true, auto_dns_account_id: w.dnsId });
    await waitFor('its orders', async () => (await ordersOf(site.id)).length === 2);
    const [first, second] = (await ordersOf(site.id)) as [OrderRow, OrderRow];
    expect([first.domains, second.domains]).toEqual([domains.slice(0, 100), domains.slice(100)]);
    const certificates = [];
    for (const { id } of [first, second]) {
      // A hundred names are proven one by one, beside whatever else is tested.
      const found = await waitFor(
        `order ${id} to be valid`,
        async () => (await w.read(id)).state === 'valid' && w.read(id),
        300,
      );
      certificates.push(await w.certificateOf(found.certificate_id!));
    }
    const [one, two] = certificates as [Certificate, Certificate];
    await waitFor('their use', async () => (await boundTo(site.id)).length === 2);
    const { list, orders } = await certificatesOf(site.id);
    expect(new Set(list.map(({ state }) => state))).toEqual(new Set(['covered']));
    expect(orders.map(({ id, domain_count }) => [id, domain_count])).toEqual([
      [first.id, 100],
      [second.id, 2],
    ]);
    expect(list.find(({ domain }) => domain === domains[101])).toMatchObject({
      order_id: second.id,
      certificate_id: two.id,
    });

    // One of the first goes and another comes: it takes the place that is free, and the second certificate is left alone.
    const more = `more.${site.domain}`;
    await setDomains(site.id, [more, ...domains.toSpliced(50, 1)].toReversed());
    const changed = await waitFor('the change', async () => {
      await sweep();
      const found = await ordersOf(site.id);
      return found[0]!.domains.includes(more) && found;
    });
    expect(changed.map((order) => order.domains)).toEqual([
      [...domains.slice(0, 100).toSpliced(50, 1), more],
      domains.slice(100),
    ]);
    expect(changed[1]).toMatchObject({ state: 'valid', renewAt: expect.any(Date) });

    // Each is renewed by itself.
    await w.run(second.id);
    await waitFor('its renewal', async () => (await w.certificateOf(two.id)).fingerprint !== two.fingerprint);
    await w.reached(second.id, 'valid');

    // All of the second go: it is ended, and its certificate taken from the site.
    await setDomains(site.id, [more, ...domains.slice(0, 100).toSpliced(50, 1)]);
    await waitFor('its end', async () => (await sweep(), (await ordersOf(site.id)).length === 1));
    expect(await boundTo(site.id)).toEqual([one.id]);
    expect((await w.certificateOf(two.id)).id).toBe(two.id);
  });

  it('has as many orders as its domains take, whichever servers look at the same time', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const domains = Array.from({ length: 150 }, (_, index) => `n${index}.${site.domain}`);
    // Of what no resolver tells nothing is left out.
    const setting = { compared_dns_servers: [], site_check: false };
    await saveSetting(w.world, 'SiteSetting', { ...setting, dns_servers: ['127.0.0.1:9'] });
    onTestFinished(async () => {
      await saveSetting(w.world, 'SiteSetting', { ...setting, dns_servers: [w.host.server] });
    });
    await setDomains(site.id, domains);
    await setSite(site.id, { auto_certificate: true });
    await Promise.all([sweep(), sweep(), sweep()]);
    const orders = await ordersOf(site.id);
    expect(orders.map((order) => order.domains)).toEqual([domains.slice(0, 100), domains.slice(100)]);
    expect(orders.map(({ part }) => part)).toEqual([0, 1]);
    const first = (await w.stepsOf(orders[1]!.id))[0];
    expect(first?.kind).toBe('asked_automatically');
  });

  it('keeps what was revoked as it is, and gets another for domains that come', async () => {
    const site = await makeWild();
    await setSite(site.id, { auto_certificate: true, auto_dns_account_id: w.dnsId });
    const { id } = await waitFor('its order', () => orderOf(site.id));
    await w.reached(id, 'valid');
    await waitFor('its use', async () => (await boundTo(site.id)).length === 1);
    await w.one.api.get('revokeCertificateOrder', { params: { id }, body: { reason: 'superseded' } });
    const more = `more-${site.domain}`;
    await setDomains(site.id, [site.domain, site.wild, more]);
    await waitFor('another', async () => (await sweep(), (await ordersOf(site.id)).length === 2));
    const [revoked, next] = (await ordersOf(site.id)) as [OrderRow, OrderRow];
    expect(revoked).toMatchObject({ id, state: 'revoked', domains: [site.domain, site.wild] });
    expect(next.domains).toEqual([more]);
  });

  it('gets one beside that which somebody asked for, for what HTTP cannot prove', async () => {
    const site = await makeWild();
    const { id } = await w.one.api.get('applySiteCertificate', { params: { id: site.id } });
    await setSite(site.id, { auto_certificate: true, auto_dns_account_id: w.dnsId });
    await waitFor('another', async () => (await sweep(), (await ordersOf(site.id)).length === 2));
    const [asked, own] = (await ordersOf(site.id)) as [OrderRow, OrderRow];
    expect(asked).toMatchObject({ id, automatic: false, domains: [site.domain] });
    expect(own).toMatchObject({ automatic: true, domains: [site.wild], challenge: 'dns-01' });
  });

  it('wants it by its customer’s level, with the account named there, and no more once that is off', async () => {
    const customer = await makeCustomer(w.world);
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const level = { level: 'client' as const, target_id: customer.id };
    await setLevel(level, { auto_certificate: true, auto_acme_account_id: w.accountId });
    const order = await waitFor('its order', () => orderOf(site.id));
    expect(order).toMatchObject({ automatic: true, acmeAccountId: w.accountId });
    await setLevel(level, { auto_certificate: true });
    await waitFor(
      'the other account',
      async () => (await sweep(), (await orderOf(site.id))?.acmeAccountId === null),
    );
    await setLevel(level, {});
    await waitFor('its release', async () => (await sweep(), (await orderOf(site.id))?.basis === ''));
    expect((await certificatesOf(site.id)).automatic).toBe(false);
    const more = `and-${site.domain}`;
    await setDomains(site.id, [site.domain, more]);
    await waitFor('that it follows all the same', async () => {
      await followSites(w.world.server.services);
      return (await orderOf(site.id))!.domains.includes(more);
    });
  });

  it('may name no account of somebody else', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const foreign = await w.makeDns(w.other);
    for (const change of [{ auto_dns_account_id: foreign }, { auto_acme_account_id: 999_999 }])
      expect(await setSite(site.id, { auto_certificate: true, ...change })).toMatchObject({
        status: 400,
        errors: [{ path: `value.${Object.keys(change)[0]}` }],
      });
    const level = { level: 'global' as const, target_id: 0 };
    expect(await setLevel(level, { auto_dns_account_id: foreign })).toMatchObject({ status: 400 });
    expect((await w.other.api.call('getSiteCertificates', { params: { id: site.id } })).status).toBe(404);
  });
});
