import { makeSite } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acmeAccount } from '../../db/schema.ts';
import { inputOf, OrderWorld } from './test-orders.ts';

/** Who may obtain what, and by which account. */

let w: OrderWorld;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
});
afterAll(() => w?.close());

describe('who may', () => {
  it('a customer sees and changes their own, and nobody else’s', async () => {
    const { id } = await w.obtained();
    const params = { id };
    const body = { ...inputOf(await w.read(id)), version: 1 };
    for (const answer of [
      await w.other.api.call('getCertificateOrder', { params }),
      await w.other.api.call('listCertificateSteps', { params, query: {} }),
      await w.other.api.call('runCertificateOrder', { params }),
      await w.other.api.call('updateCertificateOrder', { params, body }),
      await w.other.api.call('revokeCertificateOrder', { params, body: { reason: 'unspecified' } }),
      await w.other.api.call('removeCertificateOrder', { params }),
      await w.other.api.call('renewCertificate', { params: { id: (await w.read(id)).certificate_id! } }),
    ])
      expect(answer).toMatchObject({ status: 404 });
    const list = await w.other.api.get('listCertificateOrders', { query: { client_id: w.one.id } });
    expect(list.total).toBe(0);
    const mine = await w.other.api.get('listCertificateAuthorities', { query: {} });
    expect(Object.keys(mine.list[0]!).toSorted()).toEqual(['id', 'key_type', 'name']);
    for (const api of [w.world.anonymous, w.world.anonymousUser])
      expect(await api.call('runCertificateOrder', { params })).toMatchObject({ status: 401 });
    expect((await w.other.api.call('listAcmeAccounts', { query: {} })).status).toBeGreaterThan(400);
  });

  it('nobody asks for a name that is not theirs, or uses another’s DNS account', async () => {
    const site = await makeSite(w.other.api, { orderId: w.other.orderId });
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
      expect(await w.order(w.one, more, domains), path).toMatchObject({ status: 400, errors: [{ path }] });
    const theirs = await w.makeDns(w.other);
    expect(await w.order(w.one, { dns_account_id: theirs })).toMatchObject({
      errors: [{ path: 'dns_account_id' }],
    });
    const many = Array.from({ length: 101 }, (_, index) => `a${index}.${site.domain}`);
    expect(await w.order(w.one, {}, many)).toMatchObject({ status: 400, errors: [{ path: 'domains' }] });
  });

  it('a certificate of more names than an authority takes is refused at its names', async () => {
    for (const count of [101, 2000]) {
      const names = Array.from({ length: count }, (_, index) => `n${index}.example.com`);
      expect(await w.order(w.one, {}, names)).toMatchObject({
        status: 400,
        errors: [{ path: 'domains', message: 'A certificate can have at most 100 domains' }],
      });
    }
  });

  it('a certificate that was uploaded is not renewed', async () => {
    const found = await w.obtained();
    await w.one.api.get('removeCertificateOrder', { params: { id: found.id } });
    const answer = await w.one.api.call('renewCertificate', { params: { id: found.certificate_id! } });
    expect(answer).toMatchObject({ status: 409, code: 40_941 });
    expect(await w.certificateOf(found.certificate_id!)).toBeDefined();
  });
});

describe('an account at an authority', () => {
  it('is registered by its test, and gives no key away', async () => {
    const id = await w.makeAccount({ email: 'ops@example.com' });
    expect(await w.world.admin.get('testAcmeAccount', { params: { id } })).toMatchObject({
      ok: true,
      message: '',
    });
    expect(await w.world.admin.get('testAcmeAccount', { params: { id } })).toMatchObject({ ok: true });
    const account = await w.world.admin.get('getAcmeAccount', { params: { id } });
    expect(account.account_url).toContain('https://');
    expect(JSON.stringify(account)).not.toMatch(/PRIVATE KEY|v2\./);
    const [row] = await w.db.select().from(acmeAccount).where(eq(acmeAccount.id, id));
    expect(w.world.server.services.secrets.decrypt(row!.accountKey!)).toContain('PRIVATE KEY');
    await w.world.admin.get('removeAcmeAccount', { params: { id } });
  });

  it('that does not work says why in the authority’s words', async () => {
    const id = await w.makeAccount({ directory_ca: '' });
    const { ok, message } = await w.world.admin.get('testAcmeAccount', { params: { id } });
    expect(ok).toBe(false);
    expect(message).toMatch(/cannot be reached \(.*certificate/);
    await w.world.admin.get('removeAcmeAccount', { params: { id } });
  });

  it('is not deleted while certificates are renewed by it', async () => {
    const { data } = await w.order(w.one, { acme_account_id: w.accountId });
    await w.reached(data.id, 'valid');
    const answer = await w.world.admin.call('removeAcmeAccount', { params: { id: w.accountId } });
    expect(answer).toMatchObject({ status: 409 });
  });
});
