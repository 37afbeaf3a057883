import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

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

async function upload(name: string, domain = `${unique('www')}.example.com`) {
  const { certificate, key } = await authority.issue([domain]);
  const body = { name, certificate, private_key: key };
  return (await customer.api.get('createCertificate', { body })).id;
}
const use = (domain: string, ...certificateIds: number[]) =>
  makeSite(customer.api, { domain, certificateIds });
const remove = (certificates: object) =>
  customer.api.send('POST', '/prod-api/certificate/batch_delete', { certificates });
const there = async (name: string) =>
  (await customer.api.get('listCertificates', { query: { name } })).list.map(({ id }) => id);

describe('many certificates', () => {
  it('are removed but for those that sites use, which are named', async () => {
    const word = unique('many');
    const domain = `${unique('used')}.example.com`;
    const [one, two, used] = [
      await upload(`${word} 1`),
      await upload(`${word} 2`),
      await upload(word, domain),
    ];
    const { id: siteId } = await use(domain, used);
    expect(await remove({ certificate_ids: [one, two, used] })).toMatchObject({
      status: 200,
      data: {
        removed: 2,
        kept: [{ id: used, name: word, sites: [{ id: siteId, domain }], site_count: 1 }],
      },
    });
    expect(await there(word)).toEqual([used]);
  });

  it('are those of a filter, if they are as many as were counted', async () => {
    const word = unique('filter');
    await upload(word);
    await upload(word);
    const answer = await remove({ filter: { name: word }, expected_total: 3 });
    expect(answer).toMatchObject({
      status: 409,
      code: 40908,
      errors: [{ path: 'certificates.expected_total' }],
    });
    expect(await there(word)).toHaveLength(2);
    expect(await remove({ filter: { name: word } })).toMatchObject({ status: 400 });
    expect(await remove({ filter: { name: word }, expected_total: 2 })).toMatchObject({
      data: { removed: 2 },
    });
    expect(await remove({})).toMatchObject({ status: 400 });
  });

  it("are never another customer's, and nobody's without a session", async () => {
    const id = await upload(unique('foreign'));
    const other = await makeCustomer(world);
    const path = '/prod-api/certificate/batch_delete';
    const body = { certificates: { certificate_ids: [id] } };
    expect(await other.api.send('POST', path, body)).toMatchObject({ status: 400 });
    expect(await world.anonymousUser.send('POST', path, body)).toMatchObject({ status: 401 });
    expect(await customer.api.call('getCertificate', { params: { id } })).toMatchObject({ status: 200 });
    expect(await other.api.call('downloadCertificate', { params: { id } })).toMatchObject({ status: 404 });
  });

  it('are found by whether a site uses them and by how long they last', async () => {
    const word = unique('found');
    const domain = `${unique('served')}.example.com`;
    const [spare, used] = [await upload(word), await upload(word, domain)];
    await use(domain, used);
    const found = async (query: object) =>
      (await customer.api.get('listCertificates', { query: { name: word, ...query } })).list.map(
        ({ id }) => id,
      );
    expect(await found({ used: 'yes' })).toEqual([used]);
    expect(await found({ used: 'no' })).toEqual([spare]);
    // The authority's last for twenty days.
    expect(await found({ status: 'expires_soon' })).toHaveLength(2);
    expect(await found({ status: 'valid' })).toEqual([]);
    expect(await found({ status: 'expired' })).toEqual([]);
  });

  it('say which domains of their sites they cover, and which nothing covers', async () => {
    const domain = `${unique('covered')}.example.com`;
    const id = await upload(unique('cover'), domain);
    const site = await customer.api.get('createSite', {
      body: { domains: [domain, `bare.${domain}`], origin: '192.0.2.1' },
    });
    await customer.api.get('updateCertificateSettings', {
      query: { site_id: site.id },
      body: { version: 1, value: { certificate_ids: [id] } },
    });
    const { sites } = await customer.api.get('getCertificate', { params: { id } });
    expect(sites).toEqual([{ id: site.id, domain, covered: [domain], uncovered: [`bare.${domain}`] }]);
  });
});
