import type {
  AccessRule,
  ConditionGroup,
  GuardRule,
  Language,
  MatcherAction,
  MatcherRule,
  RuleRef,
} from '@breakwater/contract';
import { countryNames } from '../kit/countries.ts';
import { formatList } from '../kit/format.ts';
import { sayDuration } from '../kit/say-duration.ts';
import { accessRuleText } from './access-rule.text.ts';
import { conditionWordsText } from './condition/condition-words.text.ts';
import { sayCondition } from './condition/say-condition.ts';
import { guardRuleText } from './guard-rule.text.ts';
import { siteMatcherText } from './matcher/matcher.text.ts';
import { placesText } from './places.text.ts';
import { verifyKindText } from './verify-kind.text.ts';

/** How rules are told in words by what they do. */

interface Words {
  listName: (id: number) => string;
  several: (values: readonly string[]) => string;
  /** Of a condition's values the first so many; without it all. */
  valuesMax?: number;
}

/** A rule of access control, which may be incomplete: what it does, and with whom. */
export function sayAccessRule(rule: Partial<AccessRule>, language: Language, words: Words): string {
  const t = accessRuleText[language];
  const { provinceNames, carrierNames } = placesText[language];
  const { listName, several, valuesMax } = words;
  const criteria = [
    rule.only_paths,
    rule.addresses,
    rule.address_lists?.map(listName),
    rule.countries?.map(countryNames(language)),
    rule.provinces?.map((code) => provinceNames[code]),
    rule.carriers?.map((code) => carrierNames[code]),
    rule.agents,
    rule.empty_agent === true ? [t.noAgent] : [],
    rule.methods,
  ].flatMap((values) => (values === undefined || values.length === 0 ? [] : several(values)));
  const except = rule.except_paths?.length ? [t.except(several(rule.except_paths))] : [];
  const condition = rule.condition
    ? [sayCondition(rule.condition, language, (id) => listName(Number(id)), valuesMax)]
    : [];
  return [t.actions[rule.action ?? 'deny'], ...criteria, ...except, ...condition].join(' ');
}

/** A custom rule: when it does what. */
export function sayMatcherRule(
  { condition, action }: { condition?: ConditionGroup | undefined; action: MatcherAction },
  language: Language,
  { listName, valuesMax }: Omit<Words, 'several'>,
): string {
  const t = siteMatcherText[language];
  const when = condition
    ? sayCondition(condition, language, (id) => listName(Number(id)), valuesMax)
    : t.everything;
  return `${when} → ${t.actions[action]}`;
}

/** What is counted by a limit of CC guard, in which time, and what follows. */
export function sayLimit(
  { requests, period_seconds: period, action, challenge, hold_seconds: hold }: GuardLimit,
  language: Language,
) {
  const { actions, challengeOf } = guardRuleText[language];
  return {
    requests,
    seconds: sayDuration(period, language),
    action:
      action === 'challenge'
        ? challengeOf(actions.challenge, verifyKindText[language][challenge])
        : actions[action],
    hold: sayDuration(hold, language),
  };
}
export type GuardLimit = Pick<
  GuardRule,
  'requests' | 'period_seconds' | 'action' | 'challenge' | 'hold_seconds'
>;

/** A limit of CC guard as a sentence, without the condition of a rule. */
export function sayGuardLimit(
  rule: GuardLimit & Pick<GuardRule, 'count' | 'key'>,
  language: Language,
): string {
  const t = guardRuleText[language];
  const by = rule.key.map(({ part, name }) => (name === '' ? t.parts[part] : `${t.parts[part]} ${name}`));
  const counted = t.counts[rule.count];
  const what = by.length === 0 ? t.together(counted) : t.counted(counted, by.join(' + '));
  return t.summary({ ...sayLimit(rule, language), what });
}

/** A rule of CC guard: of which requests how many are too many, and what follows. */
export function sayGuardRule(
  { condition, ...rule }: Parameters<typeof sayGuardLimit>[0] & Pick<GuardRule, 'condition'>,
  language: Language,
  { listName, valuesMax }: Omit<Words, 'several'>,
): string {
  const limit = sayGuardLimit(rule, language);
  if (condition === undefined || condition.items.length === 0) return limit;
  const when = sayCondition(condition, language, (id) => listName(Number(id)), valuesMax);
  return `${guardRuleText[language].only}${when} · ${limit}`;
}

/** A line is read at a glance: of many values the first are told. */
const shownMax = 4;

/** What names a rule, of which no more may be known than its name. */
export type NamedRule = Pick<RuleRef, 'name'> & Partial<Pick<RuleRef, 'section' | 'outline'>>;

/** A rule by its name, else by what it does; nothing where neither is known. */
export function sayRule({ name, section, outline }: NamedRule, language: Language): string {
  if (name !== '' || outline === undefined) return name;
  const { rule, lists } = outline;
  const words = {
    listName: (id: number) => {
      const list = lists.find((each) => each.id === id);
      return list?.name ?? (list ? conditionWordsText[language].deletedList(id) : `#${id}`);
    },
    several: (values: readonly string[]) =>
      formatList(values.slice(0, shownMax), language) + (values.length > shownMax ? ' …' : ''),
    valuesMax: shownMax,
  };
  if (section === 'access_control') return sayAccessRule(rule as AccessRule, language, words);
  if (section === 'cc_guardian_rule') return sayGuardRule(rule as GuardRule, language, words);
  return sayMatcherRule(rule as MatcherRule, language, words);
}
