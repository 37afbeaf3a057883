import { bypassCache } from './bypass.ts';
import type { ContentOfRequest } from '@breakwater/policy/conditions/content-facts';
import { splitTarget } from '@breakwater/policy/http/path';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { judgeTarget } from '@breakwater/policy/http/request-path';
import { isClosedTo } from '@breakwater/policy/site/site-state';
import { challengeAnswer } from '../documents/acme-challenges.ts';
import { accessPage } from './access.ts';
import { cacheTarget } from './answer-headers.ts';
import { preflightPage } from './cors.ts';
import { withContent, withGeneration } from './cache-key.ts';
import { tooSlowPlace } from '../lib/content-rate.ts';
import { md5Hex } from '../lib/digest.ts';
import { nameRequest } from '../lib/request-id.ts';
import { pageBefore } from './guard.ts';
import { callPlace } from './grpc.ts';
import { pageOfLimit } from './limits.ts';
import { decideConditions, type Rewriting, type Rewritten } from './rewriting.ts';
import { isSampled } from './sample.ts';
import { drawSubmission } from './submission.ts';
import { planRequest, type CacheExtras, type CachePlan } from './cache-extras.ts';
import {
  askedOfTarget,
  generationOfTarget,
  entryAtPort,
  entryOf,
  isWhole,
  isKeyKnown,
  isBypassed,
  keyOf,
  rememberedRuleOf,
  rewrittenOf,
  type HostEntry,
} from '../site/host.ts';
import { banPage } from '../protect/bans.ts';
import { hasBans } from '../protect/ban-store.ts';
import type { Site } from '../site/site.ts';
import { loginPage } from './login.ts';
import { isTakenOffline } from './offline-page.ts';
import { hasShields } from '../hop/shields.ts';
import { isHeldBefore } from '../protect/delay.ts';
import { isContentWanted, readContent } from '../protect/asked-content.ts';
import { protectedPage } from '../protect/protect.ts';
import { placeOfPage } from '../protect/verify-challenge.ts';
import { isTold, tellFetchServer } from '../hop/told.ts';
import { ja4OfRequest } from '../tls/client-hello.ts';
import { tidyRequest } from './tidy-request.ts';
import { noteVisitor } from './visitor.ts';

const dot = 46;

/**
 * The visitor's request: finds the site and answers with the cache key, or with none when a page is shown instead.
 * It runs for every hit, in `set_by_lua`, which unlike the later phases starts no coroutine; so it reads and sets
 * the fewest variables that do.
 */
export function front(scheme: string): string {
  nameRequest();
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) {
    variables.edge_page = 'unknown_host';
    return '';
  }
  const site = entry.site;
  noteSite(site);
  const target = variables.request_uri!;
  // The second byte tells nearly every request that it is none.
  if (string.byte(target, 2) === dot && isAnsweredChallenge(entry.host, target)) return toOwnPage();
  if (site.addressRule !== undefined) noteVisitor(site.addressRule);
  if (entry.page !== undefined && !isOpenAfterAll(entry)) {
    variables.edge_page = entry.page;
    return '';
  }
  if (site.offlinePages !== undefined && isTakenOffline(site.offlinePages, entry.host, target)) return '';
  // What has a key was judged when it got it.
  const verdict = isKeyKnown(entry, scheme, target) ? 'site' : judgeTarget(target);
  const isOwn = verdict === 'own';
  if (hasBans() && !isOwn) {
    const page = banPage(site);
    if (page !== undefined) {
      variables.edge_page = page;
      return '';
    }
  }
  if (entry.guard !== undefined || (site.access !== undefined && !isOwn)) {
    const page = pageInTheWay(entry, scheme, isOwn);
    if (page !== undefined) {
      variables.edge_page = page;
      return '';
    }
  }
  if (verdict !== 'site') return isOwn ? toOwnPage() : refusePath(verdict);
  const asking = site.protection?.contentMatchers;
  if (asking !== undefined && isContentWanted(asking, site)) return toContent();
  return throughProtection(entry, scheme, target);
}

/** Rules want to know what the request carries, and here nothing can be read. */
function toContent(): string {
  const variables = ngx.var;
  // A page that nginx chose by itself, for a request in a loop, stays.
  if (variables.edge_page === '') {
    variables.edge_stage = '@asked_content';
    variables.edge_page = 'none';
  }
  return '';
}

/** In that place: what `front` left. */
export function frontWithContent(): void {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  const content = entry && readContent(entry.site);
  variables.edge_stage = '@page';
  variables.edge_page = '';
  if (entry === undefined) variables.edge_page = 'unknown_host';
  else if (content === undefined) ngx.exec(tooSlowPlace);
  else variables.cache_key = throughProtection(entry, variables.scheme!, variables.request_uri!, content);
  if (variables.edge_page === '') ngx.exec('@plain');
  else ngx.exit(421);
}

/** `content`: what the request carries, where it was read. */
function throughProtection(
  entry: HostEntry,
  scheme: string,
  target: string,
  content?: ContentOfRequest,
): string {
  const { protection } = entry.site;
  const page = protection && protectedPage(protection, content);
  if (page === undefined) return keyOfRequest(entry, scheme, target);
  const place =
    page === 'verify' && callPlace(entry.site) === undefined ? placeOfPage(entry.site) : undefined;
  if (place !== undefined) ngx.var.edge_stage = place;
  ngx.var.edge_page = page;
  return '';
}

/** What the cache is asked with by whom nothing stands in the way of; none: there is a page, or another address, for them. */
function keyOfRequest(held: HostEntry, scheme: string, asked: string): string {
  const variables = ngx.var;
  const { site } = held;
  const entry = held.ports === undefined ? held : entryAtPort(held, variables.server_port!);
  // Without the signature of a link that was signed.
  let target = site.access?.signing === undefined ? asked : cacheTarget();
  let bodyTag = '';
  if (site.rewriting !== undefined) {
    const rewritten = throughRewriting(entry, site.rewriting, scheme, target);
    if (rewritten === undefined) return '';
    target = rewritten.target;
    bodyTag =
      site.rewriting.conditionTag === undefined
        ? rewritten.bodyTag
        : withDecisions(site.rewriting, rewritten.bodyTag);
  }
  if (target !== asked) {
    const changed = judgeTarget(target);
    if (changed !== 'site') return refusePath(changed);
  }
  const key = keyOf(entry, scheme, target);
  tidyRequest(site.document);
  if (isBypassed(entry, key)) {
    bypassCache();
  }
  const current = withGeneration(key, generationOfTarget(entry, target), askedOfTarget(entry, target));
  const isInspected = site.protection !== undefined && isHeldBefore(site.protection);
  const isHeld = drawSubmission(site) || isInspected;
  const isDrawn = isSampled(site);
  if (site.isPlain && !isHeld && !isDrawn) return current;
  return toItsPlace({ entry, asked, target, key: current, bodyTag, isHeld, isDrawn });
}

/** A path that origins may read as another, or that is below the edge's own and no page of it: neither goes further. */
function refusePath(verdict: ReturnType<typeof judgeTarget>): string {
  const variables = ngx.var;
  variables.edge_decision = `request_path ${verdict}`;
  variables.edge_page = verdict === 'own' || verdict === 'nobody' ? 'no_own_page' : 'bad_path';
  return '';
}

/** Of a certificate that is obtained for the host: nothing of the site stands in its way. */
function isAnsweredChallenge(host: string, target: string): boolean {
  const method = ngx.var.request_method;
  return (
    (method === 'GET' || method === 'HEAD') &&
    isAcmeChallenge(target) &&
    challengeAnswer(host, target) !== undefined
  );
}

/** What is the edge's own is answered here, whatever the site. */
function toOwnPage(): string {
  const variables = ngx.var;
  // A page that nginx chose by itself, for a request in a loop, stays.
  if (variables.edge_page === '') {
    variables.edge_stage = '@own';
    variables.edge_page = 'none';
  }
  return '';
}

/** For the log. */
function noteSite({ siteId, clientId, orderId, logged, logsJa4 }: Site): void {
  const variables = ngx.var;
  variables.site_id = siteId;
  variables.client_id = clientId;
  variables.order_id = orderId;
  if (logged === undefined) return;
  variables.log_plain = '0';
  variables.log_some = logged;
  if (logsJa4) variables.edge_ja4 = ja4OfRequest() ?? '';
}

/** What the cache is asked for; nothing: the visitor is sent elsewhere. */
function throughRewriting(
  entry: HostEntry,
  rewriting: Rewriting,
  scheme: string,
  target: string,
): Rewritten | undefined {
  const variables = ngx.var;
  const rewritten = rewrittenOf(entry, rewriting, scheme, target);
  if (rewritten.redirect !== undefined) {
    variables.edge_location = rewritten.redirect;
    variables.edge_page = 'rule_redirect';
    return undefined;
  }
  if (rewritten.target !== target) variables.edge_target = rewritten.target;
  return rewritten;
}

/** What rewriting adds to the key where conditions decide on it. */
function withDecisions(rewriting: Rewriting, bodyTag: string): string {
  const digits = decideConditions(rewriting);
  ngx.var.edge_rewriting = digits;
  return `${bodyTag} ${rewriting.conditionTag!}${digits}`;
}

interface Placed {
  entry: HostEntry;
  /** The visitor's target, and what the cache is asked for. */
  asked: string;
  target: string;
  key: string;
  bodyTag: string;
  /** It waits, or its content is read first: to be judged, or since it is one of those that are searched. */
  isHeld: boolean;
  /** Its answer is one of those that are searched. */
  isDrawn: boolean;
}

/**
 * Where a request ends that does not go straight to the cache: among the places that its rule chooses, the one with the
 * site's own directives, and before it the ones where limits of content are asked and where content is judged.
 */
function toItsPlace({ entry, asked, target, key: current, bodyTag, isHeld, isDrawn }: Placed): string {
  const variables = ngx.var;
  if (isTold(entry.site)) tellFetchServer(entry.site);
  // A page that nginx chose by itself, for a request in a loop, stays.
  if (variables.edge_page !== '') return current;
  const { extras, limits, isDirected, siteId } = entry.site;
  const call = callPlace(entry.site);
  let key = current;
  let place = '@plain';
  if (extras !== undefined) {
    const plan = planned(entry, extras, target, bodyTag);
    place = plan.stage;
    key = withContent(key, bodyTag, plan.variant);
    if (key !== current && hasShields())
      variables.edge_variant = md5Hex(withContent('', bodyTag, plan.variant));
  }
  if (isDirected) place = `${place}_${siteId}`;
  else {
    if (place === '@cached' && target === asked && extras?.fetchServer === undefined) place = '@shaped';
    if (isDrawn || (limits !== undefined && limits.isPaced)) place = `${place}_paced`;
  }
  if (call !== undefined) place = call;
  else if (isHeld) {
    variables.edge_then = place;
    place = '@inspected_content';
  }
  if (limits !== undefined) {
    if (limits.bodyBytesMax !== undefined) {
      variables.edge_after = place;
      place = '@limited_content';
    } else {
      const refused = pageOfLimit(entry.site, limits);
      if (refused !== undefined) {
        variables.edge_stage = '@page';
        variables.edge_page = refused;
        return key;
      }
    }
  }
  variables.edge_stage = place;
  variables.edge_page = 'none';
  return key;
}

/** For a site that wants more than most: what is added to the key, and a place of its own for the request. */
function planned(entry: HostEntry, extras: CacheExtras, target: string, bodyTag: string): CachePlan {
  const plan = planRequest(extras, rememberedRuleOf(entry, target), bodyTag !== '' || isWhole(entry, target));
  if (plan.isBypass) {
    bypassCache();
  }
  return plan;
}

/** What stands before the site: TLS, who may come in, the redirect to HTTPS, and last a name and a password. */
function pageInTheWay({ guard, site, host }: HostEntry, scheme: string, isOwn: boolean): string | undefined {
  const before = guard === undefined ? undefined : pageBefore(guard, scheme);
  // Whoever has a link may see which address was refused.
  if (site.access === undefined || isOwn) return before;
  if (before !== undefined && before !== 'redirect') return before;
  const page = accessPage(site.access, host) ?? before;
  if (page !== undefined) return page;
  const { cors, login } = site.access;
  // Browsers ask it without a password.
  const preflight = cors && preflightPage(cors);
  if (preflight !== undefined || login === undefined) return preflight;
  // Not before the redirect to HTTPS: nobody is asked for a password over a plain connection that is to be left.
  return loginPage(login, site.key, splitTarget(cacheTarget()).path);
}

/** Under maintenance a site is open to some, and to all when its time is over. */
function isOpenAfterAll({ page, site }: HostEntry): boolean {
  return page === 'maintenance' && !isClosedTo(site.closing!, ngx.var.client_addr!, ngx.now());
}

/** At a port that some sites have beside the node's: the others are not there. */
export function frontAtExtraPort(scheme: string): string {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry !== undefined) {
    const wanted = entry.site.document.listen_port;
    const ports = scheme === 'https' ? wanted?.https_ports : wanted?.http_ports;
    const port = tonumber(variables.server_port);
    if (ports !== undefined) for (const each of ports) if (each === port) return front(scheme);
  }
  variables.edge_page = 'unknown_host';
  return '';
}
