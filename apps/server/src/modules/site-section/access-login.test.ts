import { createHmac } from 'node:crypto';
import type { SiteDocument } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument, site as siteTable } from '../../db/schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const first = 'correct horse battery';
const second = 'пароль-второй';

async function login() {
  const site = await makeSite(customer.api);
  const query = { site_id: site.id };
  const { db, secrets } = world.server.services;
  return {
    id: site.id,
    read: () => customer.api.get('getAccessControl', { query }),
    async save(users: { name: string; password?: string }[], more = {}) {
      const { version } = await customer.api.get('getAccessControl', { query });
      const value = { basic_auth: { enabled: true, users, ...more } };
      return customer.api.call('updateAccessControl', { query, body: { version, value } });
    },
    /** Of each user whether this is the password, as a node finds it. */
    async knows(passwords: Record<string, string>): Promise<Record<string, boolean>> {
      const [row] = await db
        .select()
        .from(edgeDocument)
        .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id))));
      const document = JSON.parse(secrets.decrypt(row!.body)) as SiteDocument;
      return Object.fromEntries(
        document.access_control!.basic_auth.users.map(({ name, password }) => {
          const [form, salt = '', hash] = password!.split('.');
          const mine = createHmac('sha256', salt)
            .update(passwords[name] ?? '')
            .digest('hex');
          return [name, form === 'h1' && hash === mine];
        }),
      );
    },
  };
}

it('a password is kept as a digest, encrypted, and never read back', async () => {
  const site = await login();
  expect(await site.save([{ name: 'ann', password: first }])).toMatchObject({ status: 200 });
  expect(await site.knows({ ann: first })).toEqual({ ann: true });
  expect(await site.knows({ ann: second })).toEqual({ ann: false });
  const read = await site.read();
  expect(read.value.basic_auth.users).toEqual([{ name: 'ann', password_set: true }]);
  const revisions = await customer.api.get('listSiteRevisions', { params: { id: site.id }, query: {} });
  const [row] = await world.server.services.db.select().from(siteTable).where(eq(siteTable.id, site.id));
  for (const text of [JSON.stringify(revisions), JSON.stringify(row)]) {
    expect(text).not.toContain(first);
    expect(text).not.toContain('h1.');
  }
});

it('saves without passwords keep each user’s own, in whatever order they stand', async () => {
  const site = await login();
  await site.save([
    { name: 'ann', password: first },
    { name: 'bob', password: second },
  ]);
  expect(await site.save([{ name: 'bob' }, { name: 'ann' }])).toMatchObject({ status: 200 });
  expect(await site.knows({ ann: first, bob: second })).toEqual({ bob: true, ann: true });
  // The one who stood first is gone, and leaves no password to who follows.
  expect(await site.save([{ name: 'ann' }])).toMatchObject({ status: 200 });
  expect(await site.knows({ ann: first })).toEqual({ ann: true });
  expect(await site.save([{ name: 'eve' }])).toMatchObject({
    status: 400,
    errors: [{ path: 'value.basic_auth.users.0.password' }],
  });
});

it.each([
  ['no users', [], 'users', {}],
  ['a short password', [{ name: 'ann', password: 'short' }], 'users.0.password', {}],
  ['a colon in a name', [{ name: 'a:b', password: first }], 'users.0.name', {}],
  [
    'a name twice',
    [
      { name: 'ann', password: first },
      { name: 'ann', password: second },
    ],
    'users.1.name',
    {},
  ],
  ['quotes in the shown name', [{ name: 'ann', password: first }], 'realm', { realm: 'a"b' }],
])('refuses %s', async (_, users, path, more) => {
  const site = await login();
  expect(await site.save(users, more)).toMatchObject({
    status: 400,
    errors: [{ path: `value.basic_auth.${path}` }],
  });
});

it('refuses any page together with credentials', async () => {
  const site = await makeSite(customer.api);
  const cors = { enabled: true, origins: ['*'], credentials: true };
  expect(
    await customer.api.call('updateAccessControl', {
      query: { site_id: site.id },
      body: { version: 1, value: { cors } },
    }),
  ).toMatchObject({ status: 400, errors: [{ path: 'value.cors.origins' }] });
});

it('a previous key of signed links can be taken away', async () => {
  const site = await makeSite(customer.api);
  const query = { site_id: site.id };
  const keys = async () => {
    const { db, secrets } = world.server.services;
    const [row] = await db
      .select()
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id))));
    const { access_control: access } = JSON.parse(secrets.decrypt(row!.body)) as SiteDocument;
    return [access!.signing.secret, access!.signing.previous_secret ?? ''];
  };
  const save = (version: number, signing: Record<string, unknown>) =>
    customer.api.get('updateAccessControl', {
      query,
      body: { version, value: { signing: { enabled: true, ...signing } } },
    });
  await save(1, { secret: 'new-key', previous_secret: 'old-key' });
  expect(await keys()).toEqual(['new-key', 'old-key']);
  await save(2, { secret: '', previous_secret: '' });
  expect(await keys()).toEqual(['new-key', 'old-key']);
  await save(3, { previous_secret_set: false });
  expect(await keys()).toEqual(['new-key', '']);
});
