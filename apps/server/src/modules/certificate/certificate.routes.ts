import { certificateRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  createCertificate,
  getCertificate,
  listCertificates,
  removeCertificate,
  updateCertificate,
} from './certificate.store.ts';

export const certificateModule = implement(certificateRoutes, {
  listCertificates: ({ services, scope, query }) => listCertificates(services.db, scope, query),
  getCertificate: ({ services, scope, params }) => getCertificate(services.db, scope, params.id),
  createCertificate: async ({ services, session, scope, body }) => ({
    id: await createCertificate(services.db, scope, services.secrets, session, body),
  }),
  updateCertificate: async ({ services, session, scope, params, body }) => ({
    task_id: await updateCertificate(services.db, scope, services.secrets, session, params.id, body),
  }),
  removeCertificate: async ({ services, session, scope, params }) => {
    await removeCertificate(services.db, scope, session, params.id);
    return {};
  },
});
