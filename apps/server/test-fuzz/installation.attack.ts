import { attackTarget } from '@breakwater/test-world/attack-target';
import { fuzz } from './fuzz-suite.ts';

/** The fuzz at an installation that runs: `npm run test:attack -- --at FILE`. It writes there. */

const { api } = attackTarget();
if (api !== undefined) {
  const start = () => Promise.resolve({ ...api, close: () => Promise.resolve() });
  fuzz('owner', start);
  fuzz('customer', start);
}
