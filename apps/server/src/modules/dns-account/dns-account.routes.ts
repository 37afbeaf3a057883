import { dnsAccountRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { listDnsZones, readDnsRecords, testDnsAccount } from './dns-account.service.ts';
import { dnsAccounts, getDnsAccount, listDnsAccounts, removeDnsAccount } from './dns-account.store.ts';

export const dnsAccountModule = implement(dnsAccountRoutes, {
  listDnsAccounts: ({ services, scope, query }) => listDnsAccounts(services.db, scope, query),
  getDnsAccount: ({ services, scope, params }) => getDnsAccount(services.db, scope, params.id),
  createDnsAccount: async ({ services, scope, body }) => ({
    id: await services.db.transaction((tx) => dnsAccounts.create(tx, scope, services.secrets, body)),
  }),
  updateDnsAccount: async ({ services: { db, secrets }, scope, params, body }) => {
    const change = { id: params.id, ...body };
    const { version } = await db.transaction((tx) => dnsAccounts.update(tx, scope, secrets, change));
    return { version };
  },
  removeDnsAccount: async ({ services, scope, params }) => {
    await removeDnsAccount(services.db, scope, params.id);
    return {};
  },
  testDnsAccount: ({ services, scope, params, language }) =>
    testDnsAccount(services, scope, params.id, language),
  listDnsZones: ({ services, scope, params, query }) => listDnsZones(services, scope, params.id, query),
  readDnsRecords: ({ services, scope, params, query }) => readDnsRecords(services, scope, params.id, query),
});
