import type { Condition } from '@breakwater/contract/condition';
import type { RequestRate } from '@breakwater/contract/site-config/site-security';
import type { StepReason } from '@breakwater/contract/request-steps';
import { cacheKey } from '../cache/key.ts';
import { cacheRuleCandidates, isUnderRule, prepareCacheRules, type PreparedRule } from '../cache/rule.ts';
import { cacheVariant, bypassingField, bypassesByCookie, type RequestFields } from '../cache/variant.ts';
import { evaluateCondition, prepareCondition } from '../conditions/condition.ts';
import { printCondition } from '../conditions/text.ts';
import {
  addStep,
  fact,
  linesOf,
  liveFact,
  noteLevel,
  requestFacts,
  suits,
  verdictOn,
  type CountedLimit,
  type Fact,
  type KeyParts,
  type Trace,
} from './trace.ts';
import { headProblem } from '../http/header-limits.ts';
import { readTarget } from '../http/request-path.ts';
import { lowerAscii, parseWhole } from '../lib/text.ts';

/** The steps between the visitor and the cache. */

export function explainCacheRule(trace: Trace): void {
  const rules = prepareCacheRules(trace.site.document.cache_rule);
  if (rules.length === 0) {
    addStep(trace, 'cache_rule', 'off');
    return;
  }
  const path = readTarget(trace.target);
  const matches = (subject: string, pattern: string, insensitive: boolean): boolean =>
    trace.tools.tryRegex(subject, pattern, insensitive) === true;
  for (const candidate of cacheRuleCandidates(rules, path, matches)) {
    const asked = { facts: requestFacts(trace), tryRegex: trace.tools.tryRegex, decidedBy: -1 };
    const verdict = candidate.condition === undefined ? 1 : evaluateCondition(candidate.condition, asked);
    if (verdict === 0) continue;
    chooseRule(trace, candidate, verdict === -1, asked.decidedBy);
    return;
  }
  const reason: StepReason = isUnderRule(rules, path, matches) ? 'path_unsure' : 'no_rule';
  const step = addStep(trace, 'cache_rule', 'passed', reason);
  noteCacheLevel(trace, step);
}

function chooseRule(trace: Trace, prepared: PreparedRule, isUndecided: boolean, decidedBy: number): void {
  const { rule, index } = prepared;
  trace.rule = prepared;
  trace.isBypass = isUndecided || rule.action === 'bypass';
  const facts = [fact('rule', index + 1), fact('matches', [rule.type, ...rule.content].join(' '))];
  if (rule.condition !== undefined) {
    facts.push(fact('condition', printCondition(rule.condition)));
    facts.push(fact('decided_by', decidedBy + 1));
  }
  if (rule.action === 'cache') facts.push(fact('ttl_seconds', rule.ttl_seconds));
  let reason: StepReason = rule.action === 'cache' ? 'rule' : 'rule_follows_origin';
  if (rule.action === 'bypass') reason = 'rule_bypass';
  if (isUndecided) reason = 'rule_undecided';
  noteCacheLevel(trace, addStep(trace, 'cache_rule', 'changed', reason, facts));
}

function noteCacheLevel({ site }: Trace, step: ReturnType<typeof addStep>): void {
  step.level = 'default';
  for (let index = site.layers.length - 1; index >= 0; index--)
    if (site.layers[index]!['cache_rule'] !== undefined) step.level = site.layerNames[index]!;
}

/** Where requests of this site have the visitor's port in their key. */
function authorityOf({ site, request }: Trace): string {
  const follows = site.document.origin_server_config.follow_port === true;
  return follows ? `${request.host}:${request.port}` : request.host;
}

export function explainKey(trace: Trace): void {
  const { request, site, rule, target } = trace;
  const special = rule?.rule;
  const cookie = requestFacts(trace)('header', 'cookie') as string | undefined;
  const parts: KeyParts = {
    scheme: request.scheme,
    host: authorityOf(trace),
    target,
    rule,
    variant: special === undefined ? '' : cacheVariant(special, fieldsOf(trace)),
  };
  const key = cacheKey(`${site.document.site_id}`, request.scheme, parts.host, target, special);
  const facts: Fact[] = [fact('key', key), fact('query', special?.query_policy ?? 'all')];
  if (parts.variant !== '') facts.push(fact('variant', parts.variant));
  const { generation } = trace.tools;
  if (generation !== undefined) facts.push(liveFact('generation', generation(parts)));
  trace.keyParts = parts;
  const passed = passedFieldOf(trace);
  let reason: StepReason = 'keyed';
  if (trace.isBypass) reason = 'bypass_rule';
  else if ((site.document.cache_settings?.development_until ?? 0) > request.time)
    reason = 'bypass_development';
  else if (special !== undefined && bypassesByCookie(special, cookie)) reason = 'bypass_cookie';
  else if (passed !== undefined) reason = 'bypass_field';
  else if (hasContent(trace)) reason = 'bypass_content';
  trace.isBypass = reason !== 'keyed';
  const step = addStep(trace, 'cache_key', 'changed', reason, facts);
  if (reason !== 'bypass_field') return;
  step.facts.push(fact('field', passed!));
  noteLevel(step, trace, 'real_ip', 'pass_headers');
}

/** The field that the origin gets as the visitor wrote it, where the rule does not keep answers apart by it. */
function passedFieldOf({ request, site, rule }: Trace): string | undefined {
  const passed = site.document.real_ip?.pass_headers ?? [];
  const fields: RequestFields = {};
  for (const name of passed) if (linesOf(request, name).length > 0) fields[name] = '';
  return bypassingField(passed, rule?.rule, fields);
}

function hasContent({ request }: Trace): boolean {
  if (linesOf(request, 'transfer-encoding').length > 0) return true;
  const length = linesOf(request, 'content-length');
  return length.length > 0 && length[0] !== '0';
}

function fieldsOf(trace: Trace): RequestFields {
  const facts = requestFacts(trace);
  const fields: RequestFields = {
    cookie: facts('header', 'cookie') as string | undefined,
    'user-agent': facts('user_agent', '') as string | undefined,
  };
  for (const name of trace.rule!.rule.key_headers ?? []) {
    const lines = linesOf(trace.request, name);
    if (lines.length > 0) fields[name] = lines.join('\n');
  }
  return fields;
}

export function explainLimits(trace: Trace): void {
  const limits = trace.site.document.security;
  if (limits === undefined) {
    addStep(trace, 'limits', 'off');
    return;
  }
  const facts: Fact[] = [];
  const max = isFor(trace, limits.body_condition) ? limits.body_bytes_max : undefined;
  const length = parseWhole(linesOf(trace.request, 'content-length')[0] ?? '');
  const isTooLarge = max !== undefined && length !== undefined && length > max;
  pushFigure(facts, 'url_bytes_max', limits.url_bytes_max);
  pushFigure(facts, 'header_lines_max', limits.header_lines_max);
  pushFigure(facts, 'header_line_bytes_max', limits.header_line_bytes_max);
  pushFigure(facts, 'header_bytes_max', limits.header_bytes_max);
  pushFigure(facts, 'body_bytes_max', max);
  pushRate(trace, facts, 'rate_per_address', limits.rate_per_address);
  pushRate(trace, facts, 'rate', limits.rate);
  if (isFor(trace, limits.connections_condition)) {
    pushFigure(facts, 'connections_per_address', limits.connections_per_address);
    pushUsed(trace, facts, 'connections_per_address');
    pushFigure(facts, 'connections', limits.connections);
    pushUsed(trace, facts, 'connections');
  }
  if (isFor(trace, limits.bandwidth_condition)) {
    pushFigure(facts, 'bandwidth', limits.bandwidth);
    pushFigure(facts, 'bandwidth_per_address', limits.bandwidth_per_address);
    pushFigure(facts, 'bandwidth_per_connection', limits.bandwidth_per_connection);
  }
  const head = headProblem(limits, trace.request.target, linesOfHead(trace));
  if (facts.length === 0) addStep(trace, 'limits', 'off');
  else if (isTooLarge) addStep(trace, 'limits', 'stopped', 'content_too_large', facts);
  else if (head !== undefined) addStep(trace, 'limits', 'stopped', head, facts);
  else addStep(trace, 'limits', 'passed', limits.rate_counts_hits ? 'counted' : 'counted_misses', facts);
}

/** As a node counts them; `Host` is a line too, where it is not said apart. */
function linesOfHead({ request }: Trace): number[] {
  const lines: number[] = [];
  let namesHost = false;
  for (const { name, value } of request.headers) {
    if (lowerAscii(name) === 'host') namesHost = true;
    lines.push(name.length + value.length);
  }
  if (!namesHost) lines.push(4 + request.host.length);
  return lines;
}

/** A limit is for what cannot be decided, too. */
const isFor = (trace: Trace, condition: Condition | undefined): boolean =>
  suits(trace, condition && prepareCondition(condition), true);

function pushFigure(facts: Fact[], name: string, figure: number | undefined): void {
  if (figure !== undefined) facts.push(fact('limit', `${name} ${figure}`));
}

function pushRate(trace: Trace, facts: Fact[], name: 'rate' | 'rate_per_address', rate: RequestRate): void {
  if (rate.requests === undefined || !isFor(trace, rate.condition)) return;
  facts.push(fact('limit', `${name} ${rate.requests} / ${rate.period_seconds} s + ${rate.burst}`));
  pushUsed(trace, facts, name);
}

function pushUsed({ tools, address }: Trace, facts: Fact[], name: CountedLimit): void {
  const now = tools.used === undefined ? undefined : tools.used(name, address);
  if (now === undefined) return;
  facts.push(liveFact('used', `${name} ${now.used} / ${now.max}`));
  if (now.waitSeconds > 0) facts.push(liveFact('wait_seconds', now.waitSeconds));
}

export function explainCache(trace: Trace): void {
  const { method } = trace.request;
  if (trace.isBypass) addStep(trace, 'cache', 'passed', 'bypass');
  else if (method !== 'GET' && method !== 'HEAD') addStep(trace, 'cache', 'passed', 'other_method');
  else addStep(trace, 'cache', 'passed', 'looked_up', storedNow(trace));
}

/** What a node has of it at this moment. */
function storedNow(trace: Trace): Fact[] {
  const { tools, keyParts } = trace;
  const now =
    tools.stored === undefined || keyParts === undefined
      ? undefined
      : tools.stored(keyParts, (condition) => verdictOn(trace, condition));
  if (now === undefined) return [];
  const facts = [liveFact('stored', now.state)];
  if (now.state === 'none') return facts;
  facts.push(liveFact('status', now.status));
  facts.push(liveFact('age_seconds', now.ageSeconds));
  facts.push(liveFact(now.state === 'fresh' ? 'fresh_seconds' : 'stale_seconds', Math.abs(now.freshSeconds)));
  if (now.vary !== '') facts.push(liveFact('vary', now.vary));
  return facts;
}
