import { caaDomainsMax, type DomainCaa } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import type { CaaRecord } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { certificate } from '../../db/schema.ts';
import { makeResolver } from '../../dns-resolver.ts';
import { owned, type Scope } from '../../scope.ts';
import { readSiteSetting } from '../setting/setting.store.ts';

/** Who may issue certificates for the names of one, by the name servers of the platform. */
export async function readCaa(db: Db, scope: Scope, id: number): Promise<{ domains: DomainCaa[] }> {
  const [row] = await db
    .select({ domains: certificate.domains })
    .from(certificate)
    .where(and(eq(certificate.id, id), owned(certificate, scope)));
  if (!row) throw notFound();
  const { dns_servers: servers } = await readSiteSetting(db);
  const resolver = makeResolver(servers);
  const names = [...new Set(row.domains.map((domain) => domain.replace(/^\*\./, '')))];
  return { domains: await Promise.all(names.slice(0, caaDomainsMax).map((name) => caaOf(resolver, name))) };
}

/** The records nearest to the name decide (RFC 8659 §3). */
async function caaOf(resolver: Resolver, domain: string): Promise<DomainCaa> {
  const labels = domain.split('.');
  try {
    for (const from of labels.keys()) {
      const name = labels.slice(from).join('.');
      const records = await resolver.resolveCaa(name).catch(noneIn);
      if (records.length > 0)
        return { domain, found_at: name, records: records.flatMap(linesOf), failed: false };
    }
    return { domain, found_at: '', records: [], failed: false };
  } catch {
    return { domain, found_at: '', records: [], failed: true };
  }
}

/** The name, or a record of this type, is not there. */
function noneIn(error: NodeJS.ErrnoException): CaaRecord[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}

/** Node says what kind of record it is beside its property. */
const linesOf = ({ critical, ...properties }: CaaRecord): string[] =>
  Object.entries(properties).flatMap(([tag, value]) =>
    tag === 'type' ? [] : [`${critical} ${tag} "${value}"`],
  );
