import type { SiteDocument } from '@breakwater/contract/edge-document';
import { regexOptions } from '../lib/regex.ts';
import { conditionProblem } from './condition-problem.ts';
import { fieldProblem, type Fields } from './field-problem.ts';

/** Of protection: what a request would break on. */

const matcherFields: Fields = {
  action: 'string',
  allow: 'table',
  block: 'table',
  tag: 'table',
  mode: 'string',
  share: 'number',
  enabled: 'boolean',
};
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
      fieldProblem(`${place}.allow`, rule.allow, { scope: 'string' }) ??
      fieldProblem(`${place}.block`, rule.block, blockFields) ??
      fieldProblem(`${place}.tag`, rule.tag, { name: 'string' }) ??
      conditionProblem(`${place}.condition`, rule.condition, regexOptions);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
