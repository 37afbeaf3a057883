import type { ProtectionAction } from '@breakwater/contract';
import { useMemo } from 'react';
import { useText } from '../i18n/text.ts';
import { decisionText } from './decision.text.ts';
import { useDecisionName } from './decision.ts';

/** What protection did, in words: `matcher_rule 3=block; matcher_rule global 1=observe`. What is not known stays as it is. */
export function useWafName(): (waf: string) => string {
  const t = useText(decisionText);
  const decisionName = useDecisionName();
  return useMemo(
    () => (waf) =>
      waf
        .split('; ')
        .map((entry) => {
          const [rule = '', action = ''] = entry.split('=');
          const said = t.actions[action as ProtectionAction] ?? action;
          return rule === '' ? '' : `${decisionName(rule)} → ${said}`;
        })
        .join('; '),
    [t, decisionName],
  );
}
