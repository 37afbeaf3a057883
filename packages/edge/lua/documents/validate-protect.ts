import type { KnownVulnerabilityDocument } from '@breakwater/contract/known-vulnerability';
import type { CaptchaAccountDocument, SiteDocument } from '@breakwater/contract/edge-document';
import type { GuardKeyPart, GuardMode, GuardRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import type { MatcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { vendorNames } from '@breakwater/policy/protect/captcha-page';
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
      optionalProblem(`${place}.ban`, rule.ban, { seconds: 'number', scope: 'string', place: 'string' }) ??
      (rule.action === 'ban' ? fieldProblem(`${place}.ban`, rule.ban, { seconds: 'number' }) : undefined) ??
      (rule.action === 'challenge' ? challengeProblem(place, rule) : undefined) ??
      (rule.action === 'delay'
        ? fieldProblem(`${place}.delay`, rule.delay, { milliseconds: 'number' })
        : undefined) ??
      (rule.action === 'list'
        ? fieldProblem(`${place}.list`, rule.list, { list_id: 'number', seconds: 'number' })
        : undefined) ??
      (rule.action === 'notify'
        ? fieldProblem(`${place}.notify`, rule.notify, { minutes: 'number' })
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
  captcha_account_id: 'number',
  external_fallback: 'string',
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
  bind_tls: 'boolean',
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

/** A vendor that this node does not know it could ask nothing. */
export function captchaAccountProblem(account: Partial<CaptchaAccountDocument>): string | undefined {
  const place = 'captcha_account';
  const bad =
    fieldProblem(place, account, {
      account_id: 'number',
      vendor: 'string',
      site_key: 'string',
      secret_key: 'string',
      verify_url: 'string',
      script_url: 'string',
      sources: 'table',
    }) ?? optionalProblem(place, account, { api_host: 'string', score_min: 'number' });
  if (bad !== undefined) return bad;
  const vendors: Record<string, string | undefined> = vendorNames;
  return vendors[account.vendor!] === undefined
    ? `${place}.vendor: this node does not know ${account.vendor!}`
    : undefined;
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

export function knownProblem(document: Partial<KnownVulnerabilityDocument>): string | undefined {
  const place = 'known_vulnerability';
  const problem = fieldProblem(place, document, { version: 'number', rules: 'table' });
  if (problem !== undefined) return problem;
  for (let index = 0; index < document.rules!.length; index++) {
    const rule = document.rules![index]!;
    const at = `${place}.rules.${index}`;
    const wrong =
      fieldProblem(at, rule, { id: 'string', certainty: 'string', conditions: 'table' }) ??
      optionalProblem(at, rule, { methods: 'table', path: 'string' });
    if (wrong !== undefined) return wrong;
    for (const condition of rule.conditions) {
      const unfit =
        fieldProblem(`${at}.conditions`, condition, { place: 'string' }) ??
        optionalProblem(`${at}.conditions`, condition, { name: 'string', value: 'string' });
      if (unfit !== undefined) return unfit;
      // One that this node cannot judge would be taken for one that holds.
      if (knownPlaces[condition.place] !== true) return `${at}: this node does not know ${condition.place}`;
    }
  }
  return undefined;
}
const knownPlaces: Record<string, boolean | undefined> = {
  query: true,
  header: true,
  cookie: true,
  body: true,
};

const guardFields: Fields = {
  mode: 'string',
  attack_until: 'string',
  rules: 'table',
  except_paths: 'table',
  exempt_addresses: 'table',
  exempt_robots: 'boolean',
  escalation: 'boolean',
  escalation_requests: 'number',
  escalation_url_requests: 'number',
  escalation_error_percent: 'number',
  escalation_slow_ms: 'number',
  escalation_origin_requests: 'number',
  quiet_seconds: 'number',
};
const guardRuleFields: Fields = {
  count: 'string',
  answers: 'table',
  key: 'table',
  requests: 'number',
  period_seconds: 'number',
  scope: 'string',
  action: 'string',
  challenge: 'string',
  ban_scope: 'string',
  hold_seconds: 'number',
  enabled: 'boolean',
};
const knownOf: Record<string, Record<string, true | undefined>> = {
  count: { requests: true, origin: true, answers: true },
  scope: { site: true, url: true },
};
const knownModes: Record<GuardMode, true> = {
  off: true,
  watch: true,
  normal: true,
  strict: true,
  under_attack: true,
};
const knownParts: Record<GuardKeyPart, true> = {
  address: true,
  network: true,
  header: true,
  cookie: true,
  argument: true,
  ja4: true,
};

/** What this node does not know it would count otherwise, or not at all. */
export function guardProblem(section: SiteDocument['cc_guardian_rule']): string | undefined {
  const place = 'cc_guardian_rule';
  const problem = optionalProblem(place, section, guardFields);
  if (problem !== undefined || section === undefined) return problem;
  const { mode, rules = [] } = section;
  if (mode !== undefined && !knownModes[mode]) return `${place}.mode: this node does not know ${mode}`;
  for (let index = 0; index < rules.length; index++) {
    const bad = guardRuleProblem(`${place}.rules.${index}`, rules[index]!);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function guardRuleProblem(place: string, rule: GuardRule): string | undefined {
  const bad =
    fieldProblem(place, rule, guardRuleFields) ??
    fieldProblem(`${place}.answers`, rule.answers, { statuses: 'table', misses: 'boolean' }) ??
    conditionProblem(`${place}.condition`, rule.condition, regexOptions);
  if (bad !== undefined) return bad;
  if (knownOf.count![rule.count] === undefined)
    return `${place}.count: this node does not know ${rule.count}`;
  if (knownOf.scope![rule.scope] === undefined)
    return `${place}.scope: this node does not know ${rule.scope}`;
  if (!isKind(rule.challenge)) return `${place}.challenge: this node does not know ${rule.challenge}`;
  for (const { part } of rule.key)
    if (!knownParts[part]) return `${place}.key: this node does not know ${part}`;
  return undefined;
}
