import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  saveSetting,
  startDnsServer,
  startWorld,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const nibbles = `5${'.0'.repeat(23)}.8.b.d.0.1.0.0.2`;

let world: World;
let dns: DnsServer;
let customer: Customer;
beforeAll(async () => {
  dns = await startDnsServer('googlebot.com', ['v4 IN A 192.0.2.5', 'v6 IN AAAA 2001:db8::5'], {
    '2.0.192.in-addr.arpa': ['5 IN PTR v4.googlebot.com.', '6 IN PTR v4.googlebot.com.'],
    'ip6.arpa': [`${nibbles} IN PTR v6.googlebot.com.`],
  });
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await saveSetting(world, 'SiteSetting', siteSetting.parse({ dns_servers: [dns.address] }));
  customer = await makeCustomer(world);
});
afterAll(async () => {
  await world?.close();
  await dns.close();
});

it('whose robot an address is can be looked up, by the name servers of the platform', async () => {
  const robotAt = async (ip: string) =>
    (await customer.api.get('lookUpAddress', { query: { ip, robot: '1' } })).robot;
  expect(await robotAt('192.0.2.5')).toBe('google');
  expect(await robotAt('2001:DB8:0::5')).toBe('google');
  expect(await robotAt('192.0.2.6')).toBe('none');
  expect(await robotAt('192.0.2.7')).toBe('none');
  // Of other networks this server says nothing.
  expect(await robotAt('198.51.100.1')).toBe(null);
});

it('a request that is explained is of a robot where DNS proves it', async () => {
  // An operator's: what the customer adds would wait for the DNS.
  const site = await makeSite(world.admin, { orderId: customer.orderId });
  const condition = { items: [{ field: 'verified_robot' as const, operator: 'exists' as const }] };
  await customer.api.get('updateAccessControl', {
    query: { site_id: site.id },
    body: { version: 1, value: { rules: [{ action: 'allow', condition }], otherwise: 'deny' } },
  });
  const outcomeFrom = async (address: string) => {
    const answer = await customer.api.get('explainSite', {
      params: { id: site.id },
      body: {
        url: `http://${site.domain}/`,
        address,
        headers: [{ name: 'User-Agent', value: agent }],
      },
    });
    return answer.model_trace.steps.find(({ step }) => step === 'access_control')!.outcome;
  };
  expect(await outcomeFrom('192.0.2.5')).toBe('passed');
  expect(await outcomeFrom('192.0.2.6')).toBe('stopped');
});
