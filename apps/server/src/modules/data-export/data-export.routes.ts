import { dataExportRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { readDataExportFile, startDataExport } from './data-export.service.ts';
import { listDataExports, removeDataExport } from './data-export.store.ts';

export const dataExportModule = implement(dataExportRoutes, {
  listDataExports: ({ services, query }) => listDataExports(services.db, query),
  createDataExport: ({ services, session, body }) => startDataExport(services, body, session.name),
  downloadDataExport: ({ services, params }) => readDataExportFile(services, params.id),
  removeDataExport: async ({ services, params }) => {
    await removeDataExport(services.db, params.id);
    return {};
  },
});
