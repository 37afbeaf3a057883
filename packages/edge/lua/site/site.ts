import type { EffectiveSite, SiteDocument } from '@breakwater/contract/edge-document';
import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import type { SpeedOptimize } from '@breakwater/contract/site-config/speed-optimize';
import type { Peer } from '@breakwater/policy/origin/balance';
import { prepareCacheRules, type PreparedRule } from '@breakwater/policy/cache/rule';
import { leakRulesOf } from '@breakwater/policy/detect/settings';
import type { LeakSettings } from '@breakwater/policy/detect/types';
import type { AddressRule } from '@breakwater/policy/address/client-address';
import { mergeSite } from '@breakwater/policy/site/levels';
import { completeOriginConfig } from '@breakwater/policy/origin/origin';
import { closingOf, type Closing } from '@breakwater/policy/site/site-state';
import { addressRuleOf } from '../protect/address-rule.ts';
import { offlinePagesOf, type OfflinePages } from '@breakwater/policy/site/offline-pages';
import { protectionOf, type Protection } from '../protect/protect.ts';
import { accessOf, changesForAccess, type Access } from '../front/access.ts';
import { isDirected } from './directed-sites.ts';
import { ownPagesOf, type OwnPages } from '../pages/error-page.ts';
import { conditionalRulesOf, type ConditionalRules } from '../front/conditional-rules.ts';
import { cacheExtrasOf, type CacheExtras } from '../front/cache-extras.ts';
import { siteSlot } from '../front/generations.ts';
import { drop, heldOf, holding, keep } from '@breakwater/policy/lib/holding';
import { contentRateMin } from '../lib/content-rate.ts';
import { decodeJson } from '../lib/json.ts';
import type { Places } from '../fetch/peers.ts';
import { objectStorageOf, type ObjectStorage } from '../fetch/object-storage.ts';
import { changesAnswers, rewritingOf, type Rewriting } from '../front/rewriting.ts';
import { prepareLimits, type Limits } from './limits.ts';
import { loggedOf, logsJa4 } from './logged.ts';
import { callLocationOf, fetchLocationOf, hasLimit } from './origins.ts';
import { inheritsAsBefore, levelsOf, levelStampOf } from './levels.ts';
import * as store from '../documents/store.ts';
import { isTold } from '../hop/told.ts';
import { prepareTls, type SiteTls } from '../tls/tls-settings.ts';

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
  logsJa4: boolean;
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
  /** Where these are asked, by scheme and port; see `peers.ts`. */
  peerPlaces: Record<string, Places>;
  /** What it asks of a handshake beyond the node's own settings, if anything. */
  tls: SiteTls | undefined;
  /** Where the visitor's address is not the socket's. */
  addressRule: AddressRule | undefined;
  limits: Limits | undefined;
  /** Bytes a second that a request's content has to come at; 0: any. */
  contentRateMin: number;
  /** Absent: everybody may come in. */
  access: Access | undefined;
  /** Absent: nothing of it is set. */
  protection: Protection | undefined;
  /** What is looked for in answers; absent: nothing. */
  leaks: LeakSettings | undefined;
  /** Absent: none is. */
  offlinePages: OfflinePages | undefined;
  /** Absent: requests and answers are handed on as they are. */
  rewriting: Rewriting | undefined;
}

/**
 * Sites made ready, apart from what was decided for targets: to make one ready again costs as much as some thousand requests.
 * The younger half of them stays when there are too many.
 */
const sites = holding<Site>(10_000);

export function loadSite(key: string): Site | undefined {
  const revision = store.revisionOf('site', key);
  const held = heldOf(sites, key);
  if (held !== undefined && held.revision === revision && inheritsAsBefore(held)) return held;
  drop(sites, key);
  const body = store.bodyOf('site', key);
  if (body === undefined || revision === undefined) return undefined;
  const [decoded] = decodeJson(body);
  const own = decoded as SiteDocument;
  // Both before the levels themselves: what changes meanwhile is noticed afterwards.
  const inherits = { levelEpoch: store.levelEpoch(), levelStamp: levelStampOf(own) };
  const site = readySite(key, revision, mergeSite(own, levelsOf(own)), inherits);
  keep(sites, key, site);
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
  const protection = protectionOf(document);
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
    extras: cacheExtrasOf(document, rules, readsAnswers(document, rewriting, protection)),
    compression: compressionOf(document),
    alwaysOnline: document.cache_settings?.always_online === true,
    isPlain: false,
    isDirected: (document.advanced_config?.snippet ?? '') !== '' && isDirected(key),
    ...loggingOf(document),
    origins,
    objectStorage: objectStorageOf(origins),
    fetchLocation: fetchLocationOf(origins),
    callLocation: callLocationOf(origins),
    isCounted: origins.method === 'least_conn' || hasLimit(origins),
    ...unknownPeers(),
    tls: prepareTls(key, document.certificate_settings),
    addressRule: addressRuleOf(document),
    limits: prepareLimits(key, document.security),
    contentRateMin: document.security?.body_rate_min ?? contentRateMin,
    access: accessOf(document),
    protection,
    leaks: document.used_system_rule && leakRulesOf(document.used_system_rule),
    offlinePages: offlinePagesOf(document.offline_pages),
    rewriting,
  };
  site.isPlain = isPlain(site);
  return site;
}

const unknownPeers = (): Pick<Site, 'credits' | 'peers' | 'peersEpoch' | 'peerPlaces'> => ({
  credits: [],
  peers: [],
  peersEpoch: -1,
  peerPlaces: {},
});

function loggingOf({ advanced_config: advanced }: EffectiveSite): Pick<Site, 'logged' | 'logsJa4'> {
  const log = advanced?.access_log;
  return { logged: loggedOf(log), logsJa4: logsJa4(log) };
}

/** Whether the header of each answer is looked at, or changed. */
const readsAnswers = (
  document: EffectiveSite,
  rewriting: Rewriting | undefined,
  protection: Protection | undefined,
): boolean => changesAnswers(rewriting) || changesForAccess(document) || protection?.asksAnswers === true;

/** Whether a request goes straight to the cache. */
function isPlain(site: Site): boolean {
  return (
    site.extras === undefined &&
    !site.isDirected &&
    site.limits === undefined &&
    site.callLocation === undefined &&
    // Its answers are counted, in a phase that the plain place does not have.
    site.protection?.guard === undefined &&
    !isTold(site)
  );
}

function compressionOf({ speed_optimize: speed }: EffectiveSite): SpeedOptimize | undefined {
  return speed !== undefined && (speed.gzip || speed.brotli) ? speed : undefined;
}
