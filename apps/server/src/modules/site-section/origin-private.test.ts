import { startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), privateOrigins: false });
});
afterAll(() => world.close());

const create = (origin: string) =>
  world.admin.call('createSite', { body: { domains: [`${unique('www')}.example.com`], origin } });

describe('origins with private addresses, where the operator has not allowed them', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    'localhost',
    'a.localhost',
  ])('refuses %s, and says at which field', async (address) => {
    const { code, errors } = await create(address);
    expect(code).toBe(40000);
    expect(errors).toMatchObject([{ path: 'origin' }]);
  });

  it('refuses one that is added to a site', async () => {
    const { data } = await create('192.31.196.1');
    const query = { site_id: data.id };
    const { version, value } = await world.admin.get('getOriginServerConfig', { query });
    const origins = [...value.origins, { ...value.origins[0]!, address: '10.0.0.1' }];
    const refused = await world.admin.call('updateOriginServerConfig', {
      query,
      body: { version, value: { ...value, origins } },
    });
    expect(refused.errors).toMatchObject([{ path: 'value.origins.1.address' }]);
  });
});
