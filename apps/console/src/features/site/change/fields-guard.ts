import { guardRule, type CcGuardianRule, type GuardRule, type Language } from '@breakwater/contract';
import { sayGuardRule } from '../../../domain/say-rule.ts';
import { siteGuardText } from '../sections/guard/guard.text.ts';
import { siteVerifyText } from '../sections/verify/verify.text.ts';
import { group, wordMakers, type Names, type WordsOf } from './field.ts';

/** Words of `cc_guardian_rule`. A rule without a note is known by what it counts and does, as it has no other name. */
export function guardFields(language: Language): WordsOf<CcGuardianRule> {
  const { t, text, flag, choice, seconds, time, values, condition } = wordMakers(language);
  const l = siteGuardText[language];
  const { kinds } = siteVerifyText[language];
  const byDefault = guardRule.parse({});
  const what = (rule: Partial<GuardRule>, names: Names) =>
    sayGuardRule({ ...byDefault, ...rule }, language, { listName: names.list });
  const keyOf = ({ part, name }: GuardRule['key'][number]) => [l.parts[part], name].filter(Boolean).join(' ');
  return {
    mode: choice(l.mode, l.modes),
    attack_until: time(l.attackUntil),
    except_paths: values(l.exceptPaths),
    exempt_addresses: values(l.addresses),
    exempt_robots: flag(l.robots),
    escalation: flag(l.escalationTitle),
    escalation_requests: text(t.within(l.escalationTitle, l.siteRate)),
    escalation_url_requests: text(t.within(l.escalationTitle, l.urlRate)),
    escalation_error_percent: text(t.within(l.escalationTitle, l.errors)),
    escalation_slow_ms: text(t.within(l.escalationTitle, l.slow)),
    escalation_origin_requests: text(t.within(l.escalationTitle, l.originRequests)),
    quiet_seconds: seconds(t.within(l.escalationTitle, l.quiet)),
    rules: {
      kind: 'list',
      item: t.items.guardRule,
      name: (rule: Partial<GuardRule>, names: Names) => rule.note || what(rule, names),
      summary: (rule: Partial<GuardRule>, names: Names) =>
        rule.note ? `“${rule.note}” ${what(rule, names)}` : what(rule, names),
      fields: {
        note: text(l.note),
        condition: condition(),
        count: choice(l.count, l.counts),
        answers: group('', {
          statuses: values(l.statuses),
          misses: flag(l.misses),
          slower_than_ms: text(l.slowerThan),
        } satisfies WordsOf<GuardRule['answers']>),
        key: values(l.key, keyOf),
        requests: text(l.requests),
        period_seconds: seconds(l.period),
        scope: choice(l.scope, l.scopes),
        action: choice(l.action, l.actions),
        challenge: choice(l.challenge, kinds),
        ban_scope: choice(l.banScope, l.banScopes),
        hold_seconds: seconds(l.hold),
        enabled: flag(l.enabled),
      } satisfies WordsOf<GuardRule>,
    },
  };
}
