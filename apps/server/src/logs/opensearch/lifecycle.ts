import type { LogLifecycle } from '@breakwater/contract/log-store';
import type { LogRetention } from '@breakwater/contract/statistics';
import { lifecycleOf } from '../lifecycle.ts';
import { readForeignPolicies } from './foreign-policies.ts';
import { ask, type Source } from './question.ts';
import { settledAfterMs } from './retention.ts';

export async function readLifecycle(source: Source, retention: LogRetention): Promise<LogLifecycle> {
  const { names } = source;
  const [records, figures, foreignPolicies] = await Promise.all([
    oldestIn(source, names.allRecords),
    oldestIn(source, names.allFigures),
    readForeignPolicies(source),
  ]);
  return lifecycleOf(retention, {
    agesFrom: 'day_end',
    mergedSeconds: settledAfterMs / 1000,
    // Figures of days that are not summed up are counted from their records.
    oldest: { records, figures: figures ?? records },
    foreignPolicies,
  });
}

async function oldestIn(source: Source, indices: string): Promise<number | undefined> {
  const { aggregations } = await ask(source, indices, {
    size: 0,
    aggs: { oldest: { min: { field: 'time' } } },
  });
  return aggregations?.oldest?.value ?? undefined;
}
