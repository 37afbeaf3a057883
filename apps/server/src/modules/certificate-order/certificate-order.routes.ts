import { certificateOrderRoutes } from '@breakwater/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, containsDomain, nameOf } from '../../db/page.ts';
import { acmeAccount, certificateOrder } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { listSteps } from './certificate-order.store.ts';
import { followChange, revokeOrder, runOrder, runOrderOfCertificate } from './order-change.ts';
import { readSiteCertificates } from './site-certificates.ts';
import { applyForSite, applyForSites } from './site-application.ts';

const notAfter = sql<
  string | null
>`(SELECT to_char(c.not_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  FROM certificate c WHERE c.id = ${certificateOrder.certificateId})`;

export const certificateOrderModule = implement(certificateOrderRoutes, {
  ...crud(certificateOrderRoutes, 'CertificateOrder', 'CertificateOrders', {
    table: certificateOrder,
    subject: 'certificate_order',
    orderBy: [sql`${certificateOrder.state} <> 'failed'`, desc(certificateOrder.id)],
    filter: ({ name, domain, state, site_id: siteId, certificate_id: certificateId, client_id: clientId }) =>
      and(
        contains(certificateOrder.name, name),
        containsDomain(sql`array_to_string(${certificateOrder.domains}, ' ')`, domain),
        state && eq(certificateOrder.state, state),
        siteId ? eq(certificateOrder.siteId, siteId) : undefined,
        certificateId ? eq(certificateOrder.certificateId, certificateId) : undefined,
        clientId ? eq(certificateOrder.clientId, clientId) : undefined,
      ),
    constraints: {
      certificate_order_client_id_client_id_fk: ['client_id', 'does_not_exist'],
      certificate_order_acme_account_id_acme_account_id_fk: ['acme_account_id', 'does_not_exist'],
      certificate_order_dns_account_id_dns_account_id_fk: ['dns_account_id', 'does_not_exist'],
    },
    most: 2000,
    fields: { acme_account_name: nameOf(acmeAccount, certificateOrder.acmeAccountId), not_after: notAfter },
    follow: followChange,
  }),
  listCertificateSteps: ({ services, scope, params, query }) =>
    listSteps(services.db, scope, params.id, query),
  runCertificateOrder: async ({ services, session, scope, params }) => {
    await runOrder(services, { session, scope }, params.id);
    return {};
  },
  renewCertificate: async ({ services, session, scope, params }) => {
    await runOrderOfCertificate(services, { session, scope }, params.id);
    return {};
  },
  revokeCertificateOrder: async ({ services, session, scope, params, body }) => {
    await revokeOrder(services, { session, scope }, params.id, body.reason);
    return {};
  },
  getSiteCertificates: ({ services, scope, params }) => readSiteCertificates(services.db, scope, params.id),
  applySiteCertificate: ({ services, session, scope, params }) =>
    applyForSite(services, { session, scope }, params.id),
  applySiteCertificates: ({ services, session, scope, body }) =>
    applyForSites(services, { session, scope }, body.site_ids),
});
