import { siteBatchRoutes, siteCopyRoutes, type SiteSection, type SiteSelection } from '@breakwater/contract';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { implement } from '../../plugins/implement.ts';
import { parseSection, withoutSecrets } from '../site-section/site-section.service.ts';
import { cancelBatch, copySection, retryBatch, startChange, startCreation } from './site-batch.service.ts';
import { exportFailedLines, getBatch, listBatches, listLines } from './site-batch.store.ts';

export const siteBatchModule = implement(siteBatchRoutes, {
  listSiteBatches: ({ services, scope, query }) => listBatches(services.db, scope, query),
  getSiteBatch: ({ services, scope, params }) => getBatch(services.db, scope, params.id),
  listSiteBatchLines: ({ services, scope, params, query, language }) =>
    listLines(services.db, scope, params.id, query, language),
  exportFailedBatchLines: async ({ services, scope, params, language }) => ({
    lines: await exportFailedLines(services.db, scope, params.id, language),
  }),
  createSiteBatch: async ({ services, session, scope, body }) => ({
    id: await startCreation(services, { session, scope }, body),
  }),
  changeSitesSection: (context) => changeSection(context),
  changeSitesProtection: (context) => changeSection(context),
  changeSitesStatus: async ({ services, session, scope, body }) => ({
    id: await startChange(services, { session, scope }, body.sites, { kind: 'status', status: body.status }),
  }),
  syncSites: async ({ services, session, scope, body }) => ({
    id: await startChange(services, { session, scope }, body.sites, { kind: 'sync' }),
  }),
  removeSites: async ({ services, session, scope, body }) => ({
    id: await startChange(services, { session, scope }, body.sites, { kind: 'remove' }),
  }),
  removeSitesForced: async ({ services, session, scope, body }) => ({
    id: await startChange(services, { session, scope }, body.sites, { kind: 'remove_forced' }),
  }),
  retrySiteBatch: async ({ services, session, scope, params }) => ({
    lines: await retryBatch(services, { session, scope }, params.id),
  }),
  cancelSiteBatch: ({ services, session, scope, params }) =>
    cancelBatch(services, { session, scope }, params.id),
});

interface SectionChange {
  services: Services;
  session: Session;
  scope: Scope;
  body: {
    sites: SiteSelection;
    section: SiteSection;
    value: Record<string, unknown>;
    fields: readonly string[];
  };
}

async function changeSection({ services, session, scope, body }: SectionChange): Promise<{ id: number }> {
  const { sites, section, fields } = body;
  const value = withoutSecrets(section, body.value);
  // The whole of a section is judged here once; of parts of one only the sites can tell.
  if (fields.length === 0) parseSection(section, value);
  const input = { kind: 'section', section, value } as const;
  return { id: await startChange(services, { session, scope }, sites, { ...input, fields: [...fields] }) };
}

export const siteCopyModule = implement(siteCopyRoutes, {
  copySiteSection: async ({ services, session, scope, params, body }) => ({
    id: await copySection(services, { session, scope }, params.id, body),
  }),
});
