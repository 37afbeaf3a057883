import { siteDraftRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { startImport } from '../site-batch/site-batch.service.ts';
import { readDrafts } from './site-draft.service.ts';

export const siteDraftModule = implement(siteDraftRoutes, {
  readSiteDrafts: ({ body }) => Promise.resolve(readDrafts(body.source, body.text)),
  importSiteDrafts: async ({ services, session, scope, body }) => ({
    id: await startImport(services, { session, scope }, body),
  }),
});
