import { routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import { makeCustomer, startWorld } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeCallers, type Caller, type Installation } from './callers.ts';
import { fuzzCall } from './fuzz-call.ts';

type Attacked = Installation & { close(): Promise<void> };

/** A server with a database of its own, an owner and a customer. */
async function startInstallation(): Promise<Attacked> {
  const world = await startWorld({ templateUrl: inject('templateUrl') });
  const { email, password } = await makeCustomer(world);
  const owner = { username: 'admin', password: world.adminPassword };
  const { token: adminToken } = await world.anonymous.get('signInAdmin', { body: owner });
  const { token: userToken } = await world.anonymousUser.get('signInClient', { body: { email, password } });
  const { adminUrl, userUrl } = world;
  return { adminUrl, userUrl, adminToken, userToken, close: () => world.close() };
}

/** What deletes comes late: others are asked about until then. And last what may leave no calls for anything after it. */
const placeOf = ([name, { method }]: [RouteName, RouteSpec]) =>
  name === 'updateAccountLimits' ? 2 : Number(method === 'DELETE');

/** Every call that one of the callers may make, at an installation of its own unless another is given. */
export function fuzz(
  who: keyof Awaited<ReturnType<typeof makeCallers>>,
  start: () => Promise<Attacked> = startInstallation,
): void {
  describe(`whatever a ${who} sends`, () => {
    let installation: Attacked;
    let caller: Caller;
    beforeAll(async () => {
      installation = await start();
      caller = (await makeCallers(installation))[who];
    });
    afterAll(() => installation.close());

    const specs = (Object.entries(routes) as [RouteName, RouteSpec][]).sort(
      (one, other) => placeOf(one) - placeOf(other),
    );
    it.each(specs)('%s answers by its description', async (name, spec) => {
      // After a sign-out the caller could make no further call.
      if (!caller.mayCall(spec.access) || name === 'signOut') return;
      const report = await fuzzCall(caller, name);
      expect(report.faults).toEqual([]);
    });
  });
}
