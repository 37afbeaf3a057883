import {
  systemRuleGroups,
  type BrowserVerifyRule,
  type Language,
  type MatcherRuleSection,
  type SystemRuleGroup,
  type UsedSystemRule,
} from '@breakwater/contract';
import { detectorText } from '../../../domain/detector.text.ts';
import { verifyKindText } from '../../../domain/verify-kind.text.ts';
import { siteMatcherText } from '../../../domain/matcher/matcher.text.ts';
import { siteSystemRulesText } from '../sections/system-rules/system-rules.text.ts';
import { siteVerifyText } from '../sections/verify/verify.text.ts';
import { group, wordMakers, type Names, type Words, type WordsOf } from './field.ts';
import { itemNames } from './names.ts';

type MatcherRule = MatcherRuleSection['rules'][number];

/** What a rule has a visitor do. */
function visitorFields(language: Language) {
  const { text, choice } = wordMakers(language);
  const l = siteMatcherText[language];
  return {
    challenge: group('', {
      kind: choice(l.challengeKind, verifyKindText[language]),
    } satisfies WordsOf<MatcherRule['challenge']>),
    redirect: group('', {
      url: text(l.url),
      status: text(l.status),
    } satisfies WordsOf<MatcherRule['redirect']>),
    delay: group('', { milliseconds: text(l.delay) } satisfies WordsOf<MatcherRule['delay']>),
  };
}

/**
 * Words of `matcher_rule`. What belongs to an action is an object of its own, which no form shows as such:
 * those groups have no label.
 */
export function matcherFields(language: Language): WordsOf<MatcherRuleSection> {
  const { t, text, flag, choice, seconds, time, values, condition } = wordMakers(language);
  const l = siteMatcherText[language];
  return {
    rules: {
      kind: 'list',
      item: t.items.matcherRule,
      ...itemNames(language).matcherRule,
      fields: {
        note: text(l.note),
        condition: condition(),
        action: choice(l.action, l.actions),
        allow: group('', { scope: choice(l.allowScope, l.allowScopes) } satisfies WordsOf<
          MatcherRule['allow']
        >),
        block: group('', {
          kind: choice(l.blockKind, l.blockKinds),
          status: text(l.status),
          body: text(l.body),
        } satisfies WordsOf<MatcherRule['block']>),
        ban: group('', {
          seconds: seconds(l.banSeconds),
          scope: choice(l.banScope, l.banScopes),
          place: choice(l.banPlace, l.banPlaces),
        } satisfies WordsOf<MatcherRule['ban']>),
        limit: group('', {
          requests: text(l.requests),
          period_seconds: seconds(l.period),
          burst: text(l.burst),
          key: choice(l.limitKey, l.limitKeys),
        } satisfies WordsOf<MatcherRule['limit']>),
        ...visitorFields(language),
        tag: group('', { name: text(l.tag) } satisfies WordsOf<MatcherRule['tag']>),
        list: group('', {
          list_id: values(l.list, (id: number, names: Names) => names.list(id)),
          seconds: seconds(l.listSeconds),
        } satisfies WordsOf<MatcherRule['list']>),
        notify: group('', { minutes: text(l.notifyMinutes) } satisfies WordsOf<MatcherRule['notify']>),
        mode: choice(l.mode, l.modes),
        share: text(l.share),
        nodes: text(l.nodes),
        until: time(l.until),
        enabled: flag(l.enabled),
      } satisfies WordsOf<MatcherRule>,
    },
  };
}

/** Words of `browser_verify_rule`. */
export function verifyFields(language: Language): WordsOf<BrowserVerifyRule> {
  const { t, text, flag, choice, seconds, values, condition } = wordMakers(language);
  const l = siteVerifyText[language];
  return {
    enabled: flag(l.enabled),
    kind: choice(l.kind, l.kinds),
    captcha_account_id: values(l.account, (id: number, names: Names) => names.captcha(id)),
    external_fallback: choice(l.fallback, l.fallbacks),
    only_paths: values(l.onlyPaths),
    except_paths: values(l.exceptPaths),
    condition: condition(),
    exempt_addresses: values(l.addresses),
    address_lists: values(l.lists, (id: number, names: Names) => names.list(id)),
    exempt_robots: flag(l.robots),
    status: text(t.within(l.page, l.status)),
    difficulty: text(l.difficulty),
    delay_seconds: seconds(l.delay),
    pass_seconds: seconds(t.within(l.passes, l.passSeconds)),
    pass_requests: text(t.within(l.passes, l.passRequests)),
    address_bits_v4: text(l.bitsV4),
    address_bits_v6: text(l.bitsV6),
    bind_tls: flag(l.bindTls),
    strict: flag(l.strict),
    wrong_answers_max: text(l.wrong),
    title: text(t.within(l.page, l.pageTitle)),
    text: text(t.within(l.page, l.pageText)),
    color: text(t.within(l.page, l.color)),
  };
}

/** Words of `used_system_rule`. Each group of detectors is a field, named as in the form. */
export function systemRuleFields(language: Language): WordsOf<UsedSystemRule> {
  const { t, text, choice, bytes, time } = wordMakers(language);
  const l = siteSystemRulesText[language];
  const { detectors, groups } = detectorText[language];
  const names = itemNames(language);
  return {
    mode: choice(l.mode, l.modes),
    ...(Object.fromEntries(systemRuleGroups.map((each) => [each, choice(groups[each], l.modes)])) as Record<
      SystemRuleGroup,
      Words
    >),
    body_bytes: bytes(l.body),
    large_bodies: choice(l.large, l.larges),
    exceptions: {
      kind: 'list',
      item: t.items.exception,
      ...names.exception,
      fields: {
        path: text(l.path),
        parameter: text(l.parameter),
        detector: choice(l.detector, detectors),
        note: text(l.note),
        until: time(l.until),
      } satisfies WordsOf<UsedSystemRule['exceptions'][number]>,
    },
    fields: {
      kind: 'list',
      item: t.items.fieldType,
      ...names.fieldType,
      fields: {
        parameter: text(l.parameter),
        type: choice(l.type, l.types),
      } satisfies WordsOf<UsedSystemRule['fields'][number]>,
    },
  };
}
