import { siteRefreshRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { clientIdOf } from '../../plugins/session.ts';
import { readQuotas } from '../refresh-quota/refresh-quota.service.ts';
import { refreshByPattern } from './pattern-refresh.service.ts';
import { readRefreshLoad } from './refresh-load.ts';
import { probeRefresh } from './refresh-probe.ts';
import { refreshSite, refreshSites } from './site-refresh.service.ts';
import { getSiteRefresh, listSiteRefreshes } from './site-refresh.store.ts';

export const siteRefreshModule = implement(siteRefreshRoutes, {
  listSiteRefreshes: ({ services, scope, query }) => listSiteRefreshes(services.db, scope, query),
  getRefreshQuotas: ({ services, session }) => readQuotas(services.db, clientIdOf(session)),
  getSiteRefresh: ({ services, scope, params }) => getSiteRefresh(services.db, scope, params.id),
  getRefreshLoad: ({ services, scope, query }) => readRefreshLoad(services.logStore, scope, query),
  probeSiteRefresh: ({ services, scope, params, body }) =>
    probeRefresh(services.db, scope, params.id, body.url),
  createSiteRefresh: ({ services, session, scope, body }) =>
    refreshSites(services.db, { session, scope }, body),
  createPatternRefresh: ({ services, session, scope, body }) =>
    refreshByPattern(services.db, { session, scope }, body),
  cleanSiteCache: ({ services, session, scope, params }) =>
    refreshSite(services.db, { session, scope }, params.id),
});
