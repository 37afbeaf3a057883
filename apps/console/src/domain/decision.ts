import {
  refusalOf,
  refusingSections,
  type AttackKind,
  type RefusingSection,
  type RuleRef,
} from '@breakwater/contract';
import { useMemo } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { to, type Target } from '../kit/links.ts';
import { decisionText } from './decision.text.ts';
import { detectorText } from './detector.text.ts';
import { sayRule, type NamedRule } from './say-rule.ts';

const isSection = (word: string): word is RefusingSection =>
  (refusingSections as readonly string[]).includes(word);

/**
 * A decision in words: `access_control global 2` is “Access control · global · Office”, or “… · Block /admin/” where the rule has
 * no name; without the rule it is told where it stands. What is not known stays as it is.
 */
export function useDecisionName(): (decision: string, rule?: NamedRule | null) => string {
  const language = useLanguage();
  const t = useText(decisionText);
  const { detectors, unread, leak_unread } = useText(detectorText);
  return useMemo(
    () => (decision, rule) => {
      const [section = '', ...rest] = decision.split(' ');
      const attacks: Record<string, string> =
        section === 'used_system_rule' ? { ...detectors, unread, leak_unread } : {};
      const words = rest.map((word) =>
        /^\d+$/.test(word)
          ? (rule && sayRule(rule, language)) || t.rule(Number(word))
          : (attacks[word] ?? t.levels[word] ?? t.reasons[word] ?? word),
      );
      return [isSection(section) ? t.sections[section] : section, ...words].join(' · ');
    },
    [t, detectors, unread, leak_unread, language],
  );
}

/** A kind of attacks in words: the section, of attack detection the group. */
export function useAttackKindName(): (kind: AttackKind) => string {
  const { sections } = useText(decisionText);
  const { groups, unread } = useText(detectorText);
  return useMemo(
    () => (kind) => {
      const [section = '', group = ''] = kind.split(' ');
      if (group === 'unread') return unread;
      return (groups as Record<string, string>)[group] ?? (isSection(section) ? sections[section] : kind);
    },
    [sections, groups, unread],
  );
}

/** What a ranking of refusals calls each: its site, where there is more than one, and what decided. */
export function useRefusalName(): (rank: {
  name: string;
  label?: string | undefined;
  rule?: RuleRef | undefined;
}) => string {
  const decisionName = useDecisionName();
  return ({ name, label, rule }) => {
    const said = decisionName(refusalOf(name).decision, rule);
    return label === undefined ? said : `${label} · ${said}`;
  };
}

/** What a name of such a ranking is searched by. */
export function refusalSearch(name: string): { decision: string; site_id?: number } {
  const { site_id, decision } = refusalOf(name);
  return site_id === 0 ? { decision } : { decision, site_id };
}

/** The tab of each section with rules. */
const tabs: Record<RuleRef['section'], string> = {
  access_control: 'access',
  matcher_rule: 'matchers',
  cc_guardian_rule: 'guard',
};

/** Where the rule stands that decided, if it is there still. Levels are the operators'. */
export function ruleTarget(rule: RuleRef | null | undefined, isAdmin: boolean): Target | undefined {
  if (!rule || rule.place === null || (rule.level !== 'site' && !isAdmin)) return undefined;
  const search = { tab: tabs[rule.section], focus: `rules.${rule.place}` };
  const id = rule.target_id;
  switch (rule.level) {
    case 'site':
      return to.siteDetail({ id }, search);
    case 'product':
      return to.productDefaults({ id }, search);
    case 'client':
      return to.clientDefaults({ id }, search);
    default:
      return to.siteDefaults(search);
  }
}

/** The sections that refuse, as choices of a filter. */
export function useRefusingSections(): { value: string; label: string }[] {
  const { sections } = useText(decisionText);
  return refusingSections.map((value) => ({ value, label: sections[value] }));
}
