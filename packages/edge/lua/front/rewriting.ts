import { bypassCache } from './bypass.ts';
import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { BodyRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { prepareCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { printCondition } from '@breakwater/policy/conditions/text';
import { bodyRulesText, hasBodyRules, mayHoldText } from '@breakwater/policy/rewrite/body';
import { prepareHeaderRules, type PreparedHeaderRule } from '@breakwater/policy/rewrite/header-rule';
import {
  decideRedirect,
  prepareRedirects,
  usesPort,
  type PreparedRedirect,
} from '@breakwater/policy/rewrite/redirect';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import type { RewriteRequest } from '@breakwater/policy/rewrite/template';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { prepareUrlRewrites, rewriteUrl, type PreparedUrlRewrite } from '@breakwater/policy/rewrite/url';
import { toHex } from '../lib/digest.ts';
import { verdictOf } from './facts.ts';
import { findRegex } from '../lib/regex.ts';

/** What a site changes of requests and answers, made ready. A site that changes nothing has none, and runs none of this. */
export interface Rewriting {
  redirects: PreparedRedirect[];
  urlRewrites: PreparedUrlRewrite[];
  /** Redirects that look at the visitor's port. */
  usesPort: boolean;
  requestHeaders: PreparedHeaderRule[];
  responseHeaders: PreparedHeaderRule[];
  body: BodyRewrite | undefined;
  /** In the keys of what `body` changes: with other rules, what was stored is not found. */
  bodyTag: string;
  bodyCondition: PreparedCondition | undefined;
  /** Of the conditions on what origins are sent and on content, in the keys beside how they were decided; absent: none. */
  conditionTag: string | undefined;
}

/** What was decided for a target. Nothing in it depends on who asks, unless `isPersonal`. */
export interface Rewritten {
  /** Status and address; absent: the request goes on. */
  redirect: string | undefined;
  target: string;
  /** The answer's content may be changed. */
  bodyTag: string;
  isPersonal: boolean;
}

export function rewritingOf({
  content_rewrite: config,
}: Pick<EffectiveSite, 'content_rewrite'>): Rewriting | undefined {
  if (config === undefined) return undefined;
  const redirects = prepareRedirects(config.redirects);
  const body = hasBodyRules(config.body) ? config.body : undefined;
  const requestHeaders = prepareHeaderRules(config.request_headers);
  const rewriting: Rewriting = {
    redirects,
    urlRewrites: prepareUrlRewrites(config.url_rewrites),
    usesPort: usesPort(redirects),
    requestHeaders,
    responseHeaders: prepareHeaderRules(config.response_headers),
    body,
    bodyTag: body === undefined ? '' : `b${shortDigest(bodyRulesText(body))}`,
    bodyCondition: body?.condition && prepareCondition(body.condition),
    conditionTag: conditionTagOf(requestHeaders, body),
  };
  // Of what is inherited, a site can set everything to nothing.
  return redirects.length > 0 || changesAnswers(rewriting) ? rewriting : undefined;
}

const shortDigest = (text: string): string => toHex(ngx.md5_bin(text)).substring(0, 12);

function conditionTagOf(rules: PreparedHeaderRule[], body: BodyRewrite | undefined): string | undefined {
  const texts: string[] = [];
  for (const { rule } of rules)
    if (rule.condition !== undefined)
      texts.push(
        `${printCondition(rule.condition)} ${rule.action} ${rule.name} ${rule.pattern} ${rule.value}`,
      );
  if (body?.condition !== undefined) texts.push(printCondition(body.condition));
  return texts.length === 0 ? undefined : `r${shortDigest(texts.join('\n'))}`;
}

/**
 * How the conditions are decided on which an answer depends: a digit for each rule of request headers that has one, and
 * one for the content. It goes to the fetch server, which sees another request, and is in the key.
 */
export const decideConditions = (rewriting: Rewriting): string => conditionDigits(rewriting, digitInTraffic);

export function conditionDigits(
  { requestHeaders, bodyCondition }: Rewriting,
  digitOf: (this: void, condition: PreparedCondition) => string,
): string {
  let digits = '';
  for (const { condition } of requestHeaders) if (condition !== undefined) digits += digitOf(condition);
  return bodyCondition === undefined ? digits : digits + digitOf(bodyCondition);
}

/** What cannot be decided is not stored, nor given from what is stored. */
function digitInTraffic(condition: PreparedCondition): string {
  const verdict = verdictOf(condition);
  if (verdict === -1) {
    bypassCache();
  }
  return verdict === 1 ? '1' : '0';
}

/** Whether requests need more than to be sent elsewhere. */
export function changesAnswers(rewriting: Rewriting | undefined): boolean {
  if (rewriting === undefined) return false;
  const { urlRewrites, requestHeaders, responseHeaders, body } = rewriting;
  return urlRewrites.length + requestHeaders.length + responseHeaders.length > 0 || body !== undefined;
}

let wasAsked = false;

/** A rule whose condition cannot be decided does not apply. */
function holds({ condition }: { condition?: PreparedCondition }): boolean {
  if (condition === undefined) return true;
  wasAsked = true;
  return verdictOf(condition) === 1;
}

/** Where a request is sent, or what it asks the cache and the origin for. */
export function decideRewriting(
  rewriting: Rewriting,
  scheme: string,
  host: string,
  target: string,
): Rewritten {
  const rewritten: Rewritten = { redirect: undefined, target, bodyTag: '', isPersonal: rewriting.usesPort };
  // Whoever issues certificates has to reach whatever answers for this host.
  if (scheme === 'http' && isAcmeChallenge(target)) return rewritten;
  const request = visitorRequest(scheme, host, target);
  wasAsked = false;
  for (const { isPersonal } of rewriting.redirects) if (isPersonal) rewritten.isPersonal = true;
  for (const { isPersonal } of rewriting.urlRewrites) if (isPersonal) rewritten.isPersonal = true;
  const redirect = decideRedirect(rewriting.redirects, request, holds, findRegex);
  if (redirect !== undefined) {
    rewritten.redirect = `${redirect.status} ${redirect.location}`;
    if (wasAsked) rewritten.isPersonal = true;
    return rewritten;
  }
  rewritten.target = rewriteUrl(rewriting.urlRewrites, request, holds, findRegex).target;
  if (rewriting.body !== undefined && mayHoldText(pathOfTarget(rewritten.target)))
    rewritten.bodyTag = rewriting.bodyTag;
  if (wasAsked) rewritten.isPersonal = true;
  return rewritten;
}

function visitorRequest(scheme: string, host: string, target: string): RewriteRequest {
  const variables = ngx.var;
  return {
    scheme,
    host,
    port: variables.server_port!,
    target,
    method: variables.request_method!,
    clientIp: variables.client_addr!,
    requestId: variables.edge_request_id!,
  };
}

/** Answers with the redirect that `front` found. */
export function sendRedirect(): void {
  const [status, location] = string.match(ngx.var.edge_location!, '^(%d+) (.*)$');
  ngx.status = tonumber(status)!;
  ngx.header.Location = location;
  ngx.header['Content-Type'] = 'text/plain; charset=utf-8';
  ngx.print(`${location!}\n`);
}
