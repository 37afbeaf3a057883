import { makeCustomer, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mask } from './operation-log.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('the operation log', () => {
  it('has every changing call when its answer arrives: who, what, what came of it', async () => {
    const name = unique('Area');
    const answer = await world.admin.call('createArea', { body: { name } });
    const { list } = await world.admin.get('listOperationLogs', {
      query: { request_id: answer.headers.get('x-request-id')! },
    });
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      user_type: 'admin',
      user_name: 'admin',
      method: 'POST',
      path: '/prod-api/area',
      status: 200,
      ip: '127.0.0.1',
    });
    expect(JSON.parse(list[0]!.request_body)).toEqual({ name });
    expect(JSON.parse(list[0]!.response_body)).toMatchObject({ code: 0 });
  });

  it('has what failed, and what a customer did', async () => {
    const customer = await makeCustomer(world);
    await customer.api.call('removeSite', { params: { id: 999_999 } });
    const { list } = await world.admin.get('listOperationLogs', {
      query: { user_type: 'client', user_id: customer.id },
    });
    expect(list[0]).toMatchObject({ method: 'DELETE', path: '/prod-api/site/999999', status: 404 });
  });

  it('has no reads', async () => {
    await world.admin.get('listAreas', { query: {} });
    expect((await world.admin.get('listOperationLogs', { query: { method: 'get' } })).total).toBe(0);
  });
});

describe('mask', () => {
  it('hides secrets at any depth and leaves the rest', () => {
    const value = {
      name: 'x',
      password: 'p',
      list: [{ app_secret: 's', ttl: 1 }],
      data: { token: 't', private_key: 'k' },
    };
    expect(mask(value)).toEqual({
      name: 'x',
      password: '***',
      list: [{ app_secret: '***', ttl: 1 }],
      data: { token: '***', private_key: '***' },
    });
  });
});
