import { siteDomainRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { checkNow } from './domain-check.ts';
import {
  domainsOf,
  domainsWithin,
  grantDomain,
  listSiteDomains,
  readCname,
  readDnsCheck,
  readSiteTips,
} from './site-domain.store.ts';

export const siteDomainModule = implement(siteDomainRoutes, {
  getSiteCname: async ({ services, scope, params }) => ({
    cname: await readCname(services.db, scope, params.id),
  }),
  getSiteDnsCheck: ({ services, scope, params }) => readDnsCheck(services.db, scope, params.id),
  checkSiteDns: async ({ services, scope, params }) => {
    await checkNow(services, await domainsOf(services.db, scope, params.id));
    return readDnsCheck(services.db, scope, params.id);
  },
  listSiteDomains: ({ services, scope, query }) => listSiteDomains(services.db, scope, query),
  checkDomains: async ({ services, scope, body }) => {
    const domains = await domainsWithin(services.db, scope, body.domains);
    const left = await checkNow(services, domains);
    return { checked: domains.length - left, left };
  },
  grantDomain: async ({ services, session, scope, params, body }) => {
    await grantDomain(services, { session, scope }, params.id, body.domain);
    return readDnsCheck(services.db, scope, params.id);
  },
  getSiteTips: async ({ services, scope, params }) => ({
    tips: await readSiteTips(services.db, scope, params.id),
  }),
});
