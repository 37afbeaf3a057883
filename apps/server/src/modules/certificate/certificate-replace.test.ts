import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, event } from '../../db/schema.ts';

/** Certificates that are renamed or replaced by another. */

let world: World;
let customer: Customer;
let authority: Authority;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  authority = await Authority.make('Test authority');
});
afterAll(async () => {
  await world.close();
  await authority.close();
});

const pem = ({ certificate: chain, key }: IssuedPair) => ({ certificate: chain, private_key: key });

async function upload(...domains: string[]) {
  const pair = await authority.issue(domains);
  const body = { name: unique('cert'), ...pem(pair) };
  const { id } = await customer.api.get('createCertificate', { body });
  return { id, pair, name: body.name };
}
const read = (id: number) => customer.api.get('getCertificate', { params: { id } });
type Change = Parameters<typeof customer.api.call<'updateCertificate'>>[1]['body'];
const change = (id: number, body: Change) => customer.api.call('updateCertificate', { params: { id }, body });

/** Has a site of the customer use certificates. */
const use = (domain: string, ...certificateIds: number[]) =>
  makeSite(customer.api, { domain, certificateIds });

describe('a certificate', () => {
  it('is read by itself and renamed, and a change of an older version is refused', async () => {
    const { id } = await upload(`${unique('a')}.example.com`);
    expect(await read(id)).toMatchObject({ id, version: 1, client_id: customer.id });
    expect(await change(id, { version: 1, name: 'Renamed' })).toMatchObject({
      status: 200,
      data: { task_id: null },
    });
    expect(await read(id)).toMatchObject({ name: 'Renamed', version: 2 });
    expect(await change(id, { version: 1, name: 'Late' })).toMatchObject({ status: 409, code: 40901 });
    const [told] = await world.server.services.db.select().from(event).where(eq(event.kind, 'updated'));
    expect(told).toMatchObject({ subjectKind: 'certificate', subjectId: id, clientId: customer.id });
  });

  it('is replaced under its id, with a key of its own or the one that is there', async () => {
    const domain = `${unique('b')}.example.com`;
    const { id, pair, name } = await upload(domain);
    const { fingerprint } = await read(id);
    const next = await authority.issue([domain, `www.${domain}`]);
    expect(await change(id, { version: 1, name, ...pem(next) })).toMatchObject({ status: 200 });
    const replaced = await read(id);
    expect(replaced).toMatchObject({ domains: [domain, `www.${domain}`], version: 2 });
    expect(replaced.fingerprint).not.toBe(fingerprint);
    const { db, secrets } = world.server.services;
    const [row] = await db.select().from(certificate).where(eq(certificate.id, id));
    expect(row!.privateKey).not.toContain('PRIVATE KEY');
    expect(secrets.decrypt(row!.privateKey)).toContain('PRIVATE KEY');

    expect(await change(id, { version: 2, name, certificate: pair.certificate })).toMatchObject({
      status: 400,
      errors: [{ path: 'private_key' }],
    });
    expect(await change(id, { version: 2, name, certificate: next.certificate })).toMatchObject({
      status: 200,
    });
    expect((await read(id)).version).toBe(3);
    const told = await db.select().from(event).where(eq(event.kind, 'replaced'));
    expect(told.some((one) => JSON.stringify(one.data).includes(replaced.fingerprint))).toBe(true);
    expect(JSON.stringify(told)).not.toContain('PRIVATE KEY');
  });

  it('is refused a key without a certificate, and one of another certificate', async () => {
    const domain = `${unique('c')}.example.com`;
    const { id, name } = await upload(domain);
    const [one, other] = [await authority.issue([domain]), await authority.issue([domain])];
    expect(await change(id, { version: 1, name, private_key: one.key })).toMatchObject({
      status: 400,
      errors: [{ path: 'certificate' }],
    });
    const mixed = { certificate: one.certificate, private_key: other.key };
    expect(await change(id, { version: 1, name, ...mixed })).toMatchObject({
      status: 400,
      errors: [{ path: 'private_key' }],
    });
    expect((await read(id)).version).toBe(1);
  });

  it('keeps covering what sites serve with it, unless that is said not to matter', async () => {
    const [served, left] = [`${unique('d')}.example.com`, `${unique('e')}.example.com`];
    const { id, name } = await upload(served, left);
    await use(served, id);
    const narrow = pem(await authority.issue([left]));
    const refused = await change(id, { version: 1, name, ...narrow });
    expect(refused).toMatchObject({
      status: 400,
      errors: [{ path: 'certificate', message: expect.stringContaining(served) }],
    });
    expect(JSON.stringify(refused)).not.toContain(left);
    const answer = await change(id, { version: 1, name, ...narrow, allow_uncovered: true });
    expect(answer).toMatchObject({ status: 200 });
  });

  it('need not cover what another certificate of the site does', async () => {
    const domain = `${unique('f')}.example.com`;
    const [one, other] = [await upload(domain), await upload(domain)];
    await use(domain, one.id, other.id);
    const elsewhere = pem(await authority.issue(['elsewhere.example.com']));
    expect(await change(one.id, { version: 1, name: one.name, ...elsewhere })).toMatchObject({ status: 200 });
    expect(await change(other.id, { version: 1, name: other.name, ...elsewhere })).toMatchObject({
      status: 400,
    });
  });

  it('is replaced once by two who do so at the same moment', async () => {
    const domain = `${unique('g')}.example.com`;
    const { id, name } = await upload(domain);
    await use(domain, id);
    const pairs = [await authority.issue([domain]), await authority.issue([domain])];
    const answers = await Promise.all(pairs.map((pair) => change(id, { version: 1, name, ...pem(pair) })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await read(id)).version).toBe(2);
  });

  it('is not there for another customer, nor for nobody', async () => {
    const { id, name } = await upload(`${unique('h')}.example.com`);
    const other = await makeCustomer(world);
    const params = { id };
    const body = { version: 1, name };
    expect(await other.api.call('getCertificate', { params })).toMatchObject({ status: 404 });
    expect(await other.api.call('updateCertificate', { params, body })).toMatchObject({ status: 404 });
    expect(await world.anonymousUser.call('getCertificate', { params })).toMatchObject({ status: 401 });
    expect(await world.anonymousUser.call('updateCertificate', { params, body })).toMatchObject({
      status: 401,
    });
  });
});
