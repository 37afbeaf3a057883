import type { GuardRule } from '@breakwater/contract';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { wordMakers } from '../../change/field.ts';
import { siteVerifyText } from '../verify/verify.text.ts';
import { siteGuardText } from './guard.text.ts';

type Limit = Pick<GuardRule, 'requests' | 'period_seconds' | 'action' | 'challenge' | 'hold_seconds'>;

/**
 * A limit in words: how many in which time, and what follows for how long. Limits of modes and own rules have the same fields.
 */
export function useLimitWords() {
  const t = useText(siteGuardText);
  const { kinds } = useText(siteVerifyText);
  const { sayDuration } = wordMakers(useLanguage());
  return ({ requests, period_seconds: period, action, challenge, hold_seconds: hold }: Limit) => ({
    requests,
    seconds: sayDuration(period),
    action: action === 'challenge' ? t.challengeOf(t.actions.challenge, kinds[challenge]) : t.actions[action],
    hold: sayDuration(hold),
  });
}
