import type { DnsExpected, DnsVerdict } from '@breakwater/contract';
import type { Resolver } from 'node:dns/promises';
import { makeResolver } from '../../dns-resolver.ts';
import type { Services } from '../../services.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { checkDomain, readExpected } from '../site-domain/site-domain.service.ts';
import type { OrderRow } from './certificate-order.store.ts';
import type { ServingSite } from './order-names.ts';
import { OrderProblem } from './order-problem.ts';

/** What can be known before an authority is asked: a wrong DNS is to cost no failure there. */

export async function platformResolver({ db }: Pick<Services, 'db'>): Promise<Resolver> {
  const { dns_servers: servers } = await readSiteSetting(db);
  return makeResolver(servers);
}

const atOnce = 8;

/** Fails with the first name that cannot be proven as things are. `identities`: of the authority, as CAA records name it. */
export async function preflight(
  services: Services,
  row: OrderRow,
  sites: ReadonlyMap<string, ServingSite>,
  identities: readonly string[],
): Promise<void> {
  const resolver = await platformResolver(services);
  const expected = await readExpected(services.db, [
    ...new Set([...sites.values()].map(({ siteId }) => siteId)),
  ]);
  const waiting = [...row.domains];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const site = sites.get(name);
      if (row.challenge === 'http-01' && site) {
        const wanted = expected.get(site.siteId)!;
        const { verdict, seen } = await checkDomain(resolver, name, wanted, '');
        const problem = problemOf(verdict);
        const found = [...seen.cname_chain, ...seen.a, ...seen.aaaa].join(', ');
        if (problem)
          throw new OrderProblem(problem, `${name}: ${found === '' ? verdict : found}`, {
            facts: recordOf(name, wanted),
          });
      }
      if (row.challenge === 'http-01' && row.clientId === null) await checkAddress(resolver, name);
      await checkCaa(resolver, name, identities);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, row.domains.length) }, work));
  } finally {
    resolver.cancel();
  }
}

/** What is to stand in the DNS, as the tab of the site's domains says it. */
function recordOf(name: string, { cname, addresses }: DnsExpected): Record<string, string> {
  if (cname !== null) return { name, type: 'CNAME', value: cname };
  const value = addresses.join(', ');
  if (value === '') return { name };
  return { name, type: addresses.every((each) => each.includes(':')) ? 'AAAA' : 'A', value };
}

/** Of the platform's own names nobody knows which addresses are right: proxies and networks stand before them. */
async function checkAddress(resolver: Resolver, name: string): Promise<void> {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (found.every(({ status }) => status === 'rejected'))
    throw new OrderProblem('dns_missing', name, { facts: { name } });
}

/** Some addresses of ours and some of others: the authority may find one of ours. */
function problemOf(verdict: DnsVerdict) {
  switch (verdict) {
    case 'cname':
    case 'address':
    case 'txt':
    case 'partly':
      return undefined;
    case 'elsewhere':
      return 'dns_elsewhere' as const;
    case 'nxdomain':
    case 'no_records':
      return 'dns_missing' as const;
    case 'timeout':
    case 'refused':
    case 'server_failed':
      return 'dns_failed' as const;
  }
}

/** RFC 8659 §3: the records nearest to the name decide; of a wildcard, those for wildcards where there are any. */
export async function checkCaa(
  resolver: Resolver,
  domain: string,
  identities: readonly string[],
): Promise<void> {
  if (identities.length === 0) return;
  const labels = domain.replace(/^\*\./, '').split('.');
  for (let from = 0; from < labels.length; from++) {
    const name = labels.slice(from).join('.');
    const records = await resolver.resolveCaa(name).catch(() => []);
    if (records.length === 0) continue;
    const wild = records.filter((record) => record.issuewild !== undefined);
    const isWild = domain.startsWith('*.') && wild.length > 0;
    const applying = isWild ? wild.map((record) => record.issuewild) : records.map((record) => record.issue);
    const named = applying.flatMap((value) =>
      value === undefined ? [] : [value.split(';')[0]!.trim().toLowerCase()],
    );
    if (named.length > 0 && !named.some((each) => identities.includes(each)))
      throw new OrderProblem(
        'caa_forbids',
        `${name}: ${named.filter((each) => each !== '').join(', ') || ';'}`,
        { facts: { name, tag: isWild ? 'issuewild' : 'issue', identity: identities[0]! } },
      );
    return;
  }
}
