import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import { and, eq } from 'drizzle-orm';
import { startResponder } from '@breakwater/test-world/ocsp-responder';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { certificate, event, nodeIp, servedCheck } from '../../db/schema.ts';
import { runServedChecks } from './served-certificate.service.ts';

let world: World;
let customer: Customer;
let authority: Authority;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, ocspPrivateAddresses: true });
  customer = await makeCustomer(world);
  authority = await Authority.make('Test authority');
});
afterAll(async () => {
  await world.close();
  await authority.close();
});

const db = () => world.server.services.db;

async function upload(pair: IssuedPair) {
  const body = { name: unique('cert'), certificate: pair.certificate, private_key: pair.key };
  return (await customer.api.get('createCertificate', { body })).id;
}
const serve = async (domain: string, ...certificateIds: number[]) =>
  (await makeSite(customer.api, { domain, certificateIds })).id;
const stateOf = (id: number) => customer.api.get('getServedCheck', { params: { id } });
const faultsOf = async (site_id: number) =>
  (await customer.api.get('listServedFaults', { query: { site_id } })).list;

/** Has the nodes of a site looked at, once they have confirmed what they were sent. */
async function check(siteId: number) {
  const { checked_at: before } = await stateOf(siteId);
  await waitFor('the check', async () => {
    await customer.api.get('checkServedCertificates', { params: { id: siteId } });
    await runServedChecks(world.server.services);
    return (await stateOf(siteId)).checked_at !== before;
  });
  return faultsOf(siteId);
}

it('are looked at after a change, once the node has it, and again by night', async () => {
  const domain = `${unique('www')}.example.com`;
  const siteId = await serve(domain, await upload(await authority.issue([domain])));
  const { checked_at, due_at } = await stateOf(siteId);
  expect(checked_at).toBeNull();
  expect(Date.parse(due_at!) - Date.now()).toBeLessThan(10_000);
  expect(await check(siteId)).toEqual([]);
  const next = Date.parse((await stateOf(siteId)).due_at!);
  expect(next).toBeGreaterThan(Date.now());
  expect([0, 1, 2, 3]).toContain(new Date(next).getUTCHours());
});

it('of both kinds of keys, and under wildcards, are told apart', async () => {
  const domain = `*.${unique('wild')}.example.com`;
  const [ec, rsa] = [await authority.issue([domain]), await authority.issue([domain], { key: 'rsa' })];
  const ids = [await upload(ec), await upload(rsa)];
  const siteId = await serve(domain, ...ids);
  expect(await check(siteId)).toEqual([]);
  const other = await authority.issue([domain], { key: 'rsa' });
  await db().update(certificate).set({ certificate: other.certificate }).where(eq(certificate.id, ids[1]!));
  expect(await check(siteId)).toMatchObject([
    { domain, problem: 'other', expected_serial: other.serial, served_serial: rsa.serial },
  ]);
});

it('that differ are shown with the site, the node and at home, are an event once, and are gone when they are right', async () => {
  const domain = `${unique('differs')}.example.com`;
  const [right, wrong] = [await authority.issue([domain]), await authority.issue([domain])];
  const id = await upload(right);
  const siteId = await serve(domain, id);
  expect(await check(siteId)).toEqual([]);
  const keep = (pem: string) =>
    db().update(certificate).set({ certificate: pem }).where(eq(certificate.id, id));
  await keep(wrong.certificate);
  const [fault] = await check(siteId);
  expect(fault).toMatchObject({
    site_id: siteId,
    site_name: domain,
    problem: 'other',
    expected_serial: wrong.serial,
    served_serial: right.serial,
    served_issuer: 'Test authority',
  });
  const ofNode = await world.admin.get('listServedFaults', { query: { node_id: fault!.node_id } });
  expect(ofNode.list.map((one) => one.site_id)).toContain(siteId);
  expect((await customer.api.get('getDashboardState', {})).served!.list.map((one) => one.site_id)).toContain(
    siteId,
  );
  await check(siteId);
  const told = () =>
    db()
      .select()
      .from(event)
      .where(and(eq(event.kind, 'served_differently'), eq(event.subjectId, siteId)));
  expect(await told()).toMatchObject([{ clientId: customer.id, data: { facts: { domains: domain } } }]);

  await keep(right.certificate + wrong.certificate);
  expect(await check(siteId)).toMatchObject([{ problem: 'chain', served_serial: right.serial }]);
  await keep(right.certificate);
  expect(await check(siteId)).toEqual([]);
  expect(await told()).toHaveLength(1);
});

it('go with an OCSP answer where the site wants one, and that is looked at', async () => {
  const [responderPort, deadPort] = (await freePorts(2)) as [number, number];
  const responder = await startResponder(authority, responderPort);
  onTestFinished(() => responder.stop());
  const stapled = async (port: number) => {
    const domain = `${unique('staple')}.example.com`;
    const pair = await authority.issue([domain], { responder: `http://127.0.0.1:${port}/` });
    const certificateId = await upload(pair);
    // Before it was issued it could not be in the list of the responder.
    await responder.restart();
    const siteId = await serve(domain, certificateId);
    const staple = async (isOn: boolean) => {
      const { version } = await customer.api.get('getSite', { params: { id: siteId } });
      await customer.api.get('updateCertificateSettings', {
        query: { site_id: siteId },
        body: { version, value: { certificate_ids: [certificateId], ocsp_stapling: isOn } },
      });
    };
    await staple(true);
    return { siteId, domain, staple };
  };
  const good = await stapled(responderPort);
  await waitFor('the answer', async () => (await check(good.siteId)).length === 0);
  const { staple_until: until } = await stateOf(good.siteId);
  expect(Math.abs(Date.parse(until!) - Date.now() - 3_600_000)).toBeLessThan(600_000);
  const dead = await stapled(deadPort);
  expect(await check(dead.siteId)).toMatchObject([
    {
      domain: dead.domain,
      problem: 'staple',
      error: 'missing',
      served_issuer: 'Test authority',
      staple_from: null,
    },
  ]);
  // It is looked for again soon, and no event.
  expect(Date.parse((await stateOf(dead.siteId)).due_at!) - Date.now()).toBeLessThan(700_000);
  const events = await db().select().from(event).where(eq(event.subjectId, dead.siteId));
  expect(events.map(({ kind }) => kind)).not.toContain('served_differently');
  await dead.staple(false);
  expect(await check(dead.siteId)).toEqual([]);
  expect((await stateOf(dead.siteId)).staple_until).toBeNull();
});

it('of a node that cannot be reached are one fault for each site, whatever number of names it has', async () => {
  const domain = `${unique('away')}.example.com`;
  const id = await upload(await authority.issue([domain, `www.${domain}`]));
  const site = await customer.api.get('createSite', {
    body: { domains: [domain, `www.${domain}`], origin: '127.0.0.1' },
  });
  const query = { site_id: site.id };
  await customer.api.get('updateCertificateSettings', {
    query,
    body: { version: 1, value: { certificate_ids: [id] } },
  });
  expect(await check(site.id)).toEqual([]);
  // nginx listens at 127.0.0.1 alone.
  await db().update(nodeIp).set({ ip: '127.0.0.2' }).where(eq(nodeIp.ip, '127.0.0.1'));
  expect(await check(site.id)).toMatchObject([{ problem: 'no_answer', error: 'ECONNREFUSED' }]);
  await db().update(nodeIp).set({ ip: '127.0.0.1' }).where(eq(nodeIp.ip, '127.0.0.2'));
  expect(await check(site.id)).toEqual([]);
});

it('are looked at again after the certificate was replaced, and no more without one', async () => {
  const domain = `${unique('again')}.example.com`;
  const id = await upload(await authority.issue([domain]));
  const siteId = await serve(domain, id);
  await check(siteId);
  const { name } = await customer.api.get('getCertificate', { params: { id } });
  const next = await authority.issue([domain]);
  const body = { version: 1, name, certificate: next.certificate, private_key: next.key };
  await customer.api.get('updateCertificate', { params: { id }, body });
  expect(Date.parse((await stateOf(siteId)).due_at!) - Date.now()).toBeLessThan(10_000);
  expect(await check(siteId)).toEqual([]);

  const none = { version: 2, value: { certificate_ids: [] } };
  await customer.api.get('updateCertificateSettings', { query: { site_id: siteId }, body: none });
  await db().update(servedCheck).set({ dueAt: new Date() }).where(eq(servedCheck.siteId, siteId));
  await waitFor('nothing to look at', async () => {
    await runServedChecks(world.server.services);
    return (await stateOf(siteId)).due_at === null;
  });
});

it("are nobody else's business", async () => {
  const domain = `${unique('mine')}.example.com`;
  const id = await serve(domain, await upload(await authority.issue([domain])));
  const other = await makeCustomer(world);
  const params = { id };
  expect(await other.api.call('getServedCheck', { params })).toMatchObject({ status: 404 });
  expect(await other.api.call('checkServedCertificates', { params })).toMatchObject({ status: 404 });
  expect(await world.anonymousUser.call('getServedCheck', { params })).toMatchObject({ status: 401 });
  expect((await other.api.get('listServedFaults', { query: { site_id: id } })).total).toBe(0);
  const { api } = await makeAdministrator(world, ['certificate.read']);
  expect(await api.call('listServedFaults', { query: {} })).toMatchObject({ status: 403 });
});
