import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  saveSetting,
  startDnsServer,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type DnsServer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { runDueChecks } from '../site-domain/site-domain.service.ts';

/** Names of two customers that overlap: who is served on a node, before and after the DNS has spoken. */

let world: World;
let dns: DnsServer;
let ownerOrigin: Origin;
let otherOrigin: Origin;
let owner: Customer;
let other: Customer;
let zone: string;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  dns = await startDnsServer('example.com');
  ownerOrigin = await world.startOrigin((_, response) => response.end('the owner'));
  otherOrigin = await world.startOrigin((_, response) => response.end('the other'));
  [owner, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
});
afterAll(async () => {
  await dns?.close();
  await world?.close();
});
beforeEach(async () => {
  zone = `${unique('zone')}.example.com`;
  await setSetting({});
});

const setSetting = (more: object) =>
  saveSetting(
    world,
    'SiteSetting',
    siteSetting.parse({ cname_domain: 'cdn.example.com', dns_servers: [dns.address], ...more }),
  );
const inZone = (name: string) => name.replace('.example.com', '');
const bodyOf = async (host: string) => (await world.fetchEdge(host, '/')).body;
const isDelivered = (id: number) => async () =>
  (await world.admin.get('getSite', { params: { id } })).delivery.status === 'applied';
const check = (id: number) => other.api.get('checkSiteDns', { params: { id } });

/** Vouched for by the operator, and on the node. */
async function ownerHas(...domains: string[]) {
  const { id } = await world.admin.get('createSite', {
    body: { domains, origin: '127.0.0.1', origin_port: ownerOrigin.port, order_id: owner.orderId },
  });
  await waitFor('the site of the owner on the node', isDelivered(id));
  return id;
}
async function otherAdds(...domains: string[]) {
  const { id } = await other.api.get('createSite', {
    body: { domains, origin: '127.0.0.1', origin_port: otherOrigin.port },
  });
  await waitFor('the site of the other on the node', isDelivered(id));
  return id;
}

describe.each([
  ['with proof asked of customers, as by default', {}],
  ['with no proof asked of customers', { site_check: false }],
])('%s', (_, setting) => {
  beforeEach(() => setSetting(setting));

  it('a name below a wildcard of another customer stays theirs, whatever its address is', async () => {
    const login = `login.${zone}`;
    await ownerHas(`*.${zone}`);
    await dns.write([`${inZone(login)} IN A 127.0.0.1`]);
    const id = await otherAdds(login);
    expect((await check(id)).domains[0]).toMatchObject({ verdict: 'address', proof: 'waiting' });
    expect(await bodyOf(login)).toBe('the owner');
  });

  it('the name above, and the wildcard over names, of another customer are not served to the other', async () => {
    await ownerHas(`www.${zone}`);
    await otherAdds(zone, `*.${zone}`);
    expect(await bodyOf(`www.${zone}`)).toBe('the owner');
    for (const host of [zone, `shop.${zone}`]) expect((await world.fetchEdge(host, '/')).status).toBe(421);
  });
});

it('a TXT record of its own gives the name to the other customer, and the node follows', async () => {
  const login = `login.${zone}`;
  await ownerHas(`*.${zone}`);
  const id = await otherAdds(login);
  const [pending] = (await other.api.get('getSiteDnsCheck', { params: { id } })).domains;
  await dns.write([`${inZone(pending!.txt_name)} IN TXT "${pending!.txt_value}"`]);
  expect((await check(id)).domains[0]).toMatchObject({ proof: 'given', contested: false });
  await waitFor('the other on the node', async () => (await bodyOf(login)) === 'the other');
  expect(await bodyOf(`www.${zone}`)).toBe('the owner');
});

it('the very name of a customer changes hands by proof, and never has two owners', async () => {
  const lost = await ownerHas(zone, `cdn.${zone}`);
  const id = await otherAdds(zone);
  expect(await bodyOf(zone)).toBe('the owner');
  const [pending] = (await other.api.get('getSiteDnsCheck', { params: { id } })).domains;
  await dns.write([`${inZone(pending!.txt_name)} IN TXT "${pending!.txt_value}"`]);
  await check(id);
  await waitFor('the new owner on the node', async () => (await bodyOf(zone)) === 'the other');
  await waitFor('the site that lost it on the node', isDelivered(lost));
  expect(await bodyOf(zone)).toBe('the other');
  expect(await bodyOf(`cdn.${zone}`)).toBe('the owner');
  // Even when it is sent again, the site that lost it does not take it back.
  await world.admin.get('forceSiteSync', { params: { id: lost } });
  await waitFor('the site that lost it on the node', isDelivered(lost));
  expect(await bodyOf(zone)).toBe('the other');
});

it('a name that waits takes nothing from a wildcard that is proven after it', async () => {
  const login = `login.${zone}`;
  await otherAdds(login);
  expect((await world.fetchEdge(login, '/')).body).toContain('being verified');
  await ownerHas(`*.${zone}`);
  await runDueChecks(world.server.services);
  await waitFor('the wildcard on the node', async () => (await bodyOf(login)) === 'the owner');
});
