import type { MatcherRule } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { ConditionWords } from '../condition/condition-words.tsx';
import { verifyKindText } from '../verify-kind.text.ts';
import { siteMatcherText } from './matcher.text.ts';

/** A rule in a line: when, and what it does. */
export function MatcherSummary({ rule: { condition, ...rule } }: { rule: MatcherRule }) {
  const t = useText(siteMatcherText);
  const kinds = useText(verifyKindText);
  const ban = rule.ban.scope === 'platform' ? t.banSaid.platform : '';
  const detail = {
    tag: rule.tag.name,
    challenge: kinds[rule.challenge.kind],
    ban: [ban, rule.ban.place === 'kernel' ? t.banSaid.kernel : ''].filter(Boolean).join(t.comma),
  };
  const of = rule.action in detail ? detail[rule.action as keyof typeof detail] : '';
  const what = [
    of === '' ? t.actions[rule.action] : t.actionOf(t.actions[rule.action], of),
    rule.mode === 'observe' ? t.modes.observe : '',
    rule.share < 100 ? t.ofVisitors(rule.share) : '',
    rule.nodes < 100 ? t.ofNodes(rule.nodes) : '',
  ];
  return (
    <>
      {condition === undefined || condition.items.length === 0 ? (
        t.everything
      ) : (
        <ConditionWords condition={condition} />
      )}
      {` → ${what.filter(Boolean).join(t.comma)}`}
    </>
  );
}
