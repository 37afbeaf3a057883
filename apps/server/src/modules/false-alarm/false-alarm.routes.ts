import { falseAlarmRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { handleFalseAlarm, listFalseAlarms, reportFalseAlarm } from './false-alarm.store.ts';

export const falseAlarmModule = implement(falseAlarmRoutes, {
  listFalseAlarms: ({ services, scope, query }) => listFalseAlarms(services.db, scope, query),
  reportFalseAlarm: ({ services, session, scope, body }) =>
    reportFalseAlarm(services, { session, scope }, body),
  handleFalseAlarm: async ({ services, session, scope, params, body }) => {
    await handleFalseAlarm(services.db, { session, scope }, params.id, body);
    return {};
  },
});
