import type { LogRetention } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { LogRangeError } from '../../logs/log-store.ts';
import type { Services } from '../../services.ts';
import { readLogRetention } from '../setting/setting.store.ts';

const dayMs = 24 * 3_600_000;
/** A day is the least that is kept, and one that has begun is there as a whole. */
const keptAtLeastMs = 2 * dayMs;
/** The caller's clock may be ahead of ours. */
const clockMs = 5 * 60_000;

/** A range that cannot be answered is the caller's to mend: at its start or end, or at its step when too fine. */
export async function ranged<Result>(
  { db }: Pick<Services, 'db'>,
  kept: keyof LogRetention,
  { start_time }: { start_time?: string | undefined },
  read: () => Promise<Result>,
): Promise<Result> {
  const age = start_time === undefined ? 0 : Date.now() - Date.parse(start_time);
  if (age < -clockMs) throw invalid('start_time', 'range_future');
  try {
    const [result] = await Promise.all([
      read(),
      age > keptAtLeastMs ? refuseOlder(db, kept, age) : undefined,
    ]);
    return result;
  } catch (error) {
    if (!(error instanceof LogRangeError)) throw error;
    if (error.issue === 'range_reversed') throw invalid('end_time', error.issue);
    throw invalid('interval', `range_too_fine:${error.wouldDo ?? 0}`);
  }
}

async function refuseOlder(db: Db, kept: keyof LogRetention, age: number): Promise<void> {
  const days = (await readLogRetention(db))[kept];
  if (age > (days + 1) * dayMs) throw invalid('start_time', `range_not_kept:${days}`);
}
