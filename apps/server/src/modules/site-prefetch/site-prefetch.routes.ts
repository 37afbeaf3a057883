import { sitePrefetchRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { prefetchUrls, retryPrefetch, stopPrefetch } from './site-prefetch.service.ts';
import { getPrefetch, listPrefetches, listResults } from './site-prefetch.store.ts';

export const sitePrefetchModule = implement(sitePrefetchRoutes, {
  listSitePrefetches: ({ services, scope, query }) => listPrefetches(services.db, scope, query),
  getSitePrefetch: ({ services, scope, params }) => getPrefetch(services.db, scope, params.id),
  listPrefetchResults: ({ services, scope, params, query }) =>
    listResults(services.db, scope, params.id, query),
  createSitePrefetch: ({ services, session, scope, body }) =>
    prefetchUrls(services.db, { session, scope }, body),
  stopSitePrefetch: ({ services, session, scope, params }) =>
    stopPrefetch(services.db, { session, scope }, params.id),
  retrySitePrefetch: ({ services, session, scope, params }) =>
    retryPrefetch(services.db, { session, scope }, params.id),
});
