import type { SiteDocument } from '@breakwater/contract/edge-document';
import type { ExplainedRequest, RequestTrace, TraceStep } from '@breakwater/contract/explain';
import { explain, unanswered } from '@breakwater/policy/explain';
import { explainedSiteOf, type LiveServer } from '@breakwater/policy/explain-trace';
import { documentsBeside } from '@breakwater/policy/level-keys';
import { originPort, originScheme } from '@breakwater/policy/origin';
import { isListed } from './address-lists.ts';
import { hmacHex, md5Hex } from './digest.ts';
import { tryRegex } from './facts.ts';
import { generationOf } from './generations.ts';
import { isDown, placeOf } from './health.ts';
import { placeOf as placeOfAddress } from './ip-places.ts';
import { decodeJson } from './json.ts';
import { peersOf } from './peers.ts';
import { findRegex } from './regex.ts';
import { bucketOfTarget, entryAtPort, entryOf, type Site } from './site.ts';
import { levelsOf } from './site-levels.ts';
import { domainOf } from './status-page.ts';
import * as store from './store.ts';

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
  const atPort = entryAtPort(entry, `${request.port}`);
  trace.steps = stepsOf(site, request, (target) => generationOf(bucketOfTarget(atPort, target)));
  return trace;
}

function ownDocument(site: Site): SiteDocument {
  const [decoded] = decodeJson(store.bodyOf('site', site.key)!);
  return decoded as SiteDocument;
}

function stepsOf(
  site: Site,
  request: ExplainedRequest,
  generation: (this: void, target: string) => number,
): TraceStep[] {
  const own = ownDocument(site);
  const explained = explainedSiteOf(own, levelsOf(own), domainOf(request.host)!);
  explained.access = site.access?.rules;
  return explain(request, explained, {
    find: findRegex,
    tryRegex,
    md5Hex,
    hmacHex,
    lookups: { isListed, placeOf: placeOfAddress },
    servers: () => serversOf(site, request),
    generation: ({ target }) => generation(target),
  });
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
