import type { SiteDocument } from '@breakwater/contract/edge-document';
import { cacheKey } from '@breakwater/policy/cache-key';
import { matchCacheRule, prepareCacheRules, type PreparedRule } from '@breakwater/policy/cache-rule';
import { findByHost } from '@breakwater/policy/host';
import type { Peer } from '@breakwater/policy/origin';
import { normalizePath, splitTarget } from '@breakwater/policy/path';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from './json.ts';
import { addressesOf, resolvedEpoch } from './resolved.ts';
import * as store from './store.ts';
import { regexOptions } from './validate.ts';

/** A site as this worker holds it, made ready from its document. */
export interface Site {
  key: string;
  revision: number;
  document: SiteDocument;
  siteId: string;
  clientId: string;
  orderId: string;
  rules: PreparedRule[];
  peers: Peer[];
  peersEpoch: number;
}

/** What a request's target comes to. */
export interface Decision {
  key: string;
  rule: PreparedRule | undefined;
  isBypass: boolean;
  /** Until when requests go around the cache, because the last answer could not be stored; 0: they do not. */
  passUntil: number;
}

/** A host and what was decided for targets under it, by scheme. */
export interface HostEntry {
  site: Site;
  epoch: number;
  host: string;
  /** The page shown instead of the site, if any. */
  page: string | undefined;
  http: Record<string, Decision>;
  https: Record<string, Decision>;
}

/** Decisions a worker keeps, and the longest target of one: some 10 MB at most, whatever is asked. */
const decisionsMax = 20_000;
const targetBytesMax = 512;

let sites: Record<string, Site> = {};
let entries: Record<string, HostEntry> = {};
let decisions = 0;

/** The site that answers to a host (lower case, no port), or nothing. Held until any document changes. */
export function entryOf(host: string): HostEntry | undefined {
  const epoch = currentEpoch();
  const held = entries[host];
  if (held !== undefined && held.epoch === epoch) return held;
  return refresh(host, epoch, held);
}

function refresh(host: string, epoch: number, held: HostEntry | undefined): HostEntry | undefined {
  const key = findByHost(host, store.siteOfDomain);
  const site = key === undefined ? undefined : loadSite(key);
  if (site === undefined) {
    delete entries[host];
    return undefined;
  }
  if (held !== undefined && held.site === site) {
    held.epoch = epoch;
    return held;
  }
  const status = site.document.status;
  const page = status === 'online' ? undefined : status;
  const entry: HostEntry = { site, epoch, host, page, http: {}, https: {} };
  // A host counts as one decision, so that a wildcard site does not fill the memory with names.
  countDecision();
  entries[host] = entry;
  return entry;
}

function loadSite(key: string): Site | undefined {
  const revision = store.revisionOf('site', key);
  const held = sites[key];
  if (held !== undefined && held.revision === revision) return held;
  delete sites[key];
  const body = store.bodyOf('site', key);
  if (body === undefined || revision === undefined) return undefined;
  const [decoded] = decodeJson(body);
  const document = decoded as SiteDocument;
  const site: Site = {
    key,
    revision,
    document,
    siteId: `${document.site_id}`,
    clientId: `${document.client_id}`,
    orderId: `${document.order_id}`,
    rules: prepareCacheRules(document.cache_rule),
    peers: [],
    peersEpoch: -1,
  };
  sites[key] = site;
  return site;
}

/** What is done with a target (path and query as the visitor sent them). */
export function decisionOf(entry: HostEntry, scheme: string, target: string): Decision {
  const known = scheme === 'https' ? entry.https : entry.http;
  return known[target] ?? decide(entry, scheme, target);
}

function decide(entry: HostEntry, scheme: string, target: string): Decision {
  const rule = matchCacheRule(entry.site.rules, normalizePath(splitTarget(target).path), matchRegex);
  const decision: Decision = {
    key: cacheKey(entry.site.key, scheme, entry.host, target, rule?.rule),
    rule,
    isBypass: rule !== undefined && rule.rule.action === 'bypass',
    passUntil: 0,
  };
  if (target.length > targetBytesMax) return decision;
  countDecision();
  const known = scheme === 'https' ? entry.https : entry.http;
  known[target] = decision;
  return decision;
}

function countDecision(): void {
  decisions += 1;
  if (decisions <= decisionsMax) return;
  decisions = 0;
  entries = {};
  sites = {};
}

function matchRegex(subject: string, pattern: string): boolean {
  const [from, , problem] = ngx.re.find(subject, pattern, regexOptions);
  // PCRE gives up on a pattern that backtracks too much; the rule then does not match.
  if (problem !== undefined) ngx.log(ngx.WARN, 'cache rule pattern ', pattern, ': ', problem);
  return from !== undefined;
}

/** The addresses a site's requests can go to, renewed when names resolve to others. */
export function peersOf(site: Site): Peer[] {
  const epoch = resolvedEpoch();
  if (site.peersEpoch === epoch) return site.peers;
  const peers: Peer[] = [];
  for (const origin of site.document.origin_server_config.origins)
    for (const ip of addressesOf(origin.address)) peers.push({ origin, ip });
  site.peers = peers;
  site.peersEpoch = epoch;
  return peers;
}
