import type { LogStore } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';

const hourSeconds = 3600;

interface Asked {
  site_ids?: readonly number[] | undefined;
  hosts?: readonly string[] | undefined;
}

/** Requests a second of the last hour: those that were let in and not asked of the origin, and those that were. */
export async function readRefreshLoad(
  logStore: LogStore,
  scope: Scope,
  { site_ids: siteIds = [], hosts = [] }: Asked,
): Promise<{ cached_per_second: number; origin_per_second: number }> {
  const now = Date.now();
  const range = {
    start_time: new Date(now - hourSeconds * 1000).toISOString(),
    end_time: new Date(now).toISOString(),
  };
  const parts = [...siteIds.map((id) => ({ site_id: id })), ...(hosts.length > 0 ? [{ hosts }] : [])];
  const loads = await Promise.all(
    parts.map(async (part) => {
      const [visitors, origin] = await Promise.all(
        (['cdn', 'origin'] as const).map((side) => logStore.summary(scope, side, { ...range, ...part })),
      );
      const { requests, attacks } = visitors!;
      return { cached: Math.max(0, requests - attacks - origin!.requests), origin: origin!.requests };
    }),
  );
  const perSecond = (of: 'cached' | 'origin') => loads.reduce((sum, load) => sum + load[of], 0) / hourSeconds;
  return { cached_per_second: perSecond('cached'), origin_per_second: perSecond('origin') };
}
