import { certificateRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { readCaa } from './certificate-caa.ts';
import { downloadCertificate } from './certificate-detail.ts';
import { groupCertificates, listGroups } from './certificate-groups.ts';
import { removeCertificate, removeCertificates } from './certificate-removal.ts';
import {
  createCertificate,
  getCertificate,
  listCertificates,
  updateCertificate,
} from './certificate.store.ts';

export const certificateModule = implement(certificateRoutes, {
  listCertificates: ({ services, scope, query }) => listCertificates(services.db, scope, query),
  getCertificate: ({ services, scope, params, language }) =>
    getCertificate(services.db, scope, params.id, language),
  createCertificate: ({ services, session, scope, body, language }) =>
    createCertificate(services, scope, session, body, language),
  updateCertificate: ({ services, session, scope, params, body, language }) =>
    updateCertificate(services, scope, session, { id: params.id, ...body }, language),
  listCertificateGroups: ({ services, scope, query }) => listGroups(services.db, scope, query),
  groupCertificates: ({ services, session, scope, body }) =>
    groupCertificates(services.db, scope, session, body),
  getCertificateCaa: ({ services, scope, params }) => readCaa(services.db, scope, params.id),
  downloadCertificate: ({ services, scope, params }) => downloadCertificate(services.db, scope, params.id),
  removeCertificate: async ({ services, session, scope, params }) => {
    await removeCertificate(services.db, scope, session, params.id);
    return {};
  },
  removeCertificates: ({ services, session, scope, body }) =>
    removeCertificates(services.db, scope, session, body.certificates),
});
