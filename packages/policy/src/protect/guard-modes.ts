import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { GuardMode, GuardRule } from '@breakwater/contract/site-config/cc-guardian-rule';

/** What the modes of CC guard stand for. The console shows these numbers, so there are no others. */

export type GuardPreset = 'visitor' | 'flood' | 'not_found' | 'origin';

export interface GuardLimit extends Pick<
  GuardRule,
  'count' | 'requests' | 'period_seconds' | 'action' | 'challenge' | 'hold_seconds'
> {
  name: GuardPreset;
  statuses: string[];
}

/** In the order in which they are asked; each counts every visitor by address. */
export const guardLimits: Record<GuardMode, GuardLimit[]> = {
  off: [],
  watch: [
    limit('flood', 'requests', 1000, 10, 'observe', 60),
    limit('visitor', 'requests', 300, 10, 'observe', 60),
    limit('not_found', 'answers', 60, 60, 'observe', 60),
  ],
  normal: [
    limit('flood', 'requests', 1000, 10, 'ban', 600),
    limit('visitor', 'requests', 300, 10, 'challenge', 600),
    limit('origin', 'origin', 200, 10, 'challenge', 600),
    limit('not_found', 'answers', 60, 60, 'challenge', 600),
  ],
  strict: [
    limit('flood', 'requests', 400, 10, 'ban', 1800),
    limit('visitor', 'requests', 100, 10, 'challenge', 1800, 'proof_of_work'),
    limit('origin', 'origin', 60, 10, 'challenge', 1800, 'proof_of_work'),
    limit('not_found', 'answers', 30, 60, 'challenge', 1800, 'proof_of_work'),
  ],
  under_attack: [
    limit('flood', 'requests', 300, 10, 'ban', 3600),
    limit('visitor', 'requests', 60, 10, 'limit', 60),
    limit('not_found', 'answers', 20, 60, 'limit', 600),
  ],
};

/** What every browser has to have passed under attack. */
export const attackChallenge: VerifyKind = 'javascript';

function limit(
  name: GuardPreset,
  count: GuardRule['count'],
  requests: number,
  period: number,
  action: GuardRule['action'],
  hold: number,
  challenge: VerifyKind = 'javascript',
): GuardLimit {
  return {
    name,
    count,
    statuses: count === 'answers' ? ['404'] : [],
    requests,
    period_seconds: period,
    action,
    challenge,
    hold_seconds: hold,
  };
}
