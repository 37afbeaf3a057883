import { useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import type { Data } from '../../api/client.ts';
import { completeSteps } from '../../api/time-step.ts';

/** What home shows, in three reads that are made for it. */

const refreshMs = 10_000;

export type HomeState = Data<'getDashboardState'>;
/** A part of it that the reader may see. */
export type HomePart<Name extends keyof HomeState> = NonNullable<HomeState[Name]>;

/** The same while it may still be read. */
export type HomeFigure<Name extends keyof HomeState> = { [Part in Name]: HomeState[Part] | undefined };

export const useHomeState = () => useApi('getDashboardState', {}, { refetchInterval: refreshMs });

export const useHomeStatistics = () => useApi('getDashboardStatistics', {}, { refetchInterval: refreshMs });

export type HomeTrends = NonNullable<ReturnType<typeof useHomeTrends>>;

/** Undefined until the first answer, null where there is none: why stands above the charts, said once. */
export function useHomeTrends() {
  const { data, error, dataUpdatedAt } = useApi('getDashboardTrends', {}, { refetchInterval: refreshMs });
  return useMemo(() => {
    if (!data) return error ? null : undefined;
    const { interval, visitors, origin, before } = data;
    return {
      visitors: completeSteps(visitors, interval, dataUpdatedAt),
      origin: completeSteps(origin, interval, dataUpdatedAt),
      before,
    };
  }, [data, error, dataUpdatedAt]);
}
