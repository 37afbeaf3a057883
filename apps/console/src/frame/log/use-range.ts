import { useMemo } from 'react';
import * as z from 'zod';
import { presetRange } from '../../kit/filter/date-range.ts';
import { useNow } from '../../kit/use-now.ts';

/** Stands in the address of a log beside the filters: the search reaches back as far as records do. */
export const anyTime = { any_time: z.enum(['yes']).optional() };

interface Ranged {
  start_time?: string | undefined;
  end_time?: string | undefined;
  request_id?: string | undefined;
  any_time?: 'yes' | undefined;
}

/** What an address asks of a log: of the last 24 hours, unless it names times, or one request, which is found whenever it was. */
export function useAsked<Search extends Ranged>(search: Search): Omit<Search, 'any_time'> {
  // A page that stays open for long goes on to mean the last day.
  const [now] = useNow(3_600_000);
  return useMemo(() => {
    const { any_time, ...asked } = search;
    const { start_time, end_time, request_id } = asked;
    if (any_time === 'yes' || start_time || end_time || request_id) return asked;
    return { ...asked, start_time: presetRange('last_24_hours', now).start };
  }, [search, now]);
}
