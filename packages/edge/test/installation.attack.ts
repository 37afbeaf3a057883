import { attackTarget } from '@breakwater/test-world/attack-target';
import { attackEdge } from './attack-edge.ts';

/** A stranger at an edge that runs: `npm run test:attack -- --at FILE`. */

const { edge } = attackTarget();
if (edge !== undefined) attackEdge(() => edge);
