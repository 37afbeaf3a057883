import { certificateRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { createCertificate, listCertificates, removeCertificate } from './certificate.store.ts';

export const certificateModule = implement(certificateRoutes, {
  listCertificates: ({ services, scope, query }) => listCertificates(services.db, scope, query),
  createCertificate: async ({ services, session, scope, body }) => ({
    id: await createCertificate(services.db, scope, services.secrets, session, body),
  }),
  removeCertificate: async ({ services, session, scope, params }) => {
    await removeCertificate(services.db, scope, session, params.id);
    return {};
  },
});
