import { siteGuardRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listSiteGuardPlaces, listSiteGuardSteps } from './site-guard.store.ts';

export const siteGuardModule = implement(siteGuardRoutes, {
  listSiteGuardPlaces: ({ services, scope, params, query }) =>
    listSiteGuardPlaces(services.db, scope, params.id, query),
  listSiteGuardSteps: ({ services, scope, params, query }) =>
    listSiteGuardSteps(services.db, scope, params.id, query),
});
