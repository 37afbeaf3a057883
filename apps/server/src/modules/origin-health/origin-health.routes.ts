import { originHealthRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listOriginHealth, listOriginHealthEvents } from './origin-health.store.ts';

export const originHealthModule = implement(originHealthRoutes, {
  listOriginHealth: ({ services, scope, params, query }) =>
    listOriginHealth(services.db, scope, params.id, query),
  listOriginHealthEvents: ({ services, scope, params, query }) =>
    listOriginHealthEvents(services.db, scope, params.id, query),
});
