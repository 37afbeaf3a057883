import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { BlockAnswer } from '@breakwater/contract/site-config/protection';
import type { Asked } from '@breakwater/policy/conditions/condition';
import { splitTarget } from '@breakwater/policy/http/path';
import {
  decideMatchers,
  decidingLeaf,
  nameOfMatcher,
  prepareMatchers,
  type MatcherFit,
  type PreparedMatcher,
  type PreparedMatchers,
} from '@breakwater/policy/protect/matchers';
import { askedOfRequest } from '../front/facts.ts';
import { visitorOf } from '../front/visitor.ts';
import { noteProtection, noteRefusal, noteTag, partOfRequest } from './note.ts';
import type { Passing, Protection } from './protect.ts';

const section = 'matcher_rule';

export const matchersOf = (document: EffectiveSite): PreparedMatchers | undefined =>
  prepareMatchers(document);

export function matchersPage({ matchers }: Protection, passing: Passing): string | undefined {
  if (matchers === undefined) return undefined;
  const variables = ngx.var;
  const asked = askedOfRequest();
  const request = {
    path: splitTarget(variables.request_uri!).path,
    asked,
    now: ngx.time(),
    visitor: visitorOf(variables.client_addr!),
  };
  const last = decideMatchers(matchers, request, (fit) => noteFit(fit, asked));
  if (last === undefined) return undefined;
  if (last.action === 'allow') {
    passing.passesAll = last.matcher.rule.allow.scope === 'all';
    return undefined;
  }
  return 'blocked';
}

function noteFit({ matcher, action }: MatcherFit, asked: Asked): void {
  const note = action === 'block' ? noteRefusal : noteProtection;
  note(section, nameOfMatcher(matcher), action, partThatFitted(matcher, asked));
  if (action === 'tag') noteTag(matcher.rule.tag.name);
}

/** What the test looked at that decided. */
function partThatFitted({ condition }: PreparedMatcher, asked: Asked): string | undefined {
  const leaf = condition && decidingLeaf(condition.plain, asked.decidedBy);
  if (leaf === undefined) return undefined;
  const fact = asked.facts(leaf.field, leaf.name);
  const text = type(fact) === 'table' ? table.concat(fact as string[], ' ') : tostring(fact ?? '');
  return partOfRequest(leaf.field, leaf.name, text);
}

/** What the one gets whom the rule of a decision blocked: `matcher_rule 3`. A rule that is gone meanwhile has no answer. */
export function matcherAnswer(matchers: PreparedMatchers, decision: string): BlockAnswer | undefined {
  for (const matcher of matchers)
    if (decision === `${section} ${nameOfMatcher(matcher)}`) return matcher.rule.block;
  return undefined;
}
