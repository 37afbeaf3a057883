import { startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('areas', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const name = unique('Area');
    const { id } = await world.admin.get('createArea', { body: { name, description: 'north' } });
    expect(await world.admin.get('getArea', { params: { id } })).toMatchObject({
      name,
      description: 'north',
      node_count: 0,
    });
    await world.admin.get('updateArea', { params: { id }, body: { name: `${name} 2` } });
    const { list, total } = await world.admin.get('listAreas', { query: { name: `${name} 2` } });
    expect(total).toBe(1);
    expect(list[0]).toMatchObject({ id, name: `${name} 2`, description: '' });
    await world.admin.get('removeArea', { params: { id } });
    expect(await world.admin.call('getArea', { params: { id } })).toMatchObject({ status: 404 });
  });

  it('have names of their own', async () => {
    const body = { name: unique('Area') };
    await world.admin.get('createArea', { body });
    const { id } = await world.admin.get('createArea', { body: { name: unique('Area') } });
    const taken = { status: 400, errors: [{ path: 'name', message: 'This name is taken' }] };
    expect(await world.admin.call('createArea', { body })).toMatchObject(taken);
    expect(await world.admin.call('updateArea', { params: { id }, body })).toMatchObject(taken);
  });

  it('need a name', async () => {
    const answer = await world.admin.call('createArea', { body: { name: '   ' } });
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ path: 'name', message: 'This field is required' }],
    });
  });

  it('stay while they have nodes', async () => {
    const { list } = await world.admin.get('listAreas', { query: { name: 'Default' } });
    expect(list[0]?.node_count).toBe(1);
    expect(await world.admin.call('removeArea', { params: { id: list[0]!.id } })).toMatchObject({
      status: 409,
      code: 40_902,
    });
  });
});
