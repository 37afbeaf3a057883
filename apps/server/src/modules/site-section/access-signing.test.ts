import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const key = 'a-key-of-links';

it('a key of signed links is never read back, kept by saves without one, and stored encrypted', async () => {
  const site = await makeSite(customer.api);
  const query = { site_id: site.id };
  const save = (version: number, signing: object) =>
    customer.api.call('updateAccessControl', { query, body: { version, value: { signing } } });
  expect(await save(1, { enabled: true })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.signing.secret' }],
  });
  expect(await save(1, { enabled: true, secret: 'short' })).toMatchObject({ status: 400 });
  expect(await save(1, { enabled: true, secret: key })).toMatchObject({ status: 200 });
  expect(await save(2, { enabled: true, valid_seconds: 60 })).toMatchObject({ status: 200 });
  const read = await customer.api.get('getAccessControl', { query });
  expect(read.value.signing).toEqual({
    enabled: true,
    type: 'A',
    argument: 'auth_key',
    valid_seconds: 60,
    secret_set: true,
    previous_secret_set: false,
  });
  const revisions = await customer.api.get('listSiteRevisions', { params: { id: site.id }, query: {} });
  expect(JSON.stringify(revisions)).not.toContain(key);

  const { db, secrets } = world.server.services;
  const [row] = await db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id))));
  expect(row!.body).not.toContain(key);
  expect(JSON.parse(secrets.decrypt(row!.body))).toMatchObject({
    access_control: { signing: { secret: key, valid_seconds: 60 } },
  });
});
