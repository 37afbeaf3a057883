import { consoleFaultRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { countedAccountOf } from '../../plugins/session.ts';

export const consoleFaultModule = implement(consoleFaultRoutes, {
  reportConsoleFault: ({ body, session, services: { consoleFaults } }) => {
    consoleFaults.add(countedAccountOf(session), body);
    return {};
  },
});
