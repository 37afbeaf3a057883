import { startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('/readyz', () => {
  it('asks the log store once, however many ask at once and right after', async () => {
    const asked = vi.spyOn(world.server.services.logStore, 'stats');
    const ask = async () => (await fetch(`${world.adminUrl}/readyz`)).status;
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200));
    expect(await ask()).toBe(200);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
