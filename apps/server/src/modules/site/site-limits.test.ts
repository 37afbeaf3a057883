import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const pathOf = (section: string, siteId: number) =>
  section === 'browser_verify_rule'
    ? `/prod-api/site/${siteId}/waf_config/${section}`
    : `/prod-api/site_config/${section}?site_id=${siteId}`;

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
  ['real_ip', { pass_headers: ['true-client-ip', 'x-http-method-override'] }],
  ['access_control', { rules: [{ action: 'deny', addresses: ['10.0.0.1-10.0.0.9'] }], otherwise: 'allow' }],
  ['block_referer', { enabled: true, allow: ['*.example.org'] }],
  ['browser_verify_rule', { enabled: true, kind: 'slide', pass_requests: 500, color: '#aabbcc' }],
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
  ['browser_verify_rule', 'a kind nobody knows', { kind: 'guess' }, 'kind'],
  ['browser_verify_rule', 'passes longer than their keys', { pass_seconds: 43_201 }, 'pass_seconds'],
  ['browser_verify_rule', 'a color that could be more', { color: 'red;x:y' }, 'color'],
  ['browser_verify_rule', 'a path that is none', { only_paths: ['shop'] }, 'only_paths.0'],
  ['security', 'no request at all', { rate: { requests: 0 } }, 'rate.requests'],
  ['security', 'a period that is none', { rate: { period_seconds: 0 } }, 'rate.period_seconds'],
  ['security', 'less than a kilobyte a second', { bandwidth_per_connection: 1 }, 'bandwidth_per_connection'],
  ['security', 'part of a connection', { connections: 0.5 }, 'connections'],
  ['real_ip', 'no field to look at', { mode: 'header' }, 'headers'],
  ['real_ip', 'a field that is no name', { mode: 'header', headers: ['X Real\r\nIP'] }, 'headers.0'],
  ['real_ip', 'a network that is none', { trusted: ['10.0.0.0/33'] }, 'trusted.0'],
  ['real_ip', 'a provider nobody knows', { preset: 'other' }, 'preset'],
  ['real_ip', 'a place before the last', { depth: 0 }, 'depth'],
  [
    'real_ip',
    'to let through what nodes say',
    { pass_headers: ['client-ip', 'X-Forwarded-For'] },
    'pass_headers.1',
  ],
  ['real_ip', 'to let through what is not removed', { pass_headers: ['X-Own'] }, 'pass_headers.0'],
  ['access_control', 'a rule about nothing', { rules: [{ action: 'deny' }] }, 'rules.0.addresses'],
  [
    'access_control',
    'no address',
    { rules: [{ action: 'deny', addresses: ['10.0.0'] }] },
    'rules.0.addresses.0',
  ],
  [
    'access_control',
    'a range that runs backwards',
    { rules: [{ action: 'deny', addresses: ['::2-::1'] }] },
    'rules.0.addresses.0',
  ],
  [
    'access_control',
    'a path with a query',
    { rules: [{ action: 'deny', only_paths: ['/a?b'] }] },
    'rules.0.only_paths.0',
  ],
  ['access_control', 'a status that is no refusal', { deny: { status: 200 } }, 'deny.status'],
  ['block_referer', 'a redirect to nowhere', { enabled: true, action: 'redirect' }, 'redirect_url'],
  [
    'block_referer',
    'an address that ends its line',
    { action: 'redirect', redirect_url: 'https://a.test/\r\nSet-Cookie: a=b' },
    'redirect_url',
  ],
  ['block_referer', 'a host that is none', { allow: ['https://a.test/'] }, 'allow.0'],
])('%s refuses %s', async (section, _about, value, field) => {
  const site = await makeSite(customer.api);
  const answer = await customer.api.send('PUT', pathOf(section, site.id), { version: 1, value });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer)).toContain(`"value.${field}"`);
});

it.each(['security', 'real_ip', 'access_control', 'block_referer', 'browser_verify_rule'])(
  '%s of another customer is not found',
  async (section) => {
    const other = await makeCustomer(world);
    const site = await makeSite(other.api);
    const path = pathOf(section, site.id);
    expect((await customer.api.send('GET', path)).status).toBe(404);
    expect((await customer.api.send('PUT', path, { version: 1, value: {} })).status).toBe(404);
    expect((await other.api.send('GET', path)).data).toMatchObject({ version: 1 });
  },
);
