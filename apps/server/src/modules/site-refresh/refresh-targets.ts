import {
  refreshSitesMax,
  refreshTarget,
  type RefreshDocument,
  type SiteRefreshMode,
  type SiteRefreshType,
} from '@breakwater/contract';
import { findByHost } from '@breakwater/policy/http/host';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { ApiError, invalid, type FieldIssue } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { site, siteDomain } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';
import { servedNames } from '../../served-names.ts';
import { isServed } from '../site-claim/site-claim.service.ts';

/** Of one site. */
export interface RefreshPart {
  siteId: number;
  clientId: number;
  lineGroupId: number;
  /** Its first domain. */
  name: string;
  /** URLs, folders or tags; empty for all of it. */
  targets: string[];
}

export interface RefreshKind {
  type: SiteRefreshType;
  mode: SiteRefreshMode;
}

type SiteRow = Omit<RefreshPart, 'targets'>;

const columns = {
  siteId: site.id,
  clientId: site.clientId,
  lineGroupId: site.lineGroupId,
  name: sql<string>`coalesce(${site.config} -> 'domains' ->> 0, ${site.id}::text)`,
};

/** Whole sites. One that is not there, or not the caller's, refuses all. */
export async function partsOfSites(
  tx: Transaction,
  scope: Scope,
  siteIds: readonly number[],
  refusal: (index: number) => ApiError,
): Promise<RefreshPart[]> {
  const wanted = [...new Set(siteIds)];
  const rows = await lockedSites(tx, scope, wanted);
  const missing = siteIds.findIndex((id) => !rows.has(id));
  if (missing >= 0) throw refusal(missing);
  return wanted.map((id) => ({ ...rows.get(id)!, targets: [] }));
}

/** URLs by the site that serves each. One that no site of the caller serves refuses all, at its line. */
export async function partsOfUrls(
  tx: Transaction,
  scope: Scope,
  type: 'clean_url' | 'clean_dir',
  urls: readonly string[],
  fieldOf = (index: number) => `urls.${index}`,
): Promise<RefreshPart[]> {
  const hosts = new Set(urls.map((url) => refreshTarget(url)!.host));
  const siteOfHost = await sitesOfHosts(tx, scope, [...hosts]);
  const issues: FieldIssue[] = [];
  const bySite = new Map<number, Set<string>>();
  for (const [index, url] of urls.entries()) {
    const { host, target } = refreshTarget(url)!;
    const siteId = siteOfHost.get(host);
    if (siteId === undefined) {
      issues.push({ path: fieldOf(index), issue: 'refresh_host' });
      continue;
    }
    const own = bySite.get(siteId) ?? new Set();
    bySite.set(siteId, own.add(`${new URL(url).protocol}//${host}${nameOf(type, target)}`));
  }
  if (issues.length > 0) throw new ApiError('invalid_input', issues.slice(0, issuesMax));
  if (bySite.size > refreshSitesMax) throw invalid('urls', `refresh_sites:${refreshSitesMax}`);
  const rows = await lockedSites(tx, scope, [...bySite.keys()]);
  return [...bySite].flatMap(([id, own]) => {
    const row = rows.get(id);
    return row ? [{ ...row, targets: [...own] }] : [];
  });
}

/** An answer names no more than somebody reads. */
const issuesMax = 100;

const nameOf = (type: SiteRefreshType, target: string): string =>
  type === 'clean_dir' && !target.endsWith('/') ? `${target}/` : target;

/** Locked against a change of their line group; those that are being deleted are gone already. */
async function lockedSites(
  tx: Transaction,
  scope: Scope,
  ids: readonly number[],
): Promise<Map<number, SiteRow>> {
  const rows = await tx
    .select(columns)
    .from(site)
    .where(and(inArray(site.id, [...ids]), owned(site, scope), isNull(site.removedAt)))
    .orderBy(asc(site.id))
    .for('share');
  return new Map(rows.map((row) => [row.siteId, row]));
}

/** By the name itself, else by the nearest wildcard above it, as nodes find a site. */
export async function sitesOfHosts(
  tx: Db,
  scope: Scope,
  hosts: readonly string[],
): Promise<Map<string, number>> {
  const names = [...new Set(hosts.flatMap(servedNames))];
  const rows = await tx
    .select({ domain: siteDomain.domain, siteId: siteDomain.siteId })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .where(and(inArray(siteDomain.domain, names), isServed(sql`${siteDomain}`), owned(site, scope)));
  const sites = new Map(rows.map(({ domain, siteId }) => [domain, siteId]));
  return new Map(
    hosts.flatMap((host) => {
      const found = findByHost(host, (name) => (sites.has(name) ? name : undefined));
      return found === undefined ? [] : [[host, sites.get(found)!] as const];
    }),
  );
}

/** What nodes are told. */
export function documentOf(
  id: number,
  { type, mode }: RefreshKind,
  { siteId, targets }: RefreshPart,
): RefreshDocument {
  const own = { refresh_id: id, site_id: siteId, ...(mode === 'revalidate' ? { mode } : {}) };
  if (type === 'clean_site') return { ...own, all: true };
  if (type === 'clean_tag') return { ...own, tags: targets };
  const byHost: Record<string, string[]> = {};
  for (const url of targets) {
    const { host, target } = refreshTarget(url)!;
    (byHost[host] ??= []).push(target);
  }
  return type === 'clean_url' ? { ...own, urls: byHost } : { ...own, folders: byHost };
}
