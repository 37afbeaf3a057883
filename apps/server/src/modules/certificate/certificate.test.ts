import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, edgeDocument, operationLog, order, product } from '../../db/schema.ts';

let world: World;
let customer: Customer;
const pair = selfSigned('a.example.com', '*.b.example.com');
const stranger = selfSigned('other.example.com');

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

function selfSigned(...domains: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-pair-'));
  const names = domains.map((domain) => `DNS:${domain}`).join(',');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const subject = ['-subj', `/CN=${domains[0]!}`, '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  const read = { certificate: readFileSync(cert, 'utf8'), private_key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return read;
}

const upload = (body: object) =>
  customer.api.send('POST', '/prod-api/certificate', { name: unique('cert'), ...body });

describe('certificates', () => {
  it('are read, listed without their key, and kept encrypted', async () => {
    const { status, data } = await upload(pair);
    expect(status).toBe(200);
    const { id } = data as { id: number };
    const { list } = await customer.api.get('listCertificates', { query: { domain: 'b.example' } });
    expect(list[0]).toMatchObject({
      id,
      domains: ['a.example.com', '*.b.example.com'],
      issuer: 'a.example.com',
      site_count: 0,
    });
    const { db } = world.server.services;
    const [row] = await db.select().from(certificate).where(eq(certificate.id, id));
    const logged = JSON.stringify(await db.select().from(operationLog));
    for (const text of [JSON.stringify(list), row!.privateKey, logged])
      expect(text).not.toMatch(/PRIVATE KEY/);
  });

  it('are found by a part of a name or a domain, and by their ids', async () => {
    const word = unique('sought');
    const made = [
      await upload({ ...pair, name: `${word} one` }),
      await upload({ ...selfSigned(`${word}.example.com`), name: 'two' }),
      await upload({ ...pair, name: 'three' }),
    ];
    const [one, two, three] = made.map(({ data }) => (data as { id: number }).id);
    const found = async (query: { keyword?: string; ids?: string }) =>
      (await customer.api.get('listCertificates', { query })).list
        .map(({ id }) => id)
        .toSorted((a, b) => a - b);
    expect(await found({ keyword: word })).toEqual([one, two]);
    expect(await found({ ids: `${two},${three}` })).toEqual([two, three]);
    const other = await makeCustomer(world);
    expect((await other.api.get('listCertificates', { query: { ids: `${one}` } })).list).toEqual([]);
  });

  it.each([
    ['no certificate', { ...pair, certificate: 'hello' }, 'certificate'],
    ['no key', { ...pair, private_key: 'hello' }, 'private_key'],
    ['a key of another certificate', { ...pair, private_key: stranger.private_key }, 'private_key'],
    [
      'a key in place of the certificate',
      { certificate: pair.private_key, private_key: pair.private_key },
      'certificate',
    ],
  ])('are refused with %s', async (_, body, path) => {
    expect(await upload(body)).toMatchObject({ status: 400, errors: [{ path }] });
  });

  it('travel to where their sites are served, encrypted in the database, and leave with the last', async () => {
    const { id } = (await upload(pair)).data as { id: number };
    const site = await makeSite(customer.api);
    const query = { site_id: site.id };
    const use = (version: number, certificate_ids: number[]) =>
      customer.api.get('updateCertificateSettings', { query, body: { version, value: { certificate_ids } } });
    const { db, secrets } = world.server.services;
    const document = async () =>
      (
        await db
          .select()
          .from(edgeDocument)
          .where(and(eq(edgeDocument.kind, 'certificate'), eq(edgeDocument.key, String(id))))
      )[0];

    await use(1, [id]);
    const live = (await document())!;
    expect(live).toMatchObject({ deleted: false });
    expect(live.body).not.toContain('PRIVATE KEY');
    expect(JSON.parse(secrets.decrypt(live.body))).toMatchObject({
      certificate_id: id,
      domains: ['a.example.com', '*.b.example.com'],
    });
    expect(await customer.api.call('removeCertificate', { params: { id } })).toMatchObject({ status: 409 });

    await use(2, []);
    expect(await document()).toMatchObject({ deleted: true, body: '' });
    await customer.api.get('removeCertificate', { params: { id } });
  });

  it("cannot be another customer's", async () => {
    const other = await makeCustomer(world);
    const { id } = (await upload(pair)).data as { id: number };
    expect(await other.api.call('removeCertificate', { params: { id } })).toMatchObject({ status: 404 });
    const site = await makeSite(other.api);
    const body = { version: 1, value: { certificate_ids: [id] } };
    const answer = await other.api.call('updateCertificateSettings', { query: { site_id: site.id }, body });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.certificate_ids.0' }] });
  });

  it('are as many as the products of their customer allow', async () => {
    const { db } = world.server.services;
    const [bought] = await db.select().from(order).where(eq(order.id, customer.orderId));
    const of = eq(product.id, bought!.productId);
    const [{ limits }] = (await db.select({ limits: product.limits }).from(product).where(of)) as [
      { limits: typeof product.$inferSelect.limits },
    ];
    const has = await db.$count(certificate, eq(certificate.clientId, customer.id));
    await db
      .update(product)
      .set({ limits: { ...limits, certificates: has } })
      .where(of);
    expect(await upload(pair)).toMatchObject({
      status: 400,
      errors: [{ path: 'certificate', message: expect.stringContaining(`${has} certificates`) }],
    });
    await db.update(product).set({ limits }).where(of);
    expect(await upload(pair)).toMatchObject({ status: 200 });
  });
});
