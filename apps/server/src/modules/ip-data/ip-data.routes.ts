import { ipDataRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { describeTable } from './ip-data.service.ts';
import {
  checkUpload,
  checkUrl,
  partsInUse,
  refreshFile,
  removeFile,
  sayIssue,
  useFile,
} from './ip-source.service.ts';

export const ipDataModule = implement(ipDataRoutes, {
  getIpData: async ({ services, language }) => ({
    parts: await partsInUse(services, language),
    table: await describeTable(services.db),
  }),
  uploadIpFile: ({ services, body }) => checkUpload(services, body.file),
  fetchIpFile: ({ services, body }) => checkUrl(services, body.url),
  useIpFile: ({ services, session, params, body }) => useFile(services, params.part, body, session),
  refreshIpFile: async ({ services, session, params, language }) => {
    const { issue, task_id } = await refreshFile(services, params.part, session);
    return { last_error: sayIssue(issue, language), task_id };
  },
  removeIpFile: async ({ services, session, params, query }) => {
    await removeFile(services, params.part, query.file_id, session);
    return {};
  },
});
