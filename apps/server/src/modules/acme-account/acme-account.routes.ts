import { acmeAccountRoutes } from '@breakwater/contract';
import { and, asc, eq, or, sql } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { among, contains, listPage, pageOf } from '../../db/page.ts';
import { acmeAccount, certificateOrder } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { forgetRegistration, testAcmeAccount } from './acme-account.service.ts';

const usedBy = or(
  eq(certificateOrder.acmeAccountId, acmeAccount.id),
  eq(certificateOrder.orderAccountId, acmeAccount.id),
)!;

export const acmeAccountModule = implement(acmeAccountRoutes, {
  ...crud(acmeAccountRoutes, 'AcmeAccount', 'AcmeAccounts', {
    table: acmeAccount,
    subject: 'acme_account',
    orderBy: [asc(acmeAccount.priority), asc(acmeAccount.id)],
    filter: ({ name }) => contains(acmeAccount.name, name),
    constraints: { acme_account_name_unique: ['name', 'name_taken'] },
    fields: {
      order_count: sql<number>`(SELECT count(*)::int FROM ${certificateOrder} WHERE ${usedBy})`,
    },
    follow: (tx, change) => forgetRegistration(tx, change),
  }),
  testAcmeAccount: ({ services, params, language }) => testAcmeAccount(services, params.id, language),
  listCertificateAuthorities: async ({ services: { db }, query }) => {
    const offered = query.ids ? among(acmeAccount.id, query.ids) : eq(acmeAccount.enabled, true);
    const where = and(offered, contains(acmeAccount.name, query.name));
    const { limit, offset } = pageOf(query);
    const [rows, total] = await Promise.all([
      db
        .select({ id: acmeAccount.id, name: acmeAccount.name, key_type: acmeAccount.keyType })
        .from(acmeAccount)
        .where(where)
        .orderBy(asc(acmeAccount.priority), asc(acmeAccount.id))
        .limit(limit)
        .offset(offset),
      db.$count(acmeAccount, where),
    ]);
    return listPage(query, rows, total);
  },
});
