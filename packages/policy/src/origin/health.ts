import type { BackendHealthCheck } from '@breakwater/contract/site-config/backend-health-check';

/**
 * `unknown`: not yet judged, and in use. `up`: in use. `down`: out. `returning`: well again, and out until its waits
 * are over.
 */
export type OriginState = 'unknown' | 'up' | 'down' | 'returning';

/** What is known of one origin address by its checks; times are seconds of one clock. */
export interface OriginHealth {
  state: OriginState;
  /** Results in a row that speak against the state. */
  streak: number;
  downAt: number;
  /** When the last outage's good results were enough. */
  wellAt: number;
}

export type HealthLimits = Pick<
  BackendHealthCheck,
  'rise' | 'fall' | 'hold_down_seconds' | 'failback_delay_seconds'
>;

export const unjudged: OriginHealth = { state: 'unknown', streak: 0, downAt: 0, wellAt: 0 };

export function isOut(health: OriginHealth): boolean {
  return health.state === 'down' || health.state === 'returning';
}

/**
 * The state after one more result. The first good result makes an unknown origin `up`; it takes `fall` bad ones in a row
 * to go down, and `rise` good ones to be well again. A bad one while it returns puts it back to `down`, and the outage
 * counts from its first beginning.
 */
export function nextHealth(
  before: OriginHealth,
  isGood: boolean,
  now: number,
  limits: HealthLimits,
): OriginHealth {
  const { state, downAt, wellAt } = before;
  if (!isOut(before)) {
    if (isGood) return { state: 'up', streak: 0, downAt, wellAt };
    const streak = before.streak + 1;
    if (streak < limits.fall) return { state, streak, downAt, wellAt };
    return { state: 'down', streak: 0, downAt: now, wellAt };
  }
  if (!isGood) return { state: 'down', streak: 0, downAt, wellAt };
  if (state === 'returning') return comeBack(before, now, limits);
  const streak = before.streak + 1;
  if (streak < limits.rise) return { state, streak, downAt, wellAt };
  return comeBack({ state: 'returning', streak: 0, downAt, wellAt: now }, now, limits);
}

function comeBack(health: OriginHealth, now: number, limits: HealthLimits): OriginHealth {
  const isHeld =
    now < health.downAt + limits.hold_down_seconds || now < health.wellAt + limits.failback_delay_seconds;
  return isHeld ? health : { state: 'up', streak: 0, downAt: health.downAt, wellAt: health.wellAt };
}

/** Whether a status (three digits) lies in one of the ranges, `200` or `200-399`. */
export function isExpectedStatus(ranges: string[], status: number): boolean {
  const text = `${status}`;
  // Texts of the same length compare as their numbers do.
  for (const range of ranges)
    if (text >= range.substring(0, 3) && text <= range.substring(range.length - 3)) return true;
  return false;
}
