import type { MatcherRule } from '@breakwater/contract';
import { printCondition } from '@breakwater/policy/conditions/text';
import { useText } from '../../i18n/text.ts';
import { verifyKindText } from '../verify-kind.text.ts';
import { siteMatcherText } from './matcher.text.ts';

/** A rule in a line: when, and what it does. */
export function MatcherSummary({ rule }: { rule: MatcherRule }) {
  const t = useText(siteMatcherText);
  const kinds = useText(verifyKindText);
  const when =
    rule.condition === undefined || rule.condition.items.length === 0
      ? t.everything
      : printCondition(rule.condition);
  const what = [
    t.actions[rule.action],
    rule.action === 'tag' ? rule.tag.name : '',
    rule.mode === 'observe' ? `(${t.modes.observe})` : '',
    rule.action === 'challenge' ? kinds[rule.challenge.kind] : '',
    rule.share < 100 ? `${rule.share}%` : '',
    rule.nodes < 100 ? t.ofNodes(rule.nodes) : '',
  ];
  return `${when} → ${what.filter(Boolean).join(' ')}`;
}
