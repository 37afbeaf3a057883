import type {
  AccessRule,
  ConditionGroup,
  Language,
  MatcherAction,
  MatcherRule,
  RuleRef,
} from '@breakwater/contract';
import { countryNames } from '../kit/countries.ts';
import { formatList } from '../kit/format.ts';
import { accessRuleText } from './access-rule.text.ts';
import { sayCondition } from './condition/say-condition.ts';
import { siteMatcherText } from './matcher/matcher.text.ts';
import { placesText } from './places.text.ts';

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

/** A line is read at a glance: of many values the first are told. */
const shownMax = 4;

/** What names a rule, of which no more may be known than its name. */
export type NamedRule = Pick<RuleRef, 'name'> & Partial<Pick<RuleRef, 'section' | 'outline'>>;

/** A rule by its name, else by what it does; nothing where neither is known. */
export function sayRule({ name, section, outline }: NamedRule, language: Language): string {
  if (name !== '' || outline === undefined) return name;
  const { rule, lists } = outline;
  const words = {
    listName: (id: number) => lists.find((list) => list.id === id)?.name ?? `#${id}`,
    several: (values: readonly string[]) =>
      formatList(values.slice(0, shownMax), language) + (values.length > shownMax ? ' …' : ''),
    valuesMax: shownMax,
  };
  return section === 'access_control'
    ? sayAccessRule(rule as AccessRule, language, words)
    : sayMatcherRule(rule as MatcherRule, language, words);
}
