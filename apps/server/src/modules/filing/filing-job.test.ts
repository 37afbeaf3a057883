import { makeCustomer, makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
});
afterAll(() => world.close());

it('filing numbers and the switch of a line group reach documents by themselves', async () => {
  const group = (await world.admin.get('listLineGroups', { query: {} })).list[0]!;
  const { api } = await makeCustomer(world);
  const name = `${unique('filed')}.com`;
  const { id } = await makeSite(api, { domain: name });
  const ofSite = and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(id)));
  const isUnfiled = async () => {
    const [row] = await world.server.services.db.select().from(edgeDocument).where(ofSite);
    return row!.body.includes('unfiled_domains');
  };
  expect(await isUnfiled()).toBe(false);
  const body = { version: group.version, name: group.name, filing_required: true };
  await world.admin.get('updateLineGroup', { params: { id: group.id }, body });
  await waitFor('the switch to reach the document', isUnfiled);
  const params = await api.get('createFiling', { body: { name, number: '京ICP备12345678号-1' } });
  await world.admin.get('decideFiling', { params, body: { version: 1, state: 'confirmed' } });
  await waitFor('the number to reach the document', async () => !(await isUnfiled()));
});
