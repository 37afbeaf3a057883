import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { ExplainedRequest, TraceStep } from '@breakwater/contract/explain';
import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import type { RequestStep, StepReason } from '@breakwater/contract/request-steps';
import { decideAccess, isUnder, type AccessLevel } from '../access/access.ts';
import { explainCors, explainLogin } from './login.ts';
import { explainGuard, explainMatchers, explainSystemRules, explainVerification } from './protect.ts';
import { explainAddress, explainBans, explainStatus } from './visitor.ts';
import { explainCache, explainCacheRule, explainKey, explainLimits } from './cache.ts';
import {
  explainErrorPages,
  explainOrigin,
  explainRequestHeaders,
  explainResponseBody,
  explainResponseHeaders,
} from './origin.ts';
import {
  addStep,
  fact,
  linesOf,
  noteLevel,
  requestFacts,
  rewriteRequest,
  signatureOf,
  suits,
  type ExplainedSite,
  type ExplainTools,
  type Trace,
} from './trace.ts';
import { prepareCondition, type PreparedCondition } from '../conditions/condition.ts';
import { pathForms } from '../http/path-forms.ts';
import { splitTarget } from '../http/path.ts';
import { judgeTarget } from '../http/request-path.ts';
import { decideRedirect, prepareRedirects } from '../rewrite/redirect.ts';
import { decideReferer } from '../access/referer.ts';
import { httpsLocation, isAcmeChallenge, isForced } from '../http/tls.ts';
import { prepareUrlRewrites, rewriteUrl } from '../rewrite/url.ts';

/**
 * What becomes of a request, in the order of `requestSteps` and decided by what decides in traffic. `site` absent: none
 * answers to the host.
 */
export function explain(
  request: ExplainedRequest,
  site: ExplainedSite | undefined,
  tools: ExplainTools,
): TraceStep[] {
  if (site === undefined) return unanswered('unknown_host');
  const trace: Trace = {
    site,
    request,
    tools,
    steps: [],
    isStopped: false,
    passesProtection: false,
    address: request.client_address ?? request.address,
    target: request.target,
    rule: undefined,
    keyParts: undefined,
    isBypass: false,
  };
  for (const [step, follow] of stepsInOrder) {
    if (trace.isStopped) addStep(trace, step, 'unreached');
    else follow(trace);
  }
  return trace.steps;
}

/** The trace of a host that no site answers to, or not the one that is asked about. */
export function unanswered(reason: StepReason): TraceStep[] {
  const steps: TraceStep[] = [];
  for (const [step] of stepsInOrder)
    steps.push(
      steps.length === 0
        ? { step, outcome: 'stopped', reason, facts: [] }
        : { step, outcome: 'unreached', facts: [] },
    );
  return steps;
}

const stepsInOrder: [step: RequestStep, follow: (this: void, trace: Trace) => void][] = [
  ['site', explainSite],
  ['listen_port', explainPort],
  ['client_address', explainAddress],
  ['status', explainStatus],
  ['bans', explainBans],
  ['client_certificate', explainCertificate],
  ['access_control', explainAccess],
  ['block_referer', explainReferer],
  ['signed_links', explainSignature],
  ['force_https', explainHttps],
  ['cors', explainCors],
  ['basic_auth', explainLogin],
  ['request_path', explainPath],
  ['matchers', explainMatchers],
  ['cc_guard', explainGuard],
  ['browser_verification', explainVerification],
  ['system_rules', explainSystemRules],
  ['redirects', explainRedirects],
  ['url_rewrites', explainRewrites],
  ['cache_rule', explainCacheRule],
  ['cache_key', explainKey],
  ['limits', explainLimits],
  ['cache', explainCache],
  ['request_headers', explainRequestHeaders],
  ['origin', explainOrigin],
  ['error_pages', explainErrorPages],
  ['response_body', explainResponseBody],
  ['response_headers', explainResponseHeaders],
];

function explainSite(trace: Trace): void {
  const { domain, document } = trace.site;
  addStep(trace, 'site', 'passed', 'found', [fact('domain', domain), fact('site_id', document.site_id)]);
}

function explainPort(trace: Trace): void {
  const { scheme, port } = trace.request;
  const own = trace.site.document.listen_port;
  const ports = (scheme === 'https' ? own?.https_ports : own?.http_ports) ?? [];
  let reason: StepReason = port === (scheme === 'https' ? 443 : 80) ? 'usual_port' : 'other_port';
  for (const each of ports) if (each === port) reason = 'own_port';
  addStep(trace, 'listen_port', 'passed', reason, [fact('port', port)]);
}

/** Whether the redirect to HTTPS stands, which is made after it is known who may come in. */
function isSentToHttps(trace: Trace): boolean {
  const { site, request } = trace;
  const force = site.document.certificate_settings.force_https;
  if (request.scheme === 'https' || force === undefined) return false;
  if (!isForced(force, request.host) || isAcmeChallenge(request.target)) return false;
  return suits(trace, force.condition && prepareCondition(force.condition), true);
}

function explainCertificate(trace: Trace): void {
  const { request, site } = trace;
  const wanted = site.document.certificate_settings.client_certificate;
  if (wanted === undefined || wanted.mode === 'off') {
    addStep(trace, 'client_certificate', 'off');
    return;
  }
  const isMissing = request.scheme === 'http' && wanted.mode === 'require' && !isSentToHttps(trace);
  const step =
    isMissing && !isAcmeChallenge(request.target)
      ? addStep(trace, 'client_certificate', 'stopped', 'certificate_missing')
      : addStep(
          trace,
          'client_certificate',
          'passed',
          request.scheme === 'http' ? undefined : 'certificate_wanted',
        );
  noteLevel(step, trace, 'certificate_settings', 'client_certificate');
}

/** Whether the path can be judged at all; it is, in all its readings, from here on. */
function explainPath(trace: Trace): void {
  const verdict = judgeTarget(trace.request.target);
  if (verdict === 'site') addStep(trace, 'request_path', 'passed');
  else if (verdict === 'own') addStep(trace, 'request_path', 'passed', 'own_page');
  else if (verdict === 'nobody')
    addStep(trace, 'request_path', 'stopped', 'path_of_nobody', [fact('status', 404)]);
  else addStep(trace, 'request_path', 'stopped', `path_${verdict}`, [fact('status', 400)]);
}

/** The edge's own pages, for whoever has a link to them. */
const isOwnTarget = ({ target }: ExplainedRequest): boolean => judgeTarget(target) === 'own';

/** For whom neither access rules nor referers count. */
function isLetThrough(request: ExplainedRequest): StepReason | undefined {
  if (isAcmeChallenge(request.target)) return 'acme_challenge';
  return isOwnTarget(request) ? 'own_page' : undefined;
}

function explainAccess(trace: Trace): void {
  const { request, site } = trace;
  const { access } = site;
  if (access === undefined) {
    addStep(trace, 'access_control', 'off');
    return;
  }
  const free = isLetThrough(request);
  if (free !== undefined) {
    addStep(trace, 'access_control', 'passed', free);
    return;
  }
  const agent = requestFacts(trace)('user_agent', '') as string | undefined;
  const { path } = splitTarget(signatureOf(trace)?.target ?? request.target);
  const { tryRegex, lookups } = trace.tools;
  const asked = { facts: requestFacts(trace), tryRegex, decidedBy: 0 };
  const { action, level, index } = decideAccess(
    access,
    { address: trace.address, method: request.method, path, agent, asked },
    lookups,
  );
  const facts = index < 0 ? [] : [fact('rule', index + 1)];
  const { rules, deny } = accessAt(site.document, level);
  const note = rules[index]?.note ?? '';
  if (note !== '') facts.push(fact('note', note));
  const isAllowed = action === 'allow';
  if (!isAllowed) facts.push(fact('status', deny.status));
  const byRule = isAllowed ? 'allowed_by_rule' : 'denied_by_rule';
  const otherwise = isAllowed ? 'allowed_otherwise' : 'denied_otherwise';
  const reason = index < 0 ? otherwise : byRule;
  const step = addStep(trace, 'access_control', isAllowed ? 'passed' : 'stopped', reason, facts);
  step.level = level;
}

/** What a level, or the site, says of who may come in. */
function accessAt(document: EffectiveSite, level: AccessLevel): Pick<AccessControl, 'rules' | 'deny'> {
  for (const each of document.access_levels ?? []) if (each.level === level) return each;
  return document.access_control ?? { rules: [], deny: { status: 403, body: '' } };
}

function explainReferer(trace: Trace): void {
  const { request, site } = trace;
  const settings = site.document.block_referer;
  if (settings === undefined || !settings.enabled) {
    addStep(trace, 'block_referer', 'off');
    return;
  }
  const free = isLetThrough(request);
  if (free !== undefined) {
    addStep(trace, 'block_referer', 'passed', free);
    return;
  }
  const reason = decideReferer(settings, {
    host: request.host,
    domains: site.document.domains,
    path: splitTarget(signatureOf(trace)?.target ?? request.target).path,
    referer: linesOf(request, 'referer').join(', '),
    origin: linesOf(request, 'origin').join(', '),
  });
  if (reason === 'none') {
    noteLevel(addStep(trace, 'block_referer', 'passed', 'referer_passes'), trace, 'block_referer', 'enabled');
    return;
  }
  const isSent = settings.action === 'redirect' && settings.redirect_url !== '';
  const step = addStep(trace, 'block_referer', 'stopped', `referer_${reason}` as StepReason, [
    isSent ? fact('location', settings.redirect_url) : fact('status', settings.status),
  ]);
  noteLevel(step, trace, 'block_referer', 'enabled');
}

function explainSignature(trace: Trace): void {
  const signature = signatureOf(trace);
  if (signature === undefined) {
    addStep(trace, 'signed_links', 'off');
    return;
  }
  const free = isLetThrough(trace.request);
  if (free !== undefined) {
    addStep(trace, 'signed_links', 'passed', free);
    return;
  }
  const { state, target } = signature;
  if (state === 'good') {
    trace.target = target;
    addStep(trace, 'signed_links', 'changed', 'signature_good', [fact('after', target)]);
    return;
  }
  const { signed_paths: only, unsigned_paths: except } = trace.site.document.access_control!;
  if (isUnder(only, except, pathForms(splitTarget(target).path), true))
    addStep(trace, 'signed_links', 'stopped', `signature_${state}`, [fact('status', 403)]);
  else addStep(trace, 'signed_links', 'passed', 'unsigned_path');
}

function explainHttps(trace: Trace): void {
  const { request, site } = trace;
  const force = site.document.certificate_settings.force_https;
  if (force === undefined || !isForced(force, request.host)) {
    addStep(trace, 'force_https', 'off');
    return;
  }
  const step = isSentToHttps(trace)
    ? addStep(trace, 'force_https', 'stopped', 'to_https', [
        fact('status', force.status),
        fact('location', httpsLocation(request.host, force.port, request.target)),
      ])
    : addStep(trace, 'force_https', 'passed', whyNotSent(request));
  noteLevel(step, trace, 'certificate_settings', 'force_https');
}

function whyNotSent({ scheme, target }: ExplainedRequest): StepReason {
  if (scheme === 'https') return 'already_https';
  return isAcmeChallenge(target) ? 'acme_challenge' : 'condition_unmet';
}

const isChallenge = ({ request }: Trace): boolean =>
  request.scheme === 'http' && isAcmeChallenge(request.target);

type Conditional = { condition?: PreparedCondition };

function explainRedirects(trace: Trace): void {
  if (isOwnTarget(trace.request)) {
    addStep(trace, 'redirects', 'stopped', 'own_page');
    return;
  }
  const redirects = prepareRedirects(trace.site.document.content_rewrite?.redirects ?? []);
  if (redirects.length === 0) {
    addStep(trace, 'redirects', 'off');
    return;
  }
  const holds = ({ condition }: Conditional): boolean => suits(trace, condition);
  const found = isChallenge(trace)
    ? undefined
    : decideRedirect(redirects, rewriteRequest(trace, trace.target), holds, trace.tools.find);
  if (found === undefined) {
    const passed = addStep(trace, 'redirects', 'passed', isChallenge(trace) ? 'acme_challenge' : 'no_rule');
    noteLevel(passed, trace, 'content_rewrite', 'redirects');
    return;
  }
  const step = addStep(trace, 'redirects', 'stopped', 'redirected', [
    fact('rule', found.index + 1),
    fact('status', found.status),
    fact('location', found.location),
  ]);
  noteLevel(step, trace, 'content_rewrite', 'redirects');
}

function explainRewrites(trace: Trace): void {
  const rewrites = prepareUrlRewrites(trace.site.document.content_rewrite?.url_rewrites ?? []);
  if (rewrites.length === 0) {
    addStep(trace, 'url_rewrites', 'off');
    return;
  }
  const before = trace.target;
  const holds = ({ condition }: Conditional): boolean => suits(trace, condition);
  const { target, indexes } = isChallenge(trace)
    ? { target: before, indexes: [] }
    : rewriteUrl(rewrites, rewriteRequest(trace, before), holds, trace.tools.find);
  trace.target = target;
  const isChanged = target !== before;
  const facts = isChanged ? [fact('before', before), fact('after', target)] : [];
  if (isChanged) for (const index of indexes) facts.push(fact('rule', index + 1));
  const step = isChanged
    ? addStep(trace, 'url_rewrites', 'changed', 'rewritten', facts)
    : addStep(trace, 'url_rewrites', 'passed', 'no_rule');
  noteLevel(step, trace, 'content_rewrite', 'url_rewrites');
}
