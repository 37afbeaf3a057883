import type { LogLifecycle } from '@breakwater/contract/log-store';
import type { LogRetention } from '@breakwater/contract/statistics';

const daySeconds = 86_400;
const dayMs = daySeconds * 1000;

/** Where a store's data is on its way, in milliseconds; undefined where there is none. */
interface Situation {
  agesFrom: LogLifecycle['ages_from'];
  mergedSeconds: number;
  oldest: { records: number | undefined; figures: number | undefined };
  foreignPolicies: LogLifecycle['foreign_policies'];
}

/** A policy as phases: what is merged and deleted after which age, and when the oldest comes to it. */
export function lifecycleOf(retention: LogRetention, situation: Situation): LogLifecycle {
  const { agesFrom, mergedSeconds, oldest, foreignPolicies } = situation;
  const goes = (at: number, days: number) =>
    (agesFrom === 'row' ? at : Math.floor(at / dayMs) * dayMs + dayMs) + days * dayMs;
  const times = (at: number | undefined, days: number) => ({
    oldest: at === undefined ? null : new Date(at).toISOString(),
    next_deletion: at === undefined ? null : new Date(goes(at, days)).toISOString(),
  });
  const hot = { name: 'hot' as const, min_age_seconds: 0 };
  const merged = { name: 'merged' as const, min_age_seconds: mergedSeconds };
  const gone = (days: number) => ({ name: 'delete' as const, min_age_seconds: days * daySeconds });
  const { record_days, rollup_days } = retention;
  return {
    ages_from: agesFrom,
    data: [
      { kind: 'records', phases: [hot, gone(record_days)], ...times(oldest.records, record_days) },
      { kind: 'figures', phases: [hot, merged, gone(rollup_days)], ...times(oldest.figures, rollup_days) },
    ],
    foreign_policies: foreignPolicies,
  };
}
