import type { DnsExpected, DnsSeen, DnsVerdict } from '@breakwater/contract';
import { randomBytes } from 'node:crypto';
import type { Resolver } from 'node:dns/promises';
import { getDomain } from 'tldts';
import type { Evidence } from '../site-claim/site-claim.service.ts';

/** Asks the DNS about one domain and says what the answers mean. */

export interface DnsCheck {
  verdict: DnsVerdict;
  evidence: Evidence;
  seen: DnsSeen;
}

/** Longer chains than this are mistakes; resolvers give up on them too. */
const chainMax = 8;

/** Where the TXT record of a domain stands: of a wildcard, at the name it is below. */
export const txtNameOf = (domain: string): string => `_breakwater.${domain.replace(/^\*\./, '')}`;

/** The registered domain, whose DNS has the records of a name; the name itself where the Public Suffix List knows none. */
export function zoneOf(domain: string): string {
  const name = domain.replace(/^\*\./, '');
  return getDomain(name) ?? name;
}

/** The name that the domains of a site are to point at, where the platform has a domain for such names. */
export const cnameOf = (label: string, cnameDomain: string): string | null =>
  cnameDomain === '' ? null : `${label}.${cnameDomain}`;

/** A wildcard answers for names that nobody made: such a one is asked for. */
const askedName = (domain: string): string =>
  domain.startsWith('*.') ? `check-${randomBytes(4).toString('hex')}${domain.slice(1)}` : domain;

export async function checkDomain(
  resolver: Resolver,
  domain: string,
  expected: DnsExpected,
  token: string,
): Promise<DnsCheck> {
  const name = askedName(domain);
  const txtName = txtNameOf(domain);
  const [chain, a, aaaa, txt, txtAlias] = await Promise.all([
    followCnames(resolver, name),
    ask(() => resolver.resolve4(name)),
    ask(() => resolver.resolve6(name)),
    ask(() => resolver.resolveTxt(txtName)),
    ask(() => resolver.resolveCname(txtName)),
  ]);
  const seen: DnsSeen = {
    name,
    cname_chain: chain.found,
    a: a.found,
    aaaa: aaaa.found.map(plainIpv6),
    // A record may hold any byte; PostgreSQL stores no NUL.
    txt: txt.found.map((parts) => parts.join('').replaceAll('\0', '').toWellFormed()),
  };
  // A wildcard CNAME answers for the TXT name too: what stands where it leads is somebody else's word.
  const hasToken = seen.txt.includes(token) && txtAlias.found.length === 0 && txtAlias.error === undefined;
  return {
    seen,
    verdict: verdictOf(seen, expected, hasToken, [a.error, aaaa.error, chain.error]),
    evidence: evidenceOf(seen, expected, hasToken),
  };
}

function evidenceOf({ cname_chain: chain }: DnsSeen, { cname }: DnsExpected, hasToken: boolean): Evidence {
  if (hasToken || (cname !== null && chain[0] === cname)) return 'own';
  return cname !== null && chain.includes(cname) ? 'led' : 'none';
}

/** What the records say; where there are none, why. */
function verdictOf(
  seen: DnsSeen,
  expected: DnsExpected,
  hasToken: boolean,
  errors: readonly (DnsVerdict | undefined)[],
): DnsVerdict {
  if (expected.cname !== null && seen.cname_chain.includes(expected.cname)) return 'cname';
  const addresses = [...seen.a, ...seen.aaaa];
  const ours = addresses.filter((address) => expected.addresses.includes(address));
  if (addresses.length > 0 && ours.length === addresses.length) return 'address';
  if (hasToken) return 'txt';
  if (ours.length > 0) return 'partly';
  if (addresses.length > 0) return 'elsewhere';
  // What may pass is told before what is said for good: a server that failed has said nothing of the name.
  const order = ['timeout', 'refused', 'server_failed', 'nxdomain'] as const;
  const worst = order.find((problem) => errors.includes(problem));
  if (seen.cname_chain.length > 0 && (worst === undefined || worst === 'nxdomain')) return 'elsewhere';
  return worst ?? 'no_records';
}

/** Where nothing is left to be done at the DNS, of a domain that is proven. */
export const isRight = (verdict: DnsVerdict): boolean =>
  verdict === 'cname' || verdict === 'address' || verdict === 'txt';

interface Answer<Record> {
  found: Record[];
  error: DnsVerdict | undefined;
}

async function followCnames(resolver: Resolver, name: string): Promise<Answer<string>> {
  const found: string[] = [];
  let current = name;
  while (found.length < chainMax) {
    const asked = current;
    const { found: targets, error } = await ask(() => resolver.resolveCname(asked));
    const [target] = targets;
    if (target === undefined || found.includes(target.toLowerCase()))
      return { found, error: found.length === 0 ? error : undefined };
    current = target.toLowerCase().replace(/\.$/, '');
    found.push(current);
  }
  return { found, error: undefined };
}

const verdictsByCode: Record<string, DnsVerdict> = {
  ENOTFOUND: 'nxdomain',
  ESERVFAIL: 'server_failed',
  EFORMERR: 'server_failed',
  EBADRESP: 'server_failed',
  ENOTIMP: 'server_failed',
  EREFUSED: 'refused',
  ECONNREFUSED: 'refused',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
};

/** An empty answer (`ENODATA`) is no error: the name is there and has no such record. */
async function ask<Record>(question: () => Promise<Record[]>): Promise<Answer<Record>> {
  try {
    return { found: await question(), error: undefined };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENODATA') return { found: [], error: undefined };
    return { found: [], error: verdictsByCode[code] ?? 'server_failed' };
  }
}

/** The one form of RFC 5952, so that addresses can be compared as text. */
export function plainIpv6(address: string): string {
  try {
    return new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return address;
  }
}
