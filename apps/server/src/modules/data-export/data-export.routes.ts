import { dataExportRoutes, type AttackExportInput } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import type { Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { readDataExportFile, startDataExport } from './data-export.service.ts';
import { listDataExports, removeDataExport } from './data-export.store.ts';

export const dataExportModule = implement(dataExportRoutes, {
  listDataExports: ({ services, query }) => listDataExports(services.db, query),
  createDataExport: ({ services, session, body }) => startDataExport(services, body, session.name),
  exportAccessLogs: ({ services, session, body }) => startDataExport(services, body, session.name),
  exportRefusedRequests: (call) => exportRefused(call),
  exportAttackStats: (call) => exportRefused(call),
  downloadDataExport: ({ services, params }) => readDataExportFile(services, params.id),
  removeDataExport: async ({ services, params }) => {
    await removeDataExport(services.db, params.id);
    return {};
  },
});

interface ExportCall {
  services: Services;
  session: Session;
  body: AttackExportInput;
}

const exportRefused = ({ services, session, body }: ExportCall) =>
  startDataExport(services, { ...body, filters: { ...body.filters, refused: 'yes' } }, session.name);
