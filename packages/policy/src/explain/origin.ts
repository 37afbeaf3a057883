import type { TraceStep } from '@breakwater/contract/explain';
import type { BodyRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { hasBodyRules, mayHoldText } from '../rewrite/body.ts';
import { prepareCondition } from '../conditions/condition.ts';
import { chooseErrorPage } from '../site/error-page.ts';
import {
  addStep,
  fact,
  linesOf,
  liveFact,
  noteLevel,
  rewriteRequest,
  suits,
  type Fact,
  type Trace,
} from './trace.ts';
import { changedLines, prepareHeaderRules } from '../rewrite/header-rule.ts';
import { completeOriginConfig, originHost, originPort, originScheme } from '../origin/origin.ts';
import { pathOfTarget } from '../http/request-path.ts';
import { isRemoved } from '../http/visitor-fields.ts';

/** The steps to the origin and back. What the origin will answer is not known, so these say what is prepared. */

/** As the origin gets them without a rule: cookies of several lines as one. */
function passedLines({ request }: Trace, name: string): string[] {
  const lines = linesOf(request, name);
  return name === 'cookie' && lines.length > 1 ? [lines.join('; ')] : lines;
}

/** `- X-A: 1` was there and is not any more, `+ X-A: 2` is there now. */
export function explainRequestHeaders(trace: Trace): void {
  const rules = prepareHeaderRules(trace.site.document.content_rewrite?.request_headers ?? []);
  if (rules.length === 0) {
    addStep(trace, 'request_headers', 'off');
    return;
  }
  const request = rewriteRequest(trace, trace.target);
  const passed = trace.site.document.real_ip?.pass_headers ?? [];
  const now: Record<string, string[]> = {};
  const facts: Fact[] = [];
  for (const rule of rules) {
    if (!suits(trace, rule.condition)) continue;
    const before = now[rule.name] ?? (isRemoved(rule.name, passed) ? [] : passedLines(trace, rule.name));
    const after = changedLines(rule, before, request, trace.tools.find);
    now[rule.name] = after;
    if (after.join('\n') === before.join('\n')) continue;
    facts.push(fact('rule', rule.index + 1));
    for (const line of before) facts.push(fact('header', `- ${rule.rule.name}: ${line}`));
    for (const line of after) facts.push(fact('header', `+ ${rule.rule.name}: ${line}`));
  }
  const step =
    facts.length === 0
      ? addStep(trace, 'request_headers', 'passed', 'no_rule')
      : addStep(trace, 'request_headers', 'changed', 'headers_changed', facts);
  noteLevel(step, trace, 'content_rewrite', 'request_headers');
}

export function explainOrigin(trace: Trace): void {
  const { request, site, tools } = trace;
  const config = completeOriginConfig(site.document.origin_server_config);
  const scheme = originScheme(config, request.scheme);
  const storage = config.object_storage;
  const facts: Fact[] = [fact('scheme', scheme), fact('method', config.method)];
  if (storage === undefined) facts.push(fact('host', originHost(config, request.host)));
  let count = 0;
  for (const origin of config.origins) {
    if (origin.state === 'down') continue;
    count += 1;
    const port = originPort(config, origin, scheme, request.port);
    facts.push(fact('origin', `${origin.address}:${port} ${origin.state} ${origin.weight}`));
  }
  if (tools.servers !== undefined)
    for (const { address, isDown } of tools.servers())
      facts.push(liveFact('server', `${address} ${isDown ? 'out' : 'in'}`));
  if (count === 0) addStep(trace, 'origin', 'stopped', 'no_origin', facts);
  else addStep(trace, 'origin', 'changed', 'chosen', facts);
}

/** Which page stands in for which errors at this address. */
export function explainErrorPages(trace: Trace): void {
  const pages = trace.site.document.advanced_config?.error_pages ?? [];
  const path = pathOfTarget(trace.target);
  const isSuited = (index: number): boolean => suits(trace, prepareCondition(pages[index]!.condition!));
  const statuses: string[][] = [];
  for (let index = 0; index < pages.length; index++) statuses.push([]);
  for (let status = 400; status < 600; status++) {
    const index = chooseErrorPage(pages, status, path, isSuited);
    if (index >= 0) statuses[index]!.push(`${status}`);
  }
  const facts: Fact[] = [];
  for (let index = 0; index < pages.length; index++) {
    if (statuses[index]!.length === 0) continue;
    facts.push(fact('rule', index + 1));
    facts.push(fact('matches', pages[index]!.statuses.join(' ')));
  }
  if (facts.length === 0) {
    addStep(
      trace,
      'error_pages',
      pages.length === 0 ? 'off' : 'passed',
      pages.length === 0 ? undefined : 'no_rule',
    );
    return;
  }
  const step = addStep(trace, 'error_pages', 'passed', 'pages_ready', facts);
  noteLevel(step, trace, 'advanced_config', 'error_pages');
}

export function explainResponseBody(trace: Trace): void {
  const body = trace.site.document.content_rewrite?.body;
  if (body === undefined || !hasBodyRules(body)) {
    addStep(trace, 'response_body', 'off');
    return;
  }
  noteLevel(bodyStep(trace, body), trace, 'content_rewrite', 'body');
}

function bodyStep(trace: Trace, { condition, content_types: types }: BodyRewrite): TraceStep {
  if (!mayHoldText(pathOfTarget(trace.target))) return addStep(trace, 'response_body', 'passed', 'no_rule');
  if (!suits(trace, condition && prepareCondition(condition)))
    return addStep(trace, 'response_body', 'passed', 'condition_unmet');
  return addStep(trace, 'response_body', 'changed', 'body_changed', [fact('matches', types.join(' '))]);
}

export function explainResponseHeaders(trace: Trace): void {
  const rules = prepareHeaderRules(trace.site.document.content_rewrite?.response_headers ?? []);
  if (rules.length === 0) {
    addStep(trace, 'response_headers', 'off');
    return;
  }
  const request = rewriteRequest(trace, trace.request.target);
  const facts: Fact[] = [];
  for (const rule of rules) {
    if (!suits(trace, rule.condition)) continue;
    const { action, name, pattern } = rule.rule;
    facts.push(fact('rule', rule.index + 1));
    if (action === 'remove') facts.push(fact('header', `- ${name}`));
    else if (action === 'replace') facts.push(fact('header', `~ ${name}: ${pattern} -> ${rule.rule.value}`));
    else
      for (const line of changedLines(rule, [], request, trace.tools.find))
        facts.push(fact('header', `+ ${name}: ${line}`));
  }
  const step =
    facts.length === 0
      ? addStep(trace, 'response_headers', 'passed', 'no_rule')
      : addStep(trace, 'response_headers', 'changed', 'headers_changed', facts);
  noteLevel(step, trace, 'content_rewrite', 'response_headers');
}
