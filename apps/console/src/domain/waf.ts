import { namedInNotes, type ProtectionAction, type RuleRef } from '@breakwater/contract';
import { useMemo } from 'react';
import { useText } from '../i18n/text.ts';
import { decisionText } from './decision.text.ts';
import { useDecisionName } from './decision.ts';

interface Rules {
  rule: RuleRef | null;
  waf_rules: (RuleRef | null)[];
}

/** What decided on a request of the log; of one that was only noted, what its first note names. */
export const judgementOf = (
  { decision, waf }: { decision: string; waf: string },
  { rule, waf_rules }: Rules,
): { decision: string; rule: RuleRef | null } =>
  decision === '' ? { decision: namedInNotes(waf)[0] ?? '', rule: waf_rules[0] ?? null } : { decision, rule };

/**
 * What protection did, in words: `matcher_rule 3=block; matcher_rule global 1=observe`, with the rule of each note. What is not known
 * stays as it is.
 */
export function useWafName(): (waf: string, rules: readonly (RuleRef | null)[]) => string {
  const t = useText(decisionText);
  const decisionName = useDecisionName();
  return useMemo(
    () => (waf, rules) =>
      waf
        .split('; ')
        .map((entry, index) => {
          const [rule = '', action = ''] = entry.split('=');
          const said = t.actions[action as ProtectionAction] ?? action;
          return rule === '' ? '' : `${decisionName(rule, rules[index])} → ${said}`;
        })
        .join('; '),
    [t, decisionName],
  );
}
