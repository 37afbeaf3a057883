import type { EffectiveSite, SiteDocument } from '@breakwater/contract/edge-document';
import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import type { SpeedOptimize } from '@breakwater/contract/site-config/speed-optimize';
import type { Peer } from '@breakwater/policy/origin/balance';
import { cacheKey, foldersOf } from '@breakwater/policy/cache/key';
import { matchCacheRule, prepareCacheRules, type PreparedRule } from '@breakwater/policy/cache/rule';
import { prepareAddressRule, type AddressRule } from '@breakwater/policy/address/client-address';
import { findByHost } from '@breakwater/policy/http/host';
import { mergeSite } from '@breakwater/policy/site/levels';
import { completeOriginConfig } from '@breakwater/policy/origin/origin';
import { splitTarget } from '@breakwater/policy/http/path';
import { readTarget } from '@breakwater/policy/http/request-path';
import { closingOf, type Closing } from '@breakwater/policy/site/site-state';
import { accessOf, changesForAccess, type Access } from '../front/access.ts';
import { isDirected } from './directed-sites.ts';
import { epoch as currentEpoch } from '../documents/epoch.ts';
import { ownPagesOf, type OwnPages } from '../pages/error-page.ts';
import {
  choicesOf,
  choose,
  conditionalRulesOf,
  type ConditionalRules,
  type RuleChoice,
} from '../front/conditional-rules.ts';
import { cacheExtrasOf, type CacheExtras } from '../front/cache-extras.ts';
import {
  bucketOf,
  everything,
  generationOf,
  generationOfFolder,
  generationOfSite,
  generationsId,
  hasOldFolders,
  siteSlot,
} from '../front/generations.ts';
import { guardOf, type Guard } from '../front/guard.ts';
import { decodeJson } from '../lib/json.ts';
import { objectStorageOf, type ObjectStorage } from '../fetch/object-storage.ts';
import {
  changesAnswers,
  decideRewriting,
  rewritingOf,
  type Rewriting,
  type Rewritten,
} from '../front/rewriting.ts';
import { prepareLimits, type Limits } from './limits.ts';
import { loggedOf } from './logged.ts';
import { callLocationOf, fetchLocationOf, hasLimit } from './origins.ts';
import { inheritsAsBefore, levelsOf, levelStampOf } from './levels.ts';
import * as store from '../documents/store.ts';
import { isTold } from '../hop/told.ts';
import { prepareTls, type SiteTls } from '../tls/tls-settings.ts';
import { pageOf } from './status-page.ts';
import { matchRegex } from '../lib/regex.ts';

/** A site as this worker holds it, made ready from its document. */
export interface Site {
  key: string;
  /** Where its counters stand. */
  slot: number;
  revision: number;
  /** With what it inherits. */
  document: EffectiveSite;
  /** When its levels were last looked at, and their revisions. */
  levelEpoch: number;
  levelStamp: string;
  siteId: string;
  clientId: string;
  orderId: string;
  rules: PreparedRule[];
  /** Absent: the target alone says which rule applies. */
  conditional: ConditionalRules | undefined;
  /** Absent: it has none of its own. */
  errorPages: OwnPages | undefined;
  closing: Closing | undefined;
  /** What is not stored is sent on as it comes. */
  isStreaming: boolean;
  /** Absent: a request takes its key and goes to the cache, which is all. */
  extras: CacheExtras | undefined;
  /** Absent: answers are handed on as the origin encoded them. */
  compression: SpeedOptimize | undefined;
  alwaysOnline: boolean;
  /** A request goes straight to the cache: none of extras, directives, limits and gRPC. */
  isPlain: boolean;
  /** It has directives of its own for nginx, and locations with them. */
  isDirected: boolean;
  /** What is logged, as `nginx/conf.ts` reads it; absent: everything. */
  logged: string | undefined;
  origins: OriginServerConfig;
  /** Absent: origins are asked as the visitor asked. */
  objectStorage: ObjectStorage | undefined;
  /** Where nginx asks origins for this site; absent: where it does for most. */
  fetchLocation: string | undefined;
  /** Where calls of gRPC go; absent: they are requests like others. */
  callLocation: string | undefined;
  /** Requests under way have to be counted. */
  isCounted: boolean;
  /** Whose turn it is among the peers. */
  credits: number[];
  peers: Peer[];
  peersEpoch: number;
  /** What it asks of a handshake beyond the node's own settings, if anything. */
  tls: SiteTls | undefined;
  /** Where the visitor's address is not the socket's. */
  addressRule: AddressRule | undefined;
  limits: Limits | undefined;
  /** Absent: everybody may come in. */
  access: Access | undefined;
  /** Absent: requests and answers are handed on as they are. */
  rewriting: Rewriting | undefined;
}

/**
 * A host, and what was decided for targets under it. Cache keys are kept by target, as bare text, since every hit looks
 * one up; what a rule sends around the cache is the exception and stands apart.
 */
export interface HostEntry {
  site: Site;
  epoch: number;
  host: string;
  /** In cache keys: the host, and the port too where origins are asked at the port that the visitor chose. */
  authority: string;
  /** The same host at each port, where that matters. */
  ports: Record<string, HostEntry> | undefined;
  /** The page shown instead of the site, if any. */
  page: string | undefined;
  /** What it asks of HTTPS before a request is answered, if anything. */
  guard: Guard | undefined;
  http: Record<string, string>;
  https: Record<string, string>;
  /** The counter of a target (see `generations.ts`), of both schemes. */
  buckets: Record<string, number>;
  /** The counters of the folders that a target lies in, where any of the site was ever counted up. */
  folders: Record<string, number[]> | undefined;
  /** Keys that a rule sends around the cache, where any does. */
  around: Record<string, boolean> | undefined;
  /** The rules of targets, where the site has extras: at 0 under no rule. */
  rules: Record<string, PreparedRule | 0> | undefined;
  /** What rewriting made of targets, by scheme and target, where the site has any. */
  rewritten: Record<string, Rewritten> | undefined;
  /** The rules that may apply to targets, where conditions choose among them. */
  choices: Record<string, RuleChoice[]> | undefined;
  /** Until when a target is asked for whole, where its origin gives no parts that fit together. */
  wholes: Record<string, number> | undefined;
}

/** Keys a worker keeps, and the longest target of one: some 10 MB at most, whatever is asked. */
const keysMax = 20_000;
const targetBytesMax = 512;

let sites: Record<string, Site> = {};
let entries: Record<string, HostEntry> = {};
let keys = 0;

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
  const page = pageOf(site.document, host) ?? (site.closing && 'maintenance');
  const entry = makeEntry(site, epoch, host, host, page);
  entries[host] = entry;
  return entry;
}

function makeEntry(
  site: Site,
  epoch: number,
  host: string,
  authority: string,
  page: string | undefined,
): HostEntry {
  // A host counts as one key, so that a wildcard site does not fill the memory with names.
  countKey();
  return {
    site,
    epoch,
    host,
    authority,
    ports: site.origins.follow_port ? {} : undefined,
    page,
    guard: guardOf(site, host),
    http: {},
    https: {},
    buckets: {},
    folders: undefined,
    around: undefined,
    rules: undefined,
    rewritten: undefined,
    choices: undefined,
    wholes: undefined,
  };
}

/** What was decided for a host at one of its ports; for most sites ports make no difference. */
export function entryAtPort(entry: HostEntry, port: string): HostEntry {
  if (entry.ports === undefined) return entry;
  const { site, epoch, host, page } = entry;
  entry.ports[port] ??= makeEntry(site, epoch, host, `${host}:${port}`, page);
  return entry.ports[port];
}

function loadSite(key: string): Site | undefined {
  const revision = store.revisionOf('site', key);
  const held = sites[key];
  if (held !== undefined && held.revision === revision && inheritsAsBefore(held)) return held;
  delete sites[key];
  const body = store.bodyOf('site', key);
  if (body === undefined || revision === undefined) return undefined;
  const [decoded] = decodeJson(body);
  const own = decoded as SiteDocument;
  // Both before the levels themselves: what changes meanwhile is noticed afterwards.
  const inherits = { levelEpoch: store.levelEpoch(), levelStamp: levelStampOf(own) };
  const site = readySite(key, revision, mergeSite(own, levelsOf(own)), inherits);
  sites[key] = site;
  return site;
}

function readySite(
  key: string,
  revision: number,
  document: EffectiveSite,
  inherits: Pick<Site, 'levelEpoch' | 'levelStamp'>,
): Site {
  const rules = prepareCacheRules(document.cache_rule);
  const origins = completeOriginConfig(document.origin_server_config);
  const rewriting = rewritingOf(document);
  const site: Site = {
    key,
    slot: siteSlot(key),
    revision,
    document,
    ...inherits,
    siteId: `${document.site_id}`,
    clientId: `${document.client_id}`,
    orderId: `${document.order_id}`,
    errorPages: ownPagesOf(document.advanced_config?.error_pages),
    closing: closingOf(document.advanced_config?.maintenance),
    isStreaming: document.advanced_config?.response_buffering === false,
    rules,
    conditional: conditionalRulesOf(rules, `${revision} ${inherits.levelStamp}`),
    extras: cacheExtrasOf(document, rules, changesAnswers(rewriting) || changesForAccess(document)),
    compression: compressionOf(document),
    alwaysOnline: document.cache_settings?.always_online === true,
    isPlain: false,
    isDirected: (document.advanced_config?.snippet ?? '') !== '' && isDirected(key),
    logged: loggedOf(document.advanced_config?.access_log),
    origins,
    objectStorage: objectStorageOf(origins),
    fetchLocation: fetchLocationOf(origins),
    callLocation: callLocationOf(origins),
    isCounted: origins.method === 'least_conn' || hasLimit(origins),
    credits: [],
    peers: [],
    peersEpoch: -1,
    tls: prepareTls(key, document.certificate_settings),
    addressRule: addressRuleOf(document),
    limits: prepareLimits(key, document.security),
    access: accessOf(document),
    rewriting,
  };
  site.isPlain = isPlain(site);
  return site;
}

/** Whether a request goes straight to the cache. */
function isPlain(site: Site): boolean {
  return (
    site.extras === undefined &&
    !site.isDirected &&
    site.limits === undefined &&
    site.callLocation === undefined &&
    !isTold(site)
  );
}

function compressionOf({ speed_optimize: speed }: EffectiveSite): SpeedOptimize | undefined {
  return speed !== undefined && (speed.gzip || speed.brotli) ? speed : undefined;
}

function addressRuleOf({ real_ip: config }: EffectiveSite): AddressRule | undefined {
  return config === undefined || config.mode === 'socket' ? undefined : prepareAddressRule(config);
}

/** The cache key of a target (path and query as the visitor sent them). */
export function keyOf(entry: HostEntry, scheme: string, target: string): string {
  const known = scheme === 'https' ? entry.https : entry.http;
  return known[target] ?? decide(entry, scheme, target);
}

export function ruleOf(entry: HostEntry, target: string): EdgeCacheRule | undefined {
  return preparedRuleOf(entry, target)?.rule;
}

function preparedRuleOf(entry: HostEntry, target: string): PreparedRule | undefined {
  if (entry.site.conditional !== undefined) return choiceOf(entry, entry.site.conditional, target).rule;
  return matchCacheRule(entry.site.rules, readTarget(target), matchRegex);
}

/** The same for every request of a site with extras, and so remembered. */
export function rememberedRuleOf(entry: HostEntry, target: string): PreparedRule | undefined {
  const known = entry.rules?.[target];
  if (known !== undefined) return known === 0 ? undefined : known;
  const rule = preparedRuleOf(entry, target);
  if (target.length > targetBytesMax || entry.site.conditional !== undefined) return rule;
  countKey();
  entry.rules ??= {};
  entry.rules[target] = rule ?? 0;
  return rule;
}

/** The same for every request of one target, unless it says that it is not. */
export function rewrittenOf(
  entry: HostEntry,
  rewriting: Rewriting,
  scheme: string,
  target: string,
): Rewritten {
  const place = scheme === 'https' ? target : ` ${target}`;
  const known = entry.rewritten?.[place];
  if (known !== undefined) return known;
  const rewritten = decideRewriting(rewriting, scheme, entry.host, target);
  if (rewritten.isPersonal || target.length > targetBytesMax) return rewritten;
  countKey();
  entry.rewritten ??= {};
  entry.rewritten[place] = rewritten;
  return rewritten;
}

/** Conditions are asked anew for each request, so by target only their rules are remembered. */
function choiceOf(entry: HostEntry, conditional: ConditionalRules, target: string): RuleChoice {
  let choices = entry.choices?.[target];
  if (choices === undefined) {
    choices = choicesOf(conditional, entry.site.key, entry.authority, target);
    if (target.length <= targetBytesMax) {
      countKey();
      entry.choices ??= {};
      entry.choices[target] = choices;
    }
  }
  return choose(choices);
}

export function isWhole(entry: HostEntry, target: string): boolean {
  const until = entry.wholes?.[target];
  return until !== undefined && until > ngx.now();
}

/** From now on, until then, a target is asked for whole. */
export function askWhole(entry: HostEntry, target: string, until: number): void {
  entry.wholes ??= {};
  if (entry.wholes[target] === undefined) countKey();
  entry.wholes[target] = until;
}

function decide(entry: HostEntry, scheme: string, target: string): string {
  const { conditional } = entry.site;
  if (conditional !== undefined) return choiceOf(entry, conditional, target)[scheme as 'http' | 'https'];
  const rule = ruleOf(entry, target);
  const key = `${generationsId()} ${cacheKey(entry.site.key, scheme, entry.authority, target, rule)}`;
  if (rule?.action === 'bypass') goAround(entry, key);
  if (target.length > targetBytesMax) return key;
  countKey();
  const known = scheme === 'https' ? entry.https : entry.http;
  known[target] = key;
  entry.buckets[target] = bucketOfKey(entry, target, rule);
  return key;
}

/** The counter of a target, of all that its cache rule takes for the same and of both schemes. */
export function bucketOfTarget(entry: HostEntry, target: string): number {
  const known = entry.buckets[target];
  if (known !== undefined) return known;
  // Where conditions choose, all queries of a path share a counter: no rule's say on them holds for all.
  if (entry.site.conditional !== undefined) return bucketOfKey(entry, splitTarget(target).path, undefined);
  return bucketOfKey(entry, target, ruleOf(entry, target));
}

function bucketOfKey(entry: HostEntry, target: string, rule: EdgeCacheRule | undefined): number {
  return bucketOf(cacheKey(entry.site.key, '', entry.host, target, rule));
}

/** All counters that a target is under; in its key where that is not 0. */
export function generationOfTarget(entry: HostEntry, target: string): number {
  const { slot } = entry.site;
  const own =
    generationOf(bucketOfTarget(entry, target)) + generationOfSite(slot) + generationOfSite(everything);
  return hasOldFolders(slot) ? own + generationOfFolders(entry, target) : own;
}

function generationOfFolders(entry: HostEntry, target: string): number {
  let found = entry.folders?.[target];
  if (found === undefined) {
    found = foldersOf(splitTarget(target).path).map((folder) => folderBucket(entry, folder));
    if (target.length <= targetBytesMax) {
      countKey();
      entry.folders ??= {};
      entry.folders[target] = found;
    }
  }
  let sum = 0;
  for (const bucket of found) sum += generationOfFolder(bucket);
  return sum;
}

export function folderBucket(entry: HostEntry, folder: string): number {
  return bucketOf(`${entry.site.key} ${entry.host}${folder} folder`);
}

function goAround(entry: HostEntry, key: string): void {
  entry.around ??= {};
  if (entry.around[key] === undefined) countKey();
  entry.around[key] = true;
}

function countKey(): void {
  keys += 1;
  if (keys <= keysMax) return;
  keys = 0;
  entries = {};
  sites = {};
}
