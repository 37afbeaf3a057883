import { makeNode, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
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
    const [one, two] = [
      await makeNode(world, { ip: '203.0.113.1' }),
      await makeNode(world, { ip: '203.0.113.2' }),
    ];
    const params = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    const bind = (body: { add?: number[]; remove?: number[] }) =>
      world.admin.get('bindNodes', { params, body });
    const generations = () =>
      Promise.all(
        [one, two].map(
          async ({ id }) => (await db.select().from(node).where(eq(node.id, id)))[0]!.generation,
        ),
      );

    await bind({ add: [one.id] });
    const [first, second] = await generations();
    await bind({ add: [one.id, two.id] });
    expect(await generations()).toEqual([first, second! + 1]);
    const { list, total } = await world.admin.get('listLineGroupNodes', { params, query: {} });
    expect(total).toBe(2);
    expect(list.map((row) => row.ip).sort()).toEqual(['203.0.113.1', '203.0.113.2']);
    await bind({ remove: [one.id] });
    expect(await generations()).toEqual([first! + 1, second! + 1]);
    await bind({ remove: [one.id, two.id], add: [two.id] });
    expect(await generations()).toEqual([first! + 1, second! + 1]);
    expect((await world.admin.get('getLineGroup', { params })).node_count).toBe(1);
  });

  it('keep every other node of more than a page, and name those that are not theirs', async () => {
    const params = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    const prefix = unique('many');
    const { id: area_id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
    const add: number[] = [];
    for (let n = 0; n < 210; n += 1)
      add.push(
        (
          await world.admin.get('createNode', {
            body: { name: `${prefix}-${n}`, area_id, ip: `198.51.100.${n}` },
          })
        ).id,
      );
    await world.admin.get('bindNodes', { params, body: { add } });
    const outside = async () =>
      (
        await world.admin.get('listNodes', { query: { name: prefix, without_line_group_id: params.id } })
      ).list.map(({ id }) => id);
    expect(await outside()).toEqual([]);
    const late = await makeNode(world, { ip: '203.0.113.3', name: `${prefix}-late` });
    expect(await outside()).toEqual([late.id]);
    await world.admin.get('bindNodes', { params, body: { add: [late.id], remove: [add[0]!] } });
    expect((await world.admin.get('getLineGroup', { params })).node_count).toBe(210);
    expect(await outside()).toEqual([add[0]]);
  });
});
