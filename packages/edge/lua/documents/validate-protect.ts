import type { SiteDocument } from '@breakwater/contract/edge-document';
import type { MatcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { isKind } from '@breakwater/policy/protect/verify';
import { regexOptions } from '../lib/regex.ts';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, optionalProblem, type Fields } from './field-problem.ts';

/** Of protection: what a request would break on. */

const matcherFields: Fields = {
  action: 'string',
  allow: 'table',
  block: 'table',
  redirect: 'table',
  limit: 'table',
  tag: 'table',
  mode: 'string',
  share: 'number',
  enabled: 'boolean',
};
const limitFields: Fields = { requests: 'number', period_seconds: 'number', burst: 'number', key: 'string' };
const blockFields: Fields = { kind: 'string', status: 'number', body: 'string' };

export function matcherRuleProblem(section: SiteDocument['matcher_rule']): string | undefined {
  if (section === undefined) return undefined;
  const problem = fieldProblem('matcher_rule', section, { rules: 'table' });
  if (problem !== undefined) return problem;
  for (let index = 0; index < section.rules.length; index++) {
    const place = `matcher_rule.rules.${index}`;
    const rule = section.rules[index]!;
    const bad =
      fieldProblem(place, rule, matcherFields) ??
      optionalProblem(place, rule, { nodes: 'number' }) ??
      fieldProblem(`${place}.allow`, rule.allow, { scope: 'string' }) ??
      fieldProblem(`${place}.block`, rule.block, blockFields) ??
      optionalProblem(`${place}.ban`, rule.ban, { seconds: 'number', scope: 'string' }) ??
      (rule.action === 'ban' ? fieldProblem(`${place}.ban`, rule.ban, { seconds: 'number' }) : undefined) ??
      (rule.action === 'challenge' ? challengeProblem(place, rule) : undefined) ??
      (rule.action === 'delay'
        ? fieldProblem(`${place}.delay`, rule.delay, { milliseconds: 'number' })
        : undefined) ??
      fieldProblem(`${place}.redirect`, rule.redirect, { url: 'string', status: 'number' }) ??
      fieldProblem(`${place}.limit`, rule.limit, limitFields) ??
      fieldProblem(`${place}.tag`, rule.tag, { name: 'string' }) ??
      conditionProblem(`${place}.condition`, rule.condition, regexOptions);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function challengeProblem(place: string, { challenge }: MatcherRule): string | undefined {
  const problem = fieldProblem(`${place}.challenge`, challenge, { kind: 'string' });
  if (problem !== undefined) return problem;
  const { kind } = challenge;
  return isKind(kind) ? undefined : `${place}.challenge.kind: this node does not know ${kind}`;
}

const verifyFields: Fields = {
  enabled: 'boolean',
  kind: 'string',
  only_paths: 'table',
  except_paths: 'table',
  exempt_addresses: 'table',
  address_lists: 'table',
  exempt_robots: 'boolean',
  status: 'number',
  difficulty: 'number',
  delay_seconds: 'number',
  pass_seconds: 'number',
  pass_requests: 'number',
  address_bits_v4: 'number',
  address_bits_v6: 'number',
  strict: 'boolean',
  wrong_answers_max: 'number',
  title: 'string',
  text: 'string',
  color: 'string',
};

export function browserVerifyProblem(section: SiteDocument['browser_verify_rule']): string | undefined {
  const place = 'browser_verify_rule';
  const problem =
    optionalProblem(place, section, verifyFields) ??
    conditionProblem(`${place}.condition`, section?.condition, regexOptions);
  if (problem !== undefined) return problem;
  const kind = section?.kind;
  return kind === undefined || isKind(kind) ? undefined : `${place}.kind: this node does not know ${kind}`;
}

const systemRuleFields: Fields = {
  mode: 'string',
  body_bytes: 'number',
  large_bodies: 'string',
  exceptions: 'table',
  fields: 'table',
};

export const systemRuleProblem = (section: SiteDocument['used_system_rule']): string | undefined =>
  optionalProblem('used_system_rule', section, systemRuleFields);
