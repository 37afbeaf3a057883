import { bypassCache } from './bypass.ts';
import { cacheRuleCandidates, type PreparedRule } from '@breakwater/policy/cache/rule';
import { readTarget } from '@breakwater/policy/http/request-path';
import { tryRegex, verdictOf } from './facts.ts';
import { keyUnderRule } from './cache-key.ts';

/**
 * Cache rules that depend on more than the target, of sites that have any. Which rule applies is decided once, where the
 * visitor's request is; from there it goes on in `$edge_rule`, to the fetch server too, which sees another request.
 */
export interface ConditionalRules {
  rules: PreparedRule[];
  /** Of the site and of its levels. */
  version: string;
}

/** What one rule makes of a target; `rule` absent: none applies. */
export interface RuleChoice {
  rule: PreparedRule | undefined;
  mark: string;
  http: string;
  https: string;
}

export function conditionalRulesOf(rules: PreparedRule[], version: string): ConditionalRules | undefined {
  for (const rule of rules) if (rule.condition !== undefined) return { rules, version };
  return undefined;
}

/** The rules that may apply to a target, in their order; the last of them applies in any case. */
export function choicesOf(
  { rules, version }: ConditionalRules,
  siteKey: string,
  authority: string,
  target: string,
): RuleChoice[] {
  const choices: RuleChoice[] = [];
  const path = readTarget(target);
  const add = (rule: PreparedRule | undefined) => {
    const key = (scheme: string) => keyUnderRule(siteKey, scheme, authority, target, rule?.rule);
    choices.push({ rule, mark: markOf(version, rule), http: key('http'), https: key('https') });
  };
  let isOpen = true;
  for (const rule of cacheRuleCandidates(rules, path, matches)) {
    add(rule);
    isOpen = rule.condition !== undefined;
  }
  if (isOpen) add(undefined);
  return choices;
}

const markOf = (version: string, rule: PreparedRule | undefined): string =>
  `${version}${rule === undefined ? '-' : rule.index}`;

const matches = (subject: string, pattern: string, insensitive: boolean): boolean =>
  tryRegex(subject, pattern, insensitive) === true;

/** Which of the choices applies, noted for all that comes after. */
export function choose(choices: RuleChoice[]): RuleChoice {
  const variables = ngx.var;
  const noted = variables.edge_rule;
  if (noted !== '') {
    for (const choice of choices) if (choice.mark === noted) return choice;
    // Chosen among the rules that the site had a moment ago: it is kept by none of today's.
    return { ...choices[choices.length - 1]!, rule: undefined };
  }
  for (const choice of choices) {
    const condition = choice.rule?.condition;
    const verdict = condition === undefined ? 1 : verdictOf(condition);
    if (verdict === 0) continue;
    variables.edge_rule = choice.mark;
    // What cannot be decided is neither stored nor given from what is stored.
    if (verdict === -1 || choice.rule?.rule.action === 'bypass') {
      bypassCache();
    }
    return choice;
  }
  return choices[choices.length - 1]!;
}

/** In the fetch server: takes over what was decided for the visitor's request. */
export function takeRuleOver(): void {
  const variables = ngx.var;
  variables.edge_rule = variables.http_x_breakwater_rule ?? '-';
}
