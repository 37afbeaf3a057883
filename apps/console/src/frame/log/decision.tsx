import type { RuleRef } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { ruleTarget, useDecisionName } from '../../domain/decision.ts';
import { TextLink } from '../../kit/router-link.tsx';

/** What refused a request, which leads to the rule where that is still there. */
export function Decision({ decision, rule }: { decision: string; rule: RuleRef | null }) {
  const name = useDecisionName()(decision, rule);
  const target = ruleTarget(rule, useAccount().role === 'admin');
  return target === undefined ? <>{name}</> : <TextLink target={target}>{name}</TextLink>;
}
