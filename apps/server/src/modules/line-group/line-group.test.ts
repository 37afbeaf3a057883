import { makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { node } from '../../db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('line groups', () => {
  it('count their nodes and sites', async () => {
    const query = { name: 'Default' };
    const before = (await world.admin.get('listLineGroups', { query })).list[0]!;
    await makeSite(world.admin);
    const after = (await world.admin.get('listLineGroups', { query })).list[0]!;
    expect([before.node_count, after.site_count - before.site_count]).toEqual([1, 1]);
  });

  it('bind nodes, and tell only those that come or go to pull anew', async () => {
    const { db } = world.server.services;
    const { id: areaId } = await world.admin.get('createArea', { body: { name: unique('Area') } });
    const make = (n: number) =>
      world.admin.get('createNode', { body: { name: unique('n'), area_id: areaId, ip: `203.0.113.${n}` } });
    const [one, two] = [await make(1), await make(2)];
    const { id } = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    const bind = (node_ids: number[]) => world.admin.get('bindNodes', { params: { id }, body: { node_ids } });
    const generation = async (nodeId: number) =>
      (await db.select().from(node).where(eq(node.id, nodeId)))[0]!.generation;

    await bind([one.id]);
    const before = [await generation(one.id), await generation(two.id)];
    await bind([one.id, two.id]);
    expect([await generation(one.id), await generation(two.id)]).toEqual([before[0], before[1]! + 1]);
    const { list, total } = await world.admin.get('listLineGroupNodes', { params: { id }, query: {} });
    expect(total).toBe(2);
    expect(list.map((row) => row.ip).sort()).toEqual(['203.0.113.1', '203.0.113.2']);
    await bind([]);
    expect((await world.admin.get('getLineGroup', { params: { id } })).node_count).toBe(0);
  });

  it('stay while a product or order uses them, and go otherwise', async () => {
    const { list } = await world.admin.get('listLineGroups', { query: { name: 'Default' } });
    expect(await world.admin.call('removeLineGroup', { params: { id: list[0]!.id } })).toMatchObject({
      status: 409,
    });
    const params = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    await world.admin.get('updateLineGroup', {
      params,
      body: { name: unique('Group'), description: 'changed' },
    });
    expect(await world.admin.get('getLineGroup', { params })).toMatchObject({ description: 'changed' });
    await world.admin.get('removeLineGroup', { params });
    expect(await world.admin.call('getLineGroup', { params })).toMatchObject({ status: 404 });
  });
});
