import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/delivery-schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const pathOf = (section: string, siteId: number) => `/prod-api/site_config/${section}?site_id=${siteId}`;

async function documentOf(siteId: number): Promise<Record<string, unknown>> {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(eq(edgeDocument.key, String(siteId)));
  return JSON.parse(row!.body) as Record<string, unknown>;
}

it.each([
  ['security', { connections: 10, rate: { requests: 5 } }],
  ['real_ip', { mode: 'header', headers: ['X-Real-IP'], trusted: ['10.0.0.0/8', '2001:db8::/32'] }],
])('%s goes to the nodes, and not at all while it is as by default', async (section, value) => {
  const site = await makeSite(customer.api);
  expect(await documentOf(site.id)).not.toHaveProperty(section);
  const path = pathOf(section, site.id);
  expect(await customer.api.send('PUT', path, { version: 1, value })).toMatchObject({ data: { version: 2 } });
  expect((await documentOf(site.id))[section]).toMatchObject(value);
  expect((await customer.api.send('GET', path)).data).toMatchObject({ version: 2, value });
  await customer.api.send('PUT', path, { version: 2, value: {} });
  expect(await documentOf(site.id)).not.toHaveProperty(section);
});

it.each([
  ['security', 'no request at all', { rate: { requests: 0 } }, 'rate.requests'],
  ['security', 'a period that is none', { rate: { period_seconds: 0 } }, 'rate.period_seconds'],
  ['security', 'less than a kilobyte a second', { bandwidth_per_connection: 1 }, 'bandwidth_per_connection'],
  ['security', 'part of a connection', { connections: 0.5 }, 'connections'],
  ['real_ip', 'no field to look at', { mode: 'header' }, 'headers'],
  ['real_ip', 'a field that is no name', { mode: 'header', headers: ['X Real\r\nIP'] }, 'headers.0'],
  ['real_ip', 'a network that is none', { trusted: ['10.0.0.0/33'] }, 'trusted.0'],
  ['real_ip', 'a provider nobody knows', { preset: 'other' }, 'preset'],
  ['real_ip', 'a place before the last', { depth: 0 }, 'depth'],
])('%s refuses %s', async (section, _about, value, field) => {
  const site = await makeSite(customer.api);
  const answer = await customer.api.send('PUT', pathOf(section, site.id), { version: 1, value });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer)).toContain(`"value.${field}"`);
});

it.each(['security', 'real_ip'])('%s of another customer is not found', async (section) => {
  const other = await makeCustomer(world);
  const site = await makeSite(other.api);
  const path = pathOf(section, site.id);
  expect((await customer.api.send('GET', path)).status).toBe(404);
  expect((await customer.api.send('PUT', path, { version: 1, value: {} })).status).toBe(404);
  expect((await other.api.send('GET', path)).data).toMatchObject({ version: 1 });
});
