import type { Language, MatcherRuleSection } from '@breakwater/contract';
import { siteMatcherText } from '../sections/matcher/matcher.text.ts';
import { group, wordMakers, type WordsOf } from './field.ts';
import { itemNames } from './names.ts';

/** Words of the sections of protection. */
export function matcherFields(language: Language): WordsOf<MatcherRuleSection> {
  const { t, text, flag, choice, time, condition } = wordMakers(language);
  const l = siteMatcherText[language];
  type Rule = MatcherRuleSection['rules'][number];
  return {
    rules: {
      kind: 'list',
      item: t.items.rule,
      ...itemNames(language).matcherRule,
      fields: {
        note: text(l.note),
        condition: condition(),
        action: choice(l.action, l.actions),
        allow: group('', { scope: choice(l.allowScope, l.allowScopes) } satisfies WordsOf<Rule['allow']>),
        block: group('', {
          kind: choice(l.blockKind, l.blockKinds),
          status: text(l.status),
          body: text(l.body),
        } satisfies WordsOf<Rule['block']>),
        tag: group('', { name: text(l.tag) } satisfies WordsOf<Rule['tag']>),
        mode: choice(l.mode, l.modes),
        share: text(l.share),
        until: time(l.until),
        enabled: flag(l.enabled),
      } satisfies WordsOf<Rule>,
    },
  };
}
