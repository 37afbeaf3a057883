import { siteSetting } from '@breakwater/contract';
import {
  brokenZone,
  makeCustomer,
  startDnsServer,
  startWorld,
  unique,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
let dns: DnsServer;
let customer: Customer;
let authority: Authority;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  authority = await Authority.make('Test authority');
  dns = await startDnsServer('example.com', [
    '@ IN CAA 0 issue "one.example"',
    '@ IN CAA 128 issuewild ";"',
    'own IN CAA 0 issue "two.example"',
    'plain IN A 192.0.2.1',
  ]);
  const { version } = await world.admin.get('getSiteSetting', {});
  const value = { ...siteSetting.parse({}), dns_servers: [dns.address] };
  await world.admin.get('updateSiteSetting', { body: { version, value } });
});
afterAll(async () => {
  await world.close();
  await dns.close();
  await authority.close();
});

async function upload(...domains: string[]) {
  const { certificate, key } = await authority.issue(domains);
  const body = { name: unique('caa'), certificate, private_key: key };
  return (await customer.api.get('createCertificate', { body })).id;
}

it('says who may issue for each name: the nearest records, none, or that the DNS does not answer', async () => {
  const id = await upload('*.plain.example.com', 'plain.example.com', 'own.example.com', `www.${brokenZone}`);
  const { domains } = await customer.api.get('getCertificateCaa', { params: { id } });
  expect(domains.map((one) => ({ ...one, records: one.records.toSorted() }))).toEqual([
    {
      domain: 'plain.example.com',
      found_at: 'example.com',
      records: ['0 issue "one.example"', '128 issuewild ";"'],
      failed: false,
    },
    {
      domain: 'own.example.com',
      found_at: 'own.example.com',
      records: ['0 issue "two.example"'],
      failed: false,
    },
    { domain: `www.${brokenZone}`, found_at: '', records: [], failed: true },
  ]);
  await dns.write(['plain IN A 192.0.2.1']);
  const bare = await upload('plain.example.com');
  const answer = await customer.api.get('getCertificateCaa', { params: { id: bare } });
  expect(answer.domains[0]).toMatchObject({ found_at: '', records: [] });
});

it("is nobody else's business", async () => {
  const id = await upload('mine.example.com');
  const other = await makeCustomer(world);
  expect(await other.api.call('getCertificateCaa', { params: { id } })).toMatchObject({ status: 404 });
  expect(await world.anonymousUser.call('getCertificateCaa', { params: { id } })).toMatchObject({
    status: 401,
  });
});
