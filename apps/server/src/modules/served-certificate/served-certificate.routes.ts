import { servedCertificateRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { askForCheck, getServedCheck, listServedFaults } from './served-certificate.store.ts';

export const servedCertificateModule = implement(servedCertificateRoutes, {
  listServedFaults: ({ services, scope, query }) => listServedFaults(services.db, scope, query),
  getServedCheck: ({ services, scope, params }) => getServedCheck(services.db, scope, params.id),
  checkServedCertificates: ({ services, scope, params }) => askForCheck(services.db, scope, params.id),
});
