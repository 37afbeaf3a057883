import type { CertificateOrder, CertificateStep } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  saveSetting,
  startDnsHost,
  startPebble,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type DnsHost,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { eq, sql } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acmeAccount, certificate, certificateOrder, event, operation } from '../../db/schema.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import { runDueOrders } from './certificate-order.service.ts';
import { storeFailure } from './order-issue.ts';
import { OrderProblem } from './order-problem.ts';
import { readOrderRow } from './certificate-order.store.ts';

/** Certificates by dns-01 at a real DNS host, from an authority that refuses nonces. Through nodes: `certificate-order.edge.test.ts`. */

let world: World;
let host: DnsHost;
let pebble: Pebble;
let one: Customer;
let other: Customer;
let dnsId: number;
let accountId: number;
beforeAll(async () => {
  host = await startDnsHost(['example.com']);
  const [httpPort] = (await freePorts(1)) as [number];
  [world, pebble] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl'), worker: true }),
    startPebble({ httpPort, dnsServer: host.server, nonceReject: 20 }),
  ]);
  await saveSetting(world, 'SiteSetting', { dns_servers: [host.server], site_check: false });
  [one, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  dnsId = await makeDns(one);
  accountId = await makeAccount({ priority: 10 });
});
afterAll(async () => {
  await world?.close();
  await Promise.all([pebble?.close(), host?.close()]);
});

const db = () => world.server.services.db;
const makeDns = async ({ api }: Customer, key = host.apiKey) => {
  const params = { url: host.apiUrl, api_key: key, server_id: 'localhost' };
  return (await api.get('createDnsAccount', { body: { name: unique('dns'), provider: 'powerdns', params } }))
    .id;
};
const makeAccount = async (more: object = {}) => {
  const body = {
    name: unique('authority'),
    directory: 'other' as const,
    directory_url: pebble.directoryUrl,
    directory_ca: pebble.ca,
    terms_agreed: true,
    ...more,
  };
  return (await world.admin.get('createAcmeAccount', { body })).id;
};

/** A site with these names of the zone, and an order for them. */
async function order(customer: Customer, more: object = {}, domains?: string[]) {
  const site = await makeSite(customer.api, { orderId: customer.orderId });
  const body = {
    name: unique('order'),
    domains: domains ?? [site.domain],
    challenge: 'dns-01' as const,
    dns_account_id: dnsId,
    ...more,
  };
  return { site, ...(await customer.api.call('createCertificateOrder', { body })) };
}
const read = (id: number, api = one.api) => api.get('getCertificateOrder', { params: { id } });
const stepsOf = async (id: number): Promise<CertificateStep[]> =>
  (
    await one.api.get('listCertificateSteps', { params: { id }, query: { page_size: 100 } })
  ).list.toReversed();
const reached = (id: number, state: CertificateOrder['state']) =>
  waitFor(`order ${id} to be ${state}`, async () => {
    const found = await read(id);
    return found.state === state && found;
  });
const certificateOf = async (id: number) => {
  const [row] = await db().select().from(certificate).where(eq(certificate.id, id));
  return row!;
};
async function obtained(more: object = {}): Promise<CertificateOrder> {
  const { data } = await order(one, more);
  return reached(data.id, 'valid');
}
const run = (id: number) => one.api.get('runCertificateOrder', { params: { id } });
const records = async (name: string) =>
  (await dnsClientOf(world.server.services, dnsId)).read('example.com', name, 'TXT');

describe('a certificate', () => {
  it('is obtained with a timeline, a sealed key and a planned renewal, and leaves no record behind', async () => {
    const found = await obtained();
    expect(found).toMatchObject({ failures: 0, problem: null, acme_account_name: null });
    const row = await certificateOf(found.certificate_id!);
    expect(row.domains).toEqual(found.domains);
    expect(row.privateKey).not.toContain('PRIVATE KEY');
    const life = row.notAfter.getTime() - row.notBefore.getTime();
    const share = (Date.parse(found.renew_at!) - row.notBefore.getTime()) / life;
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(0.67);
    const kinds = (await stepsOf(found.id)).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'asked',
      'started',
      'checked',
      'ordered',
      'record_written',
      'record_seen',
      'validating',
      'validated',
      'requested',
      'issued',
      'renewal_planned',
    ]);
    await waitFor(
      'the record to be gone',
      async () => (await records(`_acme-challenge.${found.domains[0]}`)) === undefined,
    );
    const [told] = await db()
      .select()
      .from(event)
      .where(sql`kind = 'issued' AND subject_id = ${found.id}`);
    expect(told).toMatchObject({ subjectKind: 'certificate_order', clientId: one.id });
  });

  it('is obtained for a wildcard and the name below it, which share a record', async () => {
    const site = await makeSite(one.api, { orderId: one.orderId });
    const domains = [site.domain, `*.${site.domain}`];
    const { data } = await order(one, {}, domains);
    const found = await reached(data.id, 'valid');
    expect((await certificateOf(found.certificate_id!)).domains.toSorted()).toEqual(domains.toSorted());
  });

  it('is proven by a record that a CNAME leads to', async () => {
    const site = await makeSite(one.api, { orderId: one.orderId });
    const client = await dnsClientOf(world.server.services, dnsId);
    const [name, target] = [`_acme-challenge.${site.domain}`, `${unique('proof')}.example.com`];
    await client.set('example.com', { name, type: 'CNAME', ttl: 60, values: [`${target}.`] });
    const { data } = await order(one, {}, [site.domain]);
    await reached(data.id, 'valid');
    const written = (await stepsOf(data.id)).find(({ kind }) => kind === 'record_written');
    expect(written!.facts).toEqual({ record: target, zone: 'example.com' });
  });

  it.each(['rsa_2048', 'ecdsa_p384'] as const)('has the key that was asked for: %s', async (key_type) => {
    const found = await obtained({ key_type });
    const { publicKey } = new X509Certificate((await certificateOf(found.certificate_id!)).certificate);
    expect(publicKey.asymmetricKeyType).toBe(key_type.startsWith('rsa') ? 'rsa' : 'ec');
  });

  it('is replaced in place when it is wanted now, with its key where that is kept', async () => {
    const found = await obtained({ reuse_key: true });
    const before = await certificateOf(found.certificate_id!);
    await one.api.get('renewCertificate', { params: { id: found.certificate_id! } });
    await waitFor('another', async () => (await certificateOf(before.id)).fingerprint !== before.fingerprint);
    const after = await certificateOf(before.id);
    const { secrets } = world.server.services;
    expect(secrets.decrypt(after.privateKey)).toBe(secrets.decrypt(before.privateKey));
    await reached(found.id, 'valid');
    await one.api.get('updateCertificateOrder', {
      params: { id: found.id },
      body: { ...inputOf(await read(found.id)), reuse_key: false, version: found.version },
    });
    await run(found.id);
    await waitFor('a third', async () => (await certificateOf(before.id)).fingerprint !== after.fingerprint);
    expect(secrets.decrypt((await certificateOf(before.id)).privateKey)).not.toBe(
      secrets.decrypt(before.privateKey),
    );
  });

  it('is revoked, and renewed no more', async () => {
    const found = await obtained();
    const { certificate: pem } = await certificateOf(found.certificate_id!);
    const params = { id: found.id };
    await one.api.get('revokeCertificateOrder', { params, body: { reason: 'superseded' } });
    expect(await pebble.statusOf(new X509Certificate(pem).serialNumber)).toBe('Revoked');
    expect(await read(found.id)).toMatchObject({ state: 'revoked', next_at: null, renew_at: null });
  });
});

const inputOf = ({
  name,
  domains,
  acme_account_id,
  challenge,
  dns_account_id,
  key_type,
  reuse_key,
}: CertificateOrder) => ({
  name,
  domains,
  acme_account_id,
  challenge,
  dns_account_id,
  key_type,
  reuse_key,
});

describe('what goes wrong', () => {
  it('at the DNS account is said, and mended by the account alone', async () => {
    const broken = await makeDns(one, 'wrong');
    const { data } = await order(one, { dns_account_id: broken });
    const found = await reached(data.id, 'failed');
    expect(found).toMatchObject({ problem: 'dns_account', failures: 1 });
    expect(Date.parse(found.next_at!)).toBeGreaterThan(Date.now() + 4 * 60_000);
    const params = { url: host.apiUrl, api_key: host.apiKey, server_id: 'localhost' };
    const value = { name: unique('dns'), provider: 'powerdns' as const, params };
    await one.api.get('updateDnsAccount', { params: { id: broken }, body: { version: 1, value } });
    await run(data.id);
    expect(await reached(data.id, 'valid')).toMatchObject({ failures: 0, problem: null });
    // The order was made once: it stood while the account was mended.
    expect((await stepsOf(data.id)).filter(({ kind }) => kind === 'ordered')).toHaveLength(1);
  });

  it('at one authority is left to the next, where none was chosen', async () => {
    const [port] = (await freePorts(1)) as [number];
    const away = await makeAccount({ priority: 1, directory_url: `https://127.0.0.1:${port}/dir` });
    const found = await obtained();
    const steps = await stepsOf(found.id);
    expect(steps.find(({ kind }) => kind === 'failed')).toMatchObject({
      problem: 'authority_unreachable',
      detail: 'ECONNREFUSED',
    });
    expect(steps.filter(({ kind }) => kind === 'started')).toHaveLength(2);
    const { data } = await order(one, { acme_account_id: away });
    expect(await reached(data.id, 'failed')).toMatchObject({ problem: 'authority_unreachable' });
    await one.api.get('removeCertificateOrder', { params: { id: data.id } });
    await world.admin.get('removeAcmeAccount', { params: { id: away } });
  });

  it('when the authority forgets everything is a new registration and a new order', async () => {
    const found = await obtained({ acme_account_id: accountId });
    await pebble.stop();
    await run(found.id);
    const failed = await reached(found.id, 'failed');
    expect(failed).toMatchObject({ problem: 'authority_unreachable', certificate_id: found.certificate_id });
    await pebble.start();
    await run(found.id);
    // Its account is not known there any more: the try ends, and the next one registers it.
    await waitFor('an answer', async () => (await read(found.id)).state !== 'working');
    if ((await read(found.id)).state === 'failed') await run(found.id);
    await reached(found.id, 'valid');
  });

  it('before a renewal is told at each of its days, once', async () => {
    const found = await obtained();
    const inDays = (days: number) =>
      db()
        .update(certificate)
        .set({ notAfter: new Date(Date.now() + days * 86_400_000) })
        .where(eq(certificate.id, found.certificate_id!));
    const fail = () =>
      db().transaction(async (tx) => {
        await tx.update(certificateOrder).set({ operationId: 1 }).where(eq(certificateOrder.id, found.id));
        await storeFailure(tx, (await readOrderRow(tx, found.id))!, new OrderProblem('dns_missing'), false);
      });
    for (const days of [40, 20, 20, 6, 0.5]) {
      await inDays(days);
      await fail();
    }
    const told = await db()
      .select()
      .from(event)
      .where(sql`kind = 'issuance_failed' AND subject_id = ${found.id}`)
      .orderBy(event.id);
    expect(told.map(({ data }) => data.facts?.['days'])).toEqual([30, 7, 1]);
  });
});

describe('one order', () => {
  it('has one try at a time, however often it is wanted', async () => {
    const found = await obtained();
    const before = await db().$count(operation, eq(operation.subjectId, found.id));
    await Promise.all(Array.from({ length: 5 }, () => run(found.id)));
    expect((await db().$count(operation, eq(operation.subjectId, found.id))) - before).toBe(1);
    await reached(found.id, 'valid');
  });

  it('is tried by itself when it is due, and not before', async () => {
    const [due, later] = [await obtained(), await obtained()];
    const set = (id: number, seconds: number) =>
      db()
        .update(certificateOrder)
        .set({
          renewAt: new Date(Date.now() + seconds * 1000),
          nextAt: new Date(Date.now() + seconds * 1000),
        })
        .where(eq(certificateOrder.id, id));
    await set(due.id, -1);
    await set(later.id, 3600);
    const before = await certificateOf(due.certificate_id!);
    await runDueOrders(world.server.services, new AbortController().signal);
    await waitFor(
      'its renewal',
      async () => (await certificateOf(before.id)).fingerprint !== before.fingerprint,
    );
    expect((await read(later.id)).state).toBe('valid');
  });
});

describe('who may', () => {
  it('a customer sees and changes their own, and nobody else’s', async () => {
    const { id } = await obtained();
    const params = { id };
    const body = { ...inputOf(await read(id)), version: 1 };
    for (const answer of [
      await other.api.call('getCertificateOrder', { params }),
      await other.api.call('listCertificateSteps', { params, query: {} }),
      await other.api.call('runCertificateOrder', { params }),
      await other.api.call('updateCertificateOrder', { params, body }),
      await other.api.call('revokeCertificateOrder', { params, body: { reason: 'unspecified' } }),
      await other.api.call('removeCertificateOrder', { params }),
      await other.api.call('renewCertificate', { params: { id: (await read(id)).certificate_id! } }),
    ])
      expect(answer).toMatchObject({ status: 404 });
    const list = await other.api.get('listCertificateOrders', { query: { client_id: one.id } });
    expect(list.total).toBe(0);
    const mine = await other.api.get('listCertificateAuthorities', { query: {} });
    expect(Object.keys(mine.list[0]!).toSorted()).toEqual(['id', 'key_type', 'name']);
    for (const api of [world.anonymous, world.anonymousUser])
      expect(await api.call('runCertificateOrder', { params })).toMatchObject({ status: 401 });
    expect((await other.api.call('listAcmeAccounts', { query: {} })).status).toBeGreaterThan(400);
  });

  it('nobody asks for a name that is not theirs, or uses another’s DNS account', async () => {
    const site = await makeSite(other.api, { orderId: other.orderId });
    const wrong: [object, string[], string][] = [
      [{}, [site.domain], 'domains.0'],
      [{}, [`*.${site.domain}`], 'domains.0'],
      [{}, ['nobody.example.com'], 'domains.0'],
      [{ challenge: 'http-01', dns_account_id: null }, ['*.example.com'], 'domains.0'],
      [{ dns_account_id: null }, [site.domain], 'dns_account_id'],
      [{ acme_account_id: 999_999 }, [site.domain], 'acme_account_id'],
      [{ key_type: 'rsa_1024' }, [site.domain], 'key_type'],
    ];
    for (const [more, domains, path] of wrong)
      expect(await order(one, more, domains), path).toMatchObject({ status: 400, errors: [{ path }] });
    const theirs = await makeDns(other);
    expect(await order(one, { dns_account_id: theirs })).toMatchObject({
      errors: [{ path: 'dns_account_id' }],
    });
    const many = Array.from({ length: 101 }, (_, index) => `a${index}.${site.domain}`);
    expect(await order(one, {}, many)).toMatchObject({ status: 400, errors: [{ path: 'domains' }] });
  });

  it('a certificate that was uploaded is not renewed', async () => {
    const found = await obtained();
    await one.api.get('removeCertificateOrder', { params: { id: found.id } });
    const answer = await one.api.call('renewCertificate', { params: { id: found.certificate_id! } });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'id' }] });
    expect(await certificateOf(found.certificate_id!)).toBeDefined();
  });
});

describe('an account at an authority', () => {
  it('is registered by its test, and gives no key away', async () => {
    const id = await makeAccount({ email: 'ops@example.com' });
    expect(await world.admin.get('testAcmeAccount', { params: { id } })).toMatchObject({
      ok: true,
      message: '',
    });
    expect(await world.admin.get('testAcmeAccount', { params: { id } })).toMatchObject({ ok: true });
    const account = await world.admin.get('getAcmeAccount', { params: { id } });
    expect(account.account_url).toContain('https://');
    expect(JSON.stringify(account)).not.toMatch(/PRIVATE KEY|v2\./);
    const [row] = await db().select().from(acmeAccount).where(eq(acmeAccount.id, id));
    expect(world.server.services.secrets.decrypt(row!.accountKey!)).toContain('PRIVATE KEY');
    await world.admin.get('removeAcmeAccount', { params: { id } });
  });

  it('that does not work says why in the authority’s words', async () => {
    const id = await makeAccount({ directory_ca: '' });
    const { ok, message } = await world.admin.get('testAcmeAccount', { params: { id } });
    expect(ok).toBe(false);
    expect(message).toMatch(/cannot be reached \(.*certificate/);
    await world.admin.get('removeAcmeAccount', { params: { id } });
  });

  it('is not deleted while certificates are renewed by it', async () => {
    const { data } = await order(one, { acme_account_id: accountId });
    await reached(data.id, 'valid');
    const answer = await world.admin.call('removeAcmeAccount', { params: { id: accountId } });
    expect(answer).toMatchObject({ status: 409 });
  });
});
