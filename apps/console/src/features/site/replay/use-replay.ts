import type { ReplayAnswer, ReplaySection } from '@breakwater/contract';
import { call } from '../../../api/client.ts';
import { useSiteIfAny } from '../context.tsx';
import { useLevel } from '../section/host.tsx';

/** A section as it would be saved. */
export interface ReplayDraft {
  section: ReplaySection;
  value: object;
  own?: string[] | undefined;
}

/** Runs a draft over the last so many hours, of the site or the level that the screen is about. */
export function useReplay(): (
  draft: ReplayDraft,
  hours: number,
  signal: AbortSignal,
) => Promise<ReplayAnswer> {
  const level = useLevel();
  const site = useSiteIfAny();
  return ({ section, value, own }, hours, signal) => {
    const now = Date.now();
    const body = {
      section,
      value: value as never,
      ...(own === undefined ? {} : { own }),
      start_time: new Date(now - hours * 3_600_000).toISOString(),
      end_time: new Date(now).toISOString(),
    };
    return level
      ? call('replayLevelSection', { body: { ...level.ref, ...body } }, signal)
      : call('replaySiteSection', { params: { id: site!.site.id }, body }, signal);
  };
}
