import type { SiteDocument } from '@breakwater/contract/edge-document';
import type { ExplainedRequest, RequestTrace, TraceStep } from '@breakwater/contract/explain';
import { mayHoldText } from '@breakwater/policy/rewrite/body';
import { explain, unanswered } from '@breakwater/policy/explain/explain';
import {
  explainedSiteOf,
  type BanNow,
  type CountedLimit,
  type DecideCondition,
  type KeyParts,
  type LimitNow,
  type LiveServer,
  type StoredNow,
} from '@breakwater/policy/explain/trace';
import { documentsBeside } from '@breakwater/policy/site/level-keys';
import { originPort, originScheme } from '@breakwater/policy/origin/origin';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { retryAfterSeconds } from '@breakwater/policy/access/rate';
import { isListed } from '../documents/address-lists.ts';
import { shortVariant } from '../front/cache-extras.ts';
import { countOf, usedOf } from '../lib/counters.ts';
import { hmacHex, md5Hex } from '../lib/digest.ts';
import { tryRegex } from '../front/facts.ts';
import { keyOfFirstPart, keyUnderRule, withContent, withGeneration } from '../front/cache-key.ts';
import { isDown, placeOf } from '../fetch/health.ts';
import { asnOf, placeOf as placeOfAddress } from '../documents/ip-places.ts';
import { knownRules } from '../documents/known-vulnerabilities.ts';
import { decodeJson } from '../lib/json.ts';
import { visitorOf } from '../front/visitor.ts';
import { peersOf } from '../fetch/peers.ts';
import { findRegex } from '../lib/regex.ts';
import { conditionDigits, type Rewriting } from '../front/rewriting.ts';
import { banOf, isNever } from '../protect/bans.ts';
import { robotOf } from '../front/robots.ts';
import {
  askedOfTarget,
  generationOfTarget,
  entryAtPort,
  entryOf,
  isWhole as isAskedWhole,
  type HostEntry,
} from '../site/host.ts';
import type { Site } from '../site/site.ts';
import { levelsOf } from '../site/levels.ts';
import { domainOf } from '../site/status-page.ts';
import * as store from '../documents/store.ts';
import { nodeName } from './configuration.ts';
import { storedUnder } from './stored-answer.ts';

/** What becomes of a request to a site, by the documents that are in service here. */
export function traceOf(siteId: number, request: ExplainedRequest): RequestTrace {
  const entry = entryOf(request.host);
  const revision = store.revisionOf('site', `${siteId}`);
  const trace: RequestTrace = { documents: [], steps: [] };
  if (revision !== undefined && store.bodyOf('site', `${siteId}`) !== undefined) trace.revision = revision;
  if (entry === undefined || entry.site.siteId !== `${siteId}`) {
    trace.steps = unanswered(entry === undefined ? 'unknown_host' : 'other_site');
    return trace;
  }
  const { site } = entry;
  const own = ownDocument(site);
  for (const { kind, key } of documentsBeside(own, levelsOf(own))) {
    const ofOther = store.bodyOf(kind, key) === undefined ? undefined : store.revisionOf(kind, key);
    if (ofOther !== undefined) trace.documents.push({ kind, key, revision: ofOther });
  }
  trace.steps = stepsOf(site, request, entryAtPort(entry, `${request.port}`));
  return trace;
}

function ownDocument(site: Site): SiteDocument {
  const [decoded] = decodeJson(store.bodyOf('site', site.key)!);
  return decoded as SiteDocument;
}

function stepsOf(site: Site, request: ExplainedRequest, entry: HostEntry): TraceStep[] {
  const own = ownDocument(site);
  const explained = explainedSiteOf(own, levelsOf(own), domainOf(request.host)!);
  explained.access = site.access?.rules;
  explained.known = knownRules();
  return explain(request, explained, {
    find: findRegex,
    tryRegex,
    md5Hex,
    hmacHex,
    lookups: { isListed, placeOf: placeOfAddress, asnOf, robotOf },
    servers: () => serversOf(site, request),
    generation: ({ target }) => generationOfTarget(entry, target) + askedOfTarget(entry, target),
    stored: (parts, decide) => storedNow(entry, parts, decide),
    ban: (address) => banNow(site, address),
    node: nodeName(),
    used: (limit, address) => usedNow(site, limit, address),
  });
}

/** Under the key that `front` would make, and of what is kept in parts the first. */
function storedNow(entry: HostEntry, parts: KeyParts, decide: DecideCondition): StoredNow | undefined {
  const { site } = entry;
  const { scheme, target, rule } = parts;
  const bare = keyUnderRule(site.key, scheme, parts.host, target, rule?.rule);
  const bodyTag = (site.extras && bodyTagOf(site.rewriting, target, decide)) ?? '';
  const key = withContent(
    withGeneration(bare, generationOfTarget(entry, target), askedOfTarget(entry, target)),
    bodyTag,
    parts.variant === '' ? '' : shortVariant(parts.variant),
  );
  const bytes = rule?.rule.slice_bytes ?? 0;
  const isWhole = bytes === 0 || bodyTag !== '' || isAskedWhole(entry, target);
  const stored = storedUnder(isWhole ? key : keyOfFirstPart(key, bytes));
  if (stored === undefined) return undefined;
  if (stored === 'none') return { state: 'none', ageSeconds: 0, freshSeconds: 0, status: 0, vary: '' };
  const now = ngx.time();
  return {
    state: stored.freshUntil >= now ? 'fresh' : 'stale',
    ageSeconds: math.max(0, now - stored.bornAt),
    freshSeconds: stored.freshUntil - now,
    status: stored.status,
    vary: stored.vary,
  };
}

/** What rewriting adds to keys, as `throughRewriting` in `front.ts` has it. */
function bodyTagOf(rewriting: Rewriting | undefined, target: string, decide: DecideCondition): string {
  if (rewriting === undefined) return '';
  const tag = rewriting.body !== undefined && mayHoldText(pathOfTarget(target)) ? rewriting.bodyTag : '';
  if (rewriting.conditionTag === undefined) return tag;
  return `${tag} ${rewriting.conditionTag}${conditionDigits(rewriting, (condition) => (decide(condition) === 1 ? '1' : '0'))}`;
}

function banNow(site: Site, address: string): BanNow | undefined {
  const found = banOf(site, address);
  return found && { id: found.id, until: found.until, isNever: isNever(site, address) };
}

function usedNow({ key, limits }: Site, limit: CountedLimit, address: string): LimitNow | undefined {
  if (limits === undefined) return undefined;
  const visitor = visitorOf(address);
  if (limit === 'connections' || limit === 'connections_per_address') {
    const isOfAll = limit === 'connections';
    const max = isOfAll ? limits.connections : limits.connectionsPerAddress;
    if (max === undefined) return undefined;
    return { used: countOf(isOfAll ? key : `${key} ${visitor}`), max, waitSeconds: 0 };
  }
  const counted = limit === 'rate' ? limits.rate : limits.ratePerAddress;
  if (counted === undefined) return undefined;
  const name = limit === 'rate' ? counted.name : `${counted.name} ${visitor}`;
  const { used, max, wait } = usedOf(name, counted.rate);
  return { used, max, waitSeconds: wait === 0 ? 0 : retryAfterSeconds(wait) };
}

/** Every address that a request may be sent to, and how it is. */
function serversOf(site: Site, { scheme, port: visitorPort }: ExplainedRequest): LiveServer[] {
  const servers: LiveServer[] = [];
  for (const { ip, origin, checked } of peersOf(site)) {
    const port = originPort(site.origins, origin, originScheme(site.origins, scheme), visitorPort);
    servers.push({ address: `${ip}:${port}`, isDown: isDown(placeOf(site.key, ip, port), checked) });
  }
  return servers;
}
