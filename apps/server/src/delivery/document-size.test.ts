import { documentBytesMax, errors } from '@breakwater/contract';
import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../db/schema.ts';
import { publishDocument } from './publish.ts';

/** What nodes do not take is refused as it is saved, with the real limit. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const db = () => world.server.services.db;
const count = (kind: 'site' | 'address_list', key: string) =>
  db().$count(edgeDocument, and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, key)));

it('a document that lies in the database already', async () => {
  const body = { name: unique('list'), content: '192.0.2.1' };
  const { id } = await world.admin.get('createAddressList', { body });
  const site = await makeSite(world.admin);
  const empty = Buffer.byteLength(JSON.stringify({ list_id: id, v4: '', v6: '' }));
  const fill = (bytes: number) =>
    db().execute(sql`UPDATE address_list SET v4 = repeat('A', ${bytes - empty}::int) WHERE id = ${id}`);
  const use = async () => {
    const query = { site_id: site.id };
    const { version } = await world.admin.get('getAccessControl', { query });
    const value = { rules: [{ action: 'deny' as const, address_lists: [id] }] };
    return world.admin.call('updateAccessControl', { query, body: { version, value } });
  };
  await fill(documentBytesMax + 1);
  const { status, code } = errors.document_too_large;
  expect(await use()).toMatchObject({ status, code });
  // Nothing of the change was kept.
  expect((await world.admin.get('getAccessControl', { query: { site_id: site.id } })).value).toMatchObject({
    rules: [],
  });
  expect(await count('address_list', String(id))).toBe(0);
  await fill(documentBytesMax);
  expect(await use()).toMatchObject({ status: 200 });
  expect(await count('address_list', String(id))).toBe(1);
});

it('a document that is written out, by its bytes', async () => {
  const site = await makeSite(world.admin);
  const [{ lineGroupId } = { lineGroupId: 0 }] = await db()
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(site.id))));
  const publish = (text: string) =>
    db().transaction((tx) =>
      publishDocument(tx, { kind: 'site', key: 'large', lineGroupIds: [lineGroupId], body: { text } }),
    );
  const room = documentBytesMax - Buffer.byteLength(JSON.stringify({ text: '' }));
  // Half as many characters, of two bytes each.
  await expect(publish('é'.repeat(room / 2 + 1))).rejects.toMatchObject({ error: 'document_too_large' });
  expect(await count('site', 'large')).toBe(0);
  expect(await publish('x'.repeat(room))).toMatchObject({ revision: expect.any(Number) });
});
