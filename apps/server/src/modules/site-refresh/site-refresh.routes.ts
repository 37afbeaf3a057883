import { siteRefreshRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { refreshSite, refreshSites } from './site-refresh.service.ts';
import { getSiteRefresh, listSiteRefreshes } from './site-refresh.store.ts';

export const siteRefreshModule = implement(siteRefreshRoutes, {
  listSiteRefreshes: ({ services, scope, query }) => listSiteRefreshes(services.db, scope, query),
  getSiteRefresh: ({ services, scope, params }) => getSiteRefresh(services.db, scope, params.id),
  createSiteRefresh: ({ services, session, scope, body }) =>
    refreshSites(services.db, { session, scope }, body),
  cleanSiteCache: ({ services, session, scope, params }) =>
    refreshSite(services.db, { session, scope }, params.id),
});
