import { siteAddressTestRoutes, siteImportRoutes, siteListRoutes, siteRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listRevisions, readDelivery } from '../site-config/site-config.store.ts';
import {
  changeSite,
  previewRollback,
  rollbackSite,
  trySnippetOfRevision,
} from '../site-config/site-config.service.ts';
import { forceSync } from '../site-publish/site-publish.service.ts';
import { addressTestOf } from './site-address-test.ts';
import { createSite } from './site-create.ts';
import { importNewSite, trySnippetOfNewSite } from './site-new-file.ts';
import { removeSite, removeSiteForced } from './site-removal.ts';
import { setSiteStatus } from './site-status.ts';
import { exportSites, getSite, listSites } from './site.store.ts';

export const siteListModule = implement(siteListRoutes, {
  listSites: ({ services, scope, query }) => listSites(services.db, scope, query),
  exportSites: ({ services, scope, query }) => exportSites(services.db, scope, query),
});

export const siteModule = implement(siteRoutes, {
  getSite: ({ services, scope, params }) => getSite(services.db, scope, params.id),
  createSite: async ({ services, session, scope, body }) => {
    const { id, taskId } = await createSite(services, { session, scope }, body);
    return { id, task_id: taskId! };
  },
  updateSiteDomains: ({ services, session, scope, params, body }) =>
    changeSite(services, { session, scope }, params.id, {
      section: 'domains',
      version: body.version,
      path: 'domains',
      apply: (before) => ({ ...before, domains: body.domains }),
    }),
  updateSiteStatus: ({ services, session, scope, params, body }) =>
    setSiteStatus(services, { session, scope }, params.id, body),
  removeSite: async ({ services, session, scope, params }) => ({
    task_id: await removeSite(services, { session, scope }, params.id),
  }),
  removeSiteForced: async ({ services, session, scope, params }) => ({
    task_id: await removeSiteForced(services, { session, scope }, params.id),
  }),
  getSiteDelivery: ({ services, scope, params }) => readDelivery(services.db, scope, params.id),
  forceSiteSync: async ({ services, session, scope, params }) => ({
    task_id: await forceSync(services, { session, scope }, params.id),
  }),
  listSiteRevisions: ({ services, scope, params, query }) => listRevisions(services, scope, params.id, query),
  previewSiteRollback: ({ services, scope, params, query }) =>
    previewRollback(services, scope, params.id, query),
  rollbackSite: async ({ services, session, scope, params, body }) => {
    await trySnippetOfRevision(services, scope, params.id, body);
    return rollbackSite(services, { session, scope }, params.id, body);
  },
});

export const siteImportModule = implement(siteImportRoutes, {
  importNewSite: async ({ services, session, scope, body }) => {
    await trySnippetOfNewSite(services, scope, body);
    return importNewSite(services, { session, scope }, body);
  },
});

export const siteAddressTestModule = implement(siteAddressTestRoutes, {
  getSiteAddressTest: ({ services, scope, params }) => addressTestOf(services, scope, params.id),
});
