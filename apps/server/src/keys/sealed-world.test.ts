import {
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  unique,
  type World,
} from '@breakwater/test-world';
import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import * as schema from '../db/schema.ts';
import { makeSecrets, newKey } from '../secrets.ts';
import { loadKeys } from './key-file.ts';
import { resealValues } from './reseal.ts';
import { rowsOf } from '../delivery/queryable.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

/** All that lies in the database, by the names of its tables. */
async function dump(): Promise<[string, string][]> {
  const { db } = world.server.services;
  const tables = Object.values(schema).filter((each) => is(each, PgTable));
  const rows = tables.map(async (table): Promise<[string, string]> => {
    const found = await rowsOf<{ row: string }>(db, sql`SELECT row_to_json(t)::text AS row FROM ${table} t`);
    return [getTableName(table), found.map(({ row }) => row).join('\n')];
  });
  return Promise.all(rows);
}

/** Tables in which a text stands. */
const tablesWith = async (text: string) =>
  (await dump()).flatMap(([name, rows]) => (rows.includes(text) ? [name] : []));

it('no table holds a secret in clear, and with a new key nothing is left that the old one sealed', async () => {
  const word = 'hidden-from-all';
  const customer = await makeCustomer(world);
  const [from, to] = [await makeSite(customer.api), await makeSite(customer.api)];
  const query = { site_id: from.id };
  const { version, value } = await customer.api.get('getOriginServerConfig', { query });
  const storage = { region: 'eu', bucket: 'pictures', access_key_id: 'AKID', secret_access_key: `${word}-1` };
  await customer.api.get('updateOriginServerConfig', {
    query,
    body: { version, value: { ...value, object_storage: storage } },
  });
  await customer.api.get('updateAccessControl', {
    query,
    body: {
      version: version + 1,
      value: {
        signing: { enabled: true, secret: `${word}-2`, previous_secret: `${word}-3` },
        basic_auth: { enabled: true, users: [{ name: 'ann', password: `${word}-4` }] },
      },
    },
  });
  // With the secrets, as a batch.
  await customer.api.get('copySiteSection', {
    params: { id: from.id },
    body: { section: 'access_control', sites: { site_ids: [to.id] } },
  });
  await world.admin.get('importSiteDrafts', {
    body: {
      online: false,
      drafts: [
        {
          domains: [`${unique('draft')}.example.com`],
          sections: { access_control: { signing: { enabled: true, secret: `${word}-5` } } },
        },
      ],
    },
  });
  await saveSetting(world, 'LogShipping', {
    kind: 'http',
    http_url: 'https://logs.example.com/',
    http_authorization: `${word}-6`,
  });
  const node = await makeNode(world, { ip: '192.0.2.77' });
  expect(await tablesWith(word)).toEqual([]);
  expect(await tablesWith(node.app_secret)).toEqual([]);

  const { db, config, secrets } = world.server.services;
  const [old] = secrets.encryptionIds as [string];
  expect((await tablesWith(`v2.${old}.`)).toSorted()).toEqual(
    ['edge_document', 'node', 'setting', 'site', 'site_batch', 'site_revision'].toSorted(),
  );
  const keys = await loadKeys(config);
  const changed = makeSecrets({ ...keys, encryption: [newKey(), ...keys.encryption] });
  const log = pino({ level: 'silent' });
  while ((await resealValues({ db, secrets: changed, log })) !== undefined);
  expect(await tablesWith(`v2.${old}.`)).toEqual([]);
  expect(await tablesWith(word)).toEqual([]);
});
