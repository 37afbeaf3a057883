import { makeCustomer, startWorld, unique, type Customer, type World } from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { certificate, certificateOrder, event } from '../../db/schema.ts';
import { nextNotice } from './certificate-notice-times.ts';
import { tellOfEndings } from './certificate-notices.ts';

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

const dayMs = 86_400_000;
const db = () => world.server.services.db;

async function upload() {
  const { certificate: chain, key } = await authority.issue([`${unique('www')}.example.com`]);
  const body = { name: unique('ends'), certificate: chain, private_key: key };
  return (await customer.api.get('createCertificate', { body })).id;
}
const rowOf = async (id: number) => (await db().select().from(certificate).where(eq(certificate.id, id)))[0]!;
const told = async (id: number) => {
  const about = and(eq(event.subjectKind, 'certificate'), eq(event.subjectId, id));
  const kinds = (await db().select().from(event).where(about).orderBy(event.id)).map(({ kind }) => kind);
  return kinds.filter((kind) => kind === 'expires_soon' || kind === 'expired');
};

it('are told of 30, 14, 7, 3 and 1 days before their end, and when it has come', () => {
  const end = new Date(Date.UTC(2030, 0, 31));
  const at = (days: number) => nextNotice(end, end.getTime() - days * dayMs)?.getTime();
  const before = (days: number) => end.getTime() - days * dayMs;
  expect([90, 30, 20, 14, 7, 3, 1, 0.5].map(at)).toEqual(
    [30, 14, 14, 7, 3, 1, 0, 0].map((days) => before(days)),
  );
  expect(nextNotice(end, end.getTime())).toBeNull();
});

it('are an event once for each time, and one for all that were missed', async () => {
  const id = await upload();
  // The authority's last for twenty days.
  const { noticeAt, notAfter, updatedAt } = await rowOf(id);
  expect(noticeAt!.getTime()).toBe(notAfter.getTime() - 14 * dayMs);
  await tellOfEndings(world.server.services);
  expect(await told(id)).toEqual([]);

  const inTwoDays = new Date(Date.now() + 2 * dayMs);
  await db()
    .update(certificate)
    .set({ notAfter: inTwoDays, noticeAt: new Date(inTwoDays.getTime() - 14 * dayMs), updatedAt })
    .where(eq(certificate.id, id));
  expect(await tellOfEndings(world.server.services)).toBe(1);
  expect(await tellOfEndings(world.server.services)).toBe(0);
  expect(await told(id)).toEqual(['expires_soon']);
  const row = await rowOf(id);
  expect(row.noticeAt!.getTime()).toBe(inTwoDays.getTime() - dayMs);
  expect(row.updatedAt).toEqual(updatedAt);

  const over = new Date(Date.now() - 1000);
  await db().update(certificate).set({ notAfter: over, noticeAt: over }).where(eq(certificate.id, id));
  const both = await Promise.all([
    tellOfEndings(world.server.services),
    tellOfEndings(world.server.services),
  ]);
  expect(both.toSorted()).toEqual([0, 1]);
  expect(await told(id)).toEqual(['expires_soon', 'expired']);
  expect((await rowOf(id)).noticeAt).toBeNull();
});

it('are left to the order that renews them, until they have ended', async () => {
  const id = await upload();
  const { name, domains } = await rowOf(id);
  const order = { clientId: customer.id, name, domains, challenge: 'http-01', reuseKey: false } as const;
  await db()
    .insert(certificateOrder)
    .values({ ...order, certificateId: id, state: 'valid' });
  const past = new Date(Date.now() - 1000);
  await db().update(certificate).set({ noticeAt: past }).where(eq(certificate.id, id));
  expect(await tellOfEndings(world.server.services)).toBe(0);
  expect((await rowOf(id)).noticeAt!.getTime()).toBeGreaterThan(Date.now());
  await db().update(certificate).set({ notAfter: past, noticeAt: past }).where(eq(certificate.id, id));
  await tellOfEndings(world.server.services);
  expect(await told(id)).toEqual(['expired']);
});

it('begin anew with another certificate in its place', async () => {
  const id = await upload();
  await db().update(certificate).set({ noticeAt: null }).where(eq(certificate.id, id));
  const { name, domains } = await rowOf(id);
  const next = await authority.issue(domains);
  const body = { version: 1, name, certificate: next.certificate, private_key: next.key };
  await customer.api.get('updateCertificate', { params: { id }, body });
  const row = await rowOf(id);
  expect(row.noticeAt!.getTime()).toBe(row.notAfter.getTime() - 14 * dayMs);
});
