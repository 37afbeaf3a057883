import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument, site as siteTable } from '../../db/schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const pathOf = (siteId: number) => `/prod-api/site_config/advanced_config?site_id=${siteId}`;
const save = (siteId: number, value: object, version = 1) =>
  customer.api.send('PUT', pathOf(siteId), { version, value });

async function documentOf(siteId: number): Promise<Record<string, unknown>> {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(eq(edgeDocument.key, String(siteId)));
  return JSON.parse(row!.body) as Record<string, unknown>;
}

it('goes to the nodes, and not at all while everything is as by default', async () => {
  const site = await makeSite(customer.api);
  expect(await documentOf(site.id)).not.toHaveProperty('advanced_config');
  const page = { statuses: ['404', '5xx'], body: '例 {{status}}' };
  expect(await save(site.id, { error_pages: [page] })).toMatchObject({ status: 200, data: { version: 2 } });
  expect(await documentOf(site.id)).toMatchObject({ advanced_config: { error_pages: [page] } });
  await save(site.id, {}, 2);
  expect(await documentOf(site.id)).not.toHaveProperty('advanced_config');
});

it.each([
  ['a status that is none', { error_pages: [{ statuses: ['200'], body: 'x' }] }, 'error_pages.0.statuses.0'],
  ['a class of none', { error_pages: [{ statuses: ['3xx'], body: 'x' }] }, 'error_pages.0.statuses.0'],
  ['no status', { error_pages: [{ body: 'x' }] }, 'error_pages.0.statuses'],
  ['no content', { error_pages: [{ statuses: ['404'] }] }, 'error_pages.0.body'],
  [
    'content that is too long',
    { error_pages: [{ statuses: ['404'], body: 'x'.repeat(16_385) }] },
    'error_pages.0.body',
  ],
  [
    'a status without content',
    { error_pages: [{ statuses: ['404'], body: 'x', new_status: 204 }] },
    'error_pages.0.new_status',
  ],
  [
    'no address to redirect to',
    { error_pages: [{ statuses: ['404'], source: 'redirect' }] },
    'error_pages.0.redirect_url',
  ],
  ...[
    'javascript:alert(1)',
    '//evil.example',
    '/a b',
    '/a\r\nSet-Cookie: x=1',
    '/例',
    'file:///etc/passwd',
  ].map((redirect_url): [string, object, string] => [
    `an address such as ${JSON.stringify(redirect_url)}`,
    { error_pages: [{ statuses: ['404'], source: 'redirect', redirect_url }] },
    'error_pages.0.redirect_url',
  ]),
  [
    'a path without a slash',
    { error_pages: [{ statuses: ['404'], body: 'x', only_paths: ['a'] }] },
    'error_pages.0.only_paths.0',
  ],
  ['an address that is none', { maintenance: { allowed_ips: ['10.0.0.0/33'] } }, 'maintenance.allowed_ips.0'],
  ['an end that is no time', { maintenance: { until: 'tomorrow' } }, 'maintenance.until'],
  ['an unknown field', { include: '/etc/shadow' }, 'include'],
])('refuses %s at its field', async (_, value, path) => {
  const site = await makeSite(customer.api);
  const answer = await save(site.id, value);
  expect(answer).toMatchObject({ status: 400, code: 40_000 });
  expect(answer.errors.map((error) => error.path)).toContain(`value.${path}`);
});

it.each([
  ['include /etc/shadow;', 1, 'directive is not allowed'],
  ['expires 1h;\nroot /;', 2, 'directive is not allowed'],
  ['add_header X-A b; } server { listen 81;', 1, 'braces'],
  ['add_header X-A "a\\r\\nSet-Cookie: x";', 1, 'backslash'],
  ['add_header X-A "a\u001b";', 1, 'control'],
  ['access_log /etc/x;', 1, 'directive is not allowed'],
  ['add_header X-A $cache_key;', 1, 'variable'],
  ['expires 1h', 1, 'semicolon'],
  ['expires 1h;\nadd_header X-Accel-Redirect /x;', 2, 'cannot be set'],
  ['add_header Transfer_Encoding chunked;', 1, 'cannot be set'],
  ['return 302 https://a.example$document_uri;', 1, 'variable'],
])('refuses the directive %j by its line', async (snippet, line, word) => {
  const site = await makeSite(customer.api);
  const answer = await save(site.id, { snippet });
  expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.snippet' }] });
  expect(answer.errors[0]!.message).toMatch(new RegExp(`^Line ${line}: .*${word}`));
});

it('takes directives, and says that no node tried them where none is online', async () => {
  const site = await makeSite(customer.api);
  const saved = await save(site.id, { snippet: 'add_header X-A "例";' });
  expect(saved).toMatchObject({ status: 200, data: { version: 2, snippet_tried_on: null } });
  expect(await documentOf(site.id)).toMatchObject({ advanced_config: { snippet: 'add_header X-A "例";' } });
});

it('says which line is no longer allowed when the section is next saved, and at no other change', async () => {
  const site = await makeSite(customer.api);
  const { db } = world.server.services;
  const snippet = 'expires 1h;\nadd_header X_Accel_Redirect "/x";';
  const [row] = await db.select().from(siteTable).where(eq(siteTable.id, site.id));
  const config = { ...row!.config, advanced_config: { ...row!.config.advanced_config, snippet } };
  await db.update(siteTable).set({ config }).where(eq(siteTable.id, site.id));
  const refused = await save(site.id, { snippet, response_buffering: false });
  expect(refused).toMatchObject({ status: 400, errors: [{ path: 'value.snippet' }] });
  expect(refused.errors[0]!.message).toMatch(/^Line 2: .*cannot be set/);
  const rules = await customer.api.send('PUT', `/prod-api/site_config/cache_rule?site_id=${site.id}`, {
    version: 1,
    value: { rules: [], cache_header: false },
  });
  expect(rules).toMatchObject({ status: 200 });
  expect(await documentOf(site.id)).toMatchObject({ advanced_config: { snippet } });
});

it("is nobody else's", async () => {
  const site = await makeSite(customer.api);
  const other = await makeCustomer(world);
  expect(await other.api.send('GET', pathOf(site.id))).toMatchObject({ status: 404 });
  expect(await other.api.send('PUT', pathOf(site.id), { version: 1, value: {} })).toMatchObject({
    status: 404,
  });
});
