import { makeSite, unique, waitFor } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { eq, sql } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { certificate, certificateOrder, event, operation, siteDomain } from '../../db/schema.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import { runDueOrders } from './certificate-order.service.ts';
import { readOrderRow } from './certificate-order.store.ts';
import { storeFailure } from './order-issue.ts';
import { OrderProblem } from './order-problem.ts';
import { inputOf, OrderWorld } from './test-orders.ts';

/** Certificates by dns-01 at a real DNS host, from an authority that refuses nonces. Through nodes: `certificate-order.edge.test.ts`. */

let w: OrderWorld;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
});
afterAll(() => w?.close());

const recordsAt = async (name: string) =>
  (await dnsClientOf(w.world.server.services, w.dnsId)).read('example.com', name, 'TXT');

describe('a certificate', () => {
  it('is obtained with a timeline, a sealed key and a planned renewal, and leaves no record behind', async () => {
    const found = await w.obtained();
    expect(found).toMatchObject({ failures: 0, problem: null, acme_account_name: null });
    const row = await w.certificateOf(found.certificate_id!);
    expect(row.domains).toEqual(found.domains);
    expect(row.privateKey).not.toContain('PRIVATE KEY');
    const life = row.notAfter.getTime() - row.notBefore.getTime();
    const share = (Date.parse(found.renew_at!) - row.notBefore.getTime()) / life;
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(0.67);
    const kinds = (await w.stepsOf(found.id)).map(({ kind }) => kind);
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
      async () => (await recordsAt(`_acme-challenge.${found.domains[0]}`)) === undefined,
    );
    const [told] = await w.db
      .select()
      .from(event)
      .where(sql`kind = 'issued' AND subject_id = ${found.id}`);
    expect(told).toMatchObject({ subjectKind: 'certificate_order', clientId: w.one.id });
  });

  it('is obtained for a wildcard and the name below it, which share a record', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const domains = [site.domain, `*.${site.domain}`];
    const { data } = await w.order(w.one, {}, domains);
    const found = await w.reached(data.id, 'valid');
    expect((await w.certificateOf(found.certificate_id!)).domains.toSorted()).toEqual(domains.toSorted());
  });

  it('is proven by a record that a CNAME leads to', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const client = await dnsClientOf(w.world.server.services, w.dnsId);
    const [name, target] = [`_acme-challenge.${site.domain}`, `${unique('proof')}.example.com`];
    await client.set('example.com', { name, type: 'CNAME', ttl: 60, values: [`${target}.`] });
    const { data } = await w.order(w.one, {}, [site.domain]);
    await w.reached(data.id, 'valid');
    const written = (await w.stepsOf(data.id)).find(({ kind }) => kind === 'record_written');
    expect(written!.facts).toEqual({ record: target, zone: 'example.com' });
  });

  it('is proven at the name itself where a wildcard points all names at the platform', async () => {
    const site = await makeSite(w.one.api, { orderId: w.one.orderId });
    const wild = `*.${site.domain}`;
    await w.host.write('example.com', wild, 'CNAME', ['label.cdn.example.com.']);
    const { version } = await w.one.api.get('getSite', { params: { id: site.id } });
    const body = { version, domains: [site.domain, wild] };
    await w.one.api.get('updateSiteDomains', { params: { id: site.id }, body });
    const { data } = await w.order(w.one, {}, [wild]);
    await w.reached(data.id, 'valid');
    const written = (await w.stepsOf(data.id)).find(({ kind }) => kind === 'record_written');
    expect(written!.facts).toMatchObject({ record: `_acme-challenge.${site.domain}` });
  });

  it('takes away records that a try before could not', async () => {
    const found = await w.obtained();
    const name = `_acme-challenge.${found.domains[0]}`;
    await w.host.write('example.com', name, 'TXT', ['"left"', '"of somebody else"']);
    const records = [{ zone: 'example.com', name, values: ['left'] }];
    await w.db.update(certificateOrder).set({ records }).where(eq(certificateOrder.id, found.id));
    await w.run(found.id);
    await waitFor(
      'the next',
      async () => (await w.stepsOf(found.id)).filter(({ kind }) => kind === 'issued').length === 2,
    );
    await waitFor('ours to be gone', async () => {
      const values = (await recordsAt(name))?.values;
      return values?.join() === '"of somebody else"';
    });
  });

  it.each(['rsa_2048', 'ecdsa_p384'] as const)('has the key that was asked for: %s', async (key_type) => {
    const found = await w.obtained({ key_type });
    const { publicKey } = new X509Certificate((await w.certificateOf(found.certificate_id!)).certificate);
    expect(publicKey.asymmetricKeyType).toBe(key_type.startsWith('rsa') ? 'rsa' : 'ec');
  });

  it('is replaced in place when it is wanted now, with its key where that is kept', async () => {
    const found = await w.obtained({ reuse_key: true });
    const before = await w.certificateOf(found.certificate_id!);
    await w.one.api.get('renewCertificate', { params: { id: found.certificate_id! } });
    await waitFor(
      'another',
      async () => (await w.certificateOf(before.id)).fingerprint !== before.fingerprint,
    );
    const after = await w.certificateOf(before.id);
    const { secrets } = w.world.server.services;
    expect(secrets.decrypt(after.privateKey)).toBe(secrets.decrypt(before.privateKey));
    await w.reached(found.id, 'valid');
    await w.one.api.get('updateCertificateOrder', {
      params: { id: found.id },
      body: { ...inputOf(await w.read(found.id)), reuse_key: false, version: found.version },
    });
    await w.run(found.id);
    await waitFor(
      'a third',
      async () => (await w.certificateOf(before.id)).fingerprint !== after.fingerprint,
    );
    expect(secrets.decrypt((await w.certificateOf(before.id)).privateKey)).not.toBe(
      secrets.decrypt(before.privateKey),
    );
  });

  it('is revoked, and renewed no more', async () => {
    const found = await w.obtained();
    const { certificate: pem } = await w.certificateOf(found.certificate_id!);
    const params = { id: found.id };
    await w.one.api.get('revokeCertificateOrder', { params, body: { reason: 'superseded' } });
    expect(await w.pebble.statusOf(new X509Certificate(pem).serialNumber)).toBe('Revoked');
    expect(await w.read(found.id)).toMatchObject({ state: 'revoked', next_at: null, renew_at: null });
  });
});

describe('what goes wrong', () => {
  it('at the DNS account is said, and mended by the account alone', async () => {
    const broken = await w.makeDns(w.one, 'wrong');
    const { data } = await w.order(w.one, { dns_account_id: broken });
    const found = await w.reached(data.id, 'failed');
    expect(found).toMatchObject({ problem: 'dns_account', failures: 1 });
    expect(Date.parse(found.next_at!)).toBeGreaterThan(Date.now() + 4 * 60_000);
    const params = { url: w.host.apiUrl, api_key: w.host.apiKey, server_id: 'localhost' };
    const value = { name: unique('dns'), provider: 'powerdns' as const, params };
    await w.one.api.get('updateDnsAccount', { params: { id: broken }, body: { version: 1, value } });
    await w.run(data.id);
    expect(await w.reached(data.id, 'valid')).toMatchObject({ failures: 0, problem: null });
    // The order was made once: it stood while the account was mended.
    expect((await w.stepsOf(data.id)).filter(({ kind }) => kind === 'ordered')).toHaveLength(1);
  });

  it('at the DNS host for a moment costs no try', async () => {
    let failures = 2;
    const front = createServer((incoming, response) => {
      if (incoming.method === 'PATCH' && failures > 0) {
        failures -= 1;
        return void response.writeHead(500).end();
      }
      const { method, headers, url = '' } = incoming;
      const asked = request(w.host.apiUrl + url, { method, headers }, (real) => {
        response.writeHead(real.statusCode!, real.headers);
        real.pipe(response);
      });
      return void incoming.pipe(asked);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void front.close());
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const { data } = await w.order(w.one, { dns_account_id: await w.makeDns(w.one, w.host.apiKey, url) });
    expect(await w.reached(data.id, 'valid')).toMatchObject({ failures: 0 });
    expect(failures).toBe(0);
    expect((await w.stepsOf(data.id)).map(({ kind }) => kind)).not.toContain('failed');
  });

  it('at one authority is left to the next, where none was chosen', async () => {
    const [port] = (await freePorts(1)) as [number];
    const away = await w.makeAccount({ priority: 1, directory_url: `https://127.0.0.1:${port}/dir` });
    const found = await w.obtained();
    const steps = await w.stepsOf(found.id);
    expect(steps.find(({ kind }) => kind === 'failed')).toMatchObject({
      problem: 'authority_unreachable',
      detail: 'ECONNREFUSED',
    });
    expect(steps.filter(({ kind }) => kind === 'started')).toHaveLength(2);
    const { data } = await w.order(w.one, { acme_account_id: away });
    expect(await w.reached(data.id, 'failed')).toMatchObject({ problem: 'authority_unreachable' });
    await w.one.api.get('removeCertificateOrder', { params: { id: data.id } });
    await w.world.admin.get('removeAcmeAccount', { params: { id: away } });
  });

  it('with a name that has gone to somebody else ends the try before the authority hears of it', async () => {
    const found = await w.obtained();
    const before = (await w.stepsOf(found.id)).length;
    const [domain] = found.domains as [string];
    await w.db.update(siteDomain).set({ proof: 'waiting' }).where(eq(siteDomain.domain, domain));
    await w.run(found.id);
    const failed = await w.reached(found.id, 'failed');
    expect(failed).toMatchObject({ problem: 'name_not_served', problem_detail: domain });
    expect(failed.certificate_id).toBe(found.certificate_id);
    const kinds = (await w.stepsOf(found.id)).slice(before).map(({ kind }) => kind);
    expect(kinds).toEqual(['asked', 'started', 'failed', 'next_try']);
  });

  it('when the authority forgets everything is a new registration and a new order', async () => {
    const found = await w.obtained({ acme_account_id: w.accountId });
    await w.pebble.stop();
    await w.run(found.id);
    const failed = await w.reached(found.id, 'failed');
    expect(failed).toMatchObject({ problem: 'authority_unreachable', certificate_id: found.certificate_id });
    await w.pebble.start();
    await w.run(found.id);
    // Its account is not known there any more: the try ends, and the next one registers it.
    await waitFor('an answer', async () => (await w.read(found.id)).state !== 'working');
    if ((await w.read(found.id)).state === 'failed') await w.run(found.id);
    await w.reached(found.id, 'valid');
  });

  it('before a renewal is told at each of its days, once', async () => {
    const found = await w.obtained();
    const inDays = (days: number) =>
      w.db
        .update(certificate)
        .set({ notAfter: new Date(Date.now() + days * 86_400_000) })
        .where(eq(certificate.id, found.certificate_id!));
    const fail = () =>
      w.db.transaction(async (tx) => {
        await tx.update(certificateOrder).set({ operationId: 1 }).where(eq(certificateOrder.id, found.id));
        await storeFailure(tx, (await readOrderRow(tx, found.id))!, new OrderProblem('dns_missing'), false);
      });
    for (const days of [40, 20, 20, 6, 0.5]) {
      await inDays(days);
      await fail();
    }
    const told = await w.db
      .select()
      .from(event)
      .where(sql`kind = 'issuance_failed' AND subject_id = ${found.id}`)
      .orderBy(event.id);
    expect(told.map(({ data }) => data.facts?.['days'])).toEqual([30, 7, 1]);
  });
});

describe('one order', () => {
  it('has one try at a time, however often it is wanted', async () => {
    const found = await w.obtained();
    const before = await w.db.$count(operation, eq(operation.subjectId, found.id));
    await Promise.all(Array.from({ length: 5 }, () => w.run(found.id)));
    expect((await w.db.$count(operation, eq(operation.subjectId, found.id))) - before).toBe(1);
    await w.reached(found.id, 'valid');
  });

  it('is tried by itself when it is due, and not before', async () => {
    const [due, later] = [await w.obtained(), await w.obtained()];
    const set = (id: number, seconds: number) =>
      w.db
        .update(certificateOrder)
        .set({
          renewAt: new Date(Date.now() + seconds * 1000),
          nextAt: new Date(Date.now() + seconds * 1000),
        })
        .where(eq(certificateOrder.id, id));
    await set(due.id, -1);
    await set(later.id, 3600);
    const before = await w.certificateOf(due.certificate_id!);
    await runDueOrders(w.world.server.services, new AbortController().signal);
    await waitFor(
      'its renewal',
      async () => (await w.certificateOf(before.id)).fingerprint !== before.fingerprint,
    );
    expect((await w.read(later.id)).state).toBe('valid');
  });
});
