import { uploadSitesMax, type UploadUse } from '@breakwater/contract';
import { and, arrayOverlaps, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate, site } from '../../db/schema.ts';
import { texts } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';
import {
  bindingOf,
  keyOf,
  readSiteCertificates,
  type SiteCertificate,
} from '../certificate/certificate.service.ts';
import type { FoundPair } from './upload-files.ts';

/** What an upload of many would do: what each certificate replaces, and which sites would use it. */

export interface PlannedSite {
  id: number;
  domain: string;
  covered: string[];
  use: UploadUse;
  present: readonly SiteCertificate[];
}
export interface PlannedUpload extends FoundPair {
  /** The same one, which is there already. */
  known: Former | undefined;
  /** The one that gives it its place. */
  replaces: Former | undefined;
  sites: PlannedSite[];
}

export interface Owner {
  scope: Scope;
  /** Null: the platform, which has no sites. */
  clientId: number | null;
}

export async function planUpload(
  db: Db,
  owner: Owner,
  found: readonly FoundPair[],
): Promise<{ uploads: PlannedUpload[]; hasMoreSites: boolean }> {
  if (found.length === 0) return { uploads: [], hasMoreSites: false };
  const formers = await readFormers(db, owner, found);
  const rows = await readSites(db, owner, found);
  const sites = rows.slice(0, uploadSitesMax);
  const bound = await readSiteCertificates(
    db,
    sites.flatMap(({ ids }) => ids),
  );
  const replaced = replacements(formers, found);
  const uploads = found.map((each): PlannedUpload => {
    const known = formers.find(({ fingerprint }) => fingerprint === each.pair.fingerprint);
    const replaces = replaced.get(each);
    return { ...each, known, replaces, sites: sitesFor(each, known ?? replaces, sites, bound) };
  });
  return { uploads, hasMoreSites: rows.length > uploadSitesMax };
}

type Former = Awaited<ReturnType<typeof readFormers>>[number];

const namesOf = (found: readonly FoundPair[]): string[] => [
  ...new Set(found.flatMap(({ pair }) => pair.domains)),
];
const keyTypeOf = (pem: string) => keyOf(new X509Certificate(pem)).key_type;
const setOf = (domains: readonly string[]): string => domains.toSorted().join();

/** Those of the owner that are the same, or for the same names; what an order renews is nobody's to replace. */
async function readFormers(db: Db, { scope, clientId }: Owner, found: readonly FoundPair[]) {
  const isUsed = sql<boolean>`EXISTS (SELECT FROM edge_use u
    WHERE u.dep_kind = 'certificate' AND u.dep_key = ${certificate.id}::text)`;
  const isRenewed = sql<boolean>`EXISTS (SELECT FROM certificate_order o WHERE o.certificate_id = ${certificate.id})`;
  return db
    .select({
      id: certificate.id,
      name: certificate.name,
      domains: certificate.domains,
      fingerprint: certificate.fingerprint,
      notAfter: certificate.notAfter,
      pem: certificate.certificate,
      isRenewed,
    })
    .from(certificate)
    .where(
      and(
        owned(certificate, scope),
        clientId === null ? isNull(certificate.clientId) : eq(certificate.clientId, clientId),
        or(
          inArray(
            certificate.fingerprint,
            found.map(({ pair }) => pair.fingerprint),
          ),
          arrayOverlaps(certificate.domains, namesOf(found)),
        ),
      ),
    )
    .orderBy(desc(isUsed), desc(certificate.notAfter), certificate.id);
}

/** One certificate gives its place to one other, which of several is the last to end. */
function replacements(formers: readonly Former[], found: readonly FoundPair[]): Map<FoundPair, Former> {
  const replaced = new Map<FoundPair, Former>();
  const gone = new Set<Former>();
  const latest = found.toSorted((one, other) => other.pair.notAfter.getTime() - one.pair.notAfter.getTime());
  for (const each of latest) {
    if (formers.some(({ fingerprint }) => fingerprint === each.pair.fingerprint)) continue;
    const former = formers.find((one) => !gone.has(one) && isReplaced(one, each));
    if (!former) continue;
    gone.add(former);
    replaced.set(each, former);
  }
  return replaced;
}

const isReplaced = (former: Former, { pair }: FoundPair): boolean =>
  !former.isRenewed &&
  former.notAfter.getTime() <= pair.notAfter.getTime() &&
  setOf(former.domains) === setOf(pair.domains) &&
  keyTypeOf(former.pem) === keyTypeOf(pair.certificate);

interface SiteRow {
  id: number;
  domains: string[];
  ids: number[];
}

async function readSites(
  db: Db,
  { scope, clientId }: Owner,
  found: readonly FoundPair[],
): Promise<SiteRow[]> {
  if (clientId === null) return [];
  const names = texts(namesOf(found));
  const isCovered = sql`EXISTS (SELECT FROM site_domain d WHERE d.site_id = ${site.id} AND (d.domain = ANY(${names})
    OR d.domain NOT LIKE '*.%' AND '*' || substring(d.domain FROM position('.' IN d.domain)) = ANY(${names})))`;
  const rows = await db
    .select({ id: site.id, config: site.config })
    .from(site)
    .where(and(eq(site.clientId, clientId), owned(site, scope), isNull(site.removedAt), isCovered))
    .orderBy(site.id)
    .limit(uploadSitesMax + 1);
  return rows.map(({ id, config }) => ({
    id,
    domains: config.domains,
    ids: config.certificate_settings.certificate_ids,
  }));
}

function sitesFor(
  { pair }: FoundPair,
  former: Former | undefined,
  sites: readonly SiteRow[],
  bound: ReadonlyMap<number, SiteCertificate>,
): PlannedSite[] {
  const added: SiteCertificate = {
    id: former?.id ?? 0,
    name: former?.name ?? '',
    domains: pair.domains,
    notAfter: pair.notAfter,
    keyType: keyTypeOf(pair.certificate),
    isRenewed: false,
  };
  return sites.flatMap(({ id, domains, ids }): PlannedSite[] => {
    const before = ids.flatMap((each) => bound.get(each) ?? []);
    const { covered, present, isOutlasted } = bindingOf(domains, before, added);
    if (covered.length === 0) return [];
    const base = { id, domain: domains[0] ?? '', covered, present };
    if (former && ids.includes(former.id)) return [{ ...base, use: 'follows' }];
    if (present.length === 0) return [{ ...base, use: 'added' }];
    return [{ ...base, use: isOutlasted ? 'lasts_longer' : 'replaces' }];
  });
}

export const presentNamed = ({ id, name, notAfter }: Pick<SiteCertificate, 'id' | 'name' | 'notAfter'>) => ({
  id,
  name,
  not_after: iso(notAfter),
});
