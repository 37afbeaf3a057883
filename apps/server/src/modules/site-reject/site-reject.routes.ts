import { siteRejectRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listSiteRejects, releaseSiteRejects } from './site-reject.store.ts';

export const siteRejectModule = implement(siteRejectRoutes, {
  listSiteRejects: ({ services, scope, query }) => listSiteRejects(services.db, scope, query, new Date()),
  releaseSiteRejects: async ({ services, scope, session, body }) => ({
    released: await releaseSiteRejects(services.db, scope, body, { by: session.name, now: new Date() }),
  }),
  releaseAllSiteRejects: async ({ services, scope, session, body }) => ({
    released: await releaseSiteRejects(services.db, scope, body, { by: session.name, now: new Date() }),
  }),
});
