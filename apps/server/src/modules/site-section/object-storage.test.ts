import {
  exportSite,
  makeCustomer,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
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

const secret = 'do-not+show/ME';
const storage = { region: 'eu-1', bucket: 'pictures', access_key_id: 'AKID' };

it('the secret of an object storage is kept, and shown by nothing', async () => {
  const { id } = await makeSite(customer.api);
  const query = { site_id: id };
  const params = { id };
  const { version, value } = await customer.api.get('getOriginServerConfig', { query });
  const save = (at: number, object_storage: object, tries = 3) =>
    customer.api.call('updateOriginServerConfig', {
      query,
      body: { version: at, value: { ...value, tries, object_storage: object_storage as typeof storage } },
    });
  const isSet = async () =>
    (await customer.api.get('getOriginServerConfig', { query })).value.object_storage?.secret_access_key_set;
  const missing = await save(version, storage);
  expect(missing).toMatchObject({
    errors: [{ path: 'value.object_storage.secret_access_key' }],
  });
  expect(await isSet()).toBeUndefined();
  await save(version, { ...storage, secret_access_key: secret });
  expect(await isSet()).toBe(true);
  await save(version + 1, storage, 5);

  const shown = await customer.api.get('getOriginServerConfig', { query });
  expect(shown.version).toBe(version + 2);
  expect(shown.value.object_storage).toEqual({
    ...storage,
    path_style: false,
    secret_access_key_set: true,
  });
  const revisions = await customer.api.get('listSiteRevisions', { params, query: {} });
  const file = await exportSite(customer.api, params.id);
  expect(JSON.stringify(revisions)).toContain('••••••');
  expect(file.left_out).toContain('origin_server_config.object_storage.secret_access_key');
  for (const answer of [shown, revisions, file])
    expect(JSON.stringify(answer)).not.toMatch(/do-not|v[12]\.[\w.-]{30}/);

  const { db, secrets } = world.server.services;
  const [row] = await db.select().from(siteTable).where(eq(siteTable.id, id));
  const stored = row!.config.origin_server_config.object_storage!.secret_access_key!;
  expect(stored).not.toContain(secret);
  expect(secrets.decrypt(stored)).toBe(secret);
  const [document] = await db
    .select()
    .from(edgeDocument)
    .where(eq(edgeDocument.key, String(id)));
  expect(document!.body).not.toContain('AKID');
  expect(secrets.decrypt(document!.body)).toContain(`"secret_access_key":"${secret}"`);
});

it('a file brings no secret, and nothing says that there is one', async () => {
  const [from, to] = [await makeSite(customer.api), await makeSite(customer.api)];
  const read = (id: number) => customer.api.get('getOriginServerConfig', { query: { site_id: id } });
  const { version, value } = await read(from.id);
  await customer.api.get('updateOriginServerConfig', {
    query: { site_id: from.id },
    body: {
      version,
      value: { ...value, object_storage: { ...storage, secret_access_key: secret } },
    },
  });
  const file = await exportSite(customer.api, from.id);
  await customer.api.get('importSite', {
    params: { id: to.id },
    body: { version: 1, file, parts: ['origin_server_config'] },
  });
  expect(await read(to.id)).toMatchObject({
    value: { object_storage: { ...storage, path_style: false, secret_access_key_set: false } },
  });
});
