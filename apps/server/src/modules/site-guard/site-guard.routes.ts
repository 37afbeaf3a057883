import { siteGuardRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { readConfig } from '../site-config/site-config.store.ts';
import { guardBaselineOf } from './guard-baseline.ts';
import { listSiteGuardPlaces, listSiteGuardSteps } from './site-guard.store.ts';

export const siteGuardModule = implement(siteGuardRoutes, {
  listSiteGuardPlaces: ({ services, scope, params, query }) =>
    listSiteGuardPlaces(services.db, scope, params.id, query),
  listSiteGuardSteps: ({ services, scope, params, query }) =>
    listSiteGuardSteps(services.db, scope, params.id, query),
  getSiteGuardBaseline: async ({ services: { db, logStore }, scope, params }) => {
    await readConfig(db, scope, params.id);
    return guardBaselineOf(logStore, scope, params.id, Date.now());
  },
});
