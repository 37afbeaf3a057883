import { siteGuardRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listSiteGuardSteps, readSiteGuard } from './site-guard.store.ts';

export const siteGuardModule = implement(siteGuardRoutes, {
  getSiteGuard: ({ services, scope, params }) => readSiteGuard(services.db, scope, params.id),
  listSiteGuardSteps: ({ services, scope, params, query }) =>
    listSiteGuardSteps(services.db, scope, params.id, query),
});
