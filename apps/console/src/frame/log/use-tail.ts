import type { AccessLogRow } from '@breakwater/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../../api/client.ts';
import { useStream } from '../../api/stream.ts';
import type { Found, Search } from './use-search.ts';

interface Tail {
  /** Which filters it follows; undefined while it has not begun. */
  follows: string | undefined;
  /** Newest first, with when they came. */
  batches: { at: number; list: AccessLogRow[]; notShown: number }[];
}

/** A page has no more rows. */
const batchesMax = 200;
const nothing: Tail = { follows: undefined, batches: [] };

/** Only the newest page, without an end, grows at its top. */
export const canFollow = ({ current_page, time_sort, end_time }: Search): boolean =>
  current_page === 1 && time_sort === 'desc' && end_time === undefined;

/**
 * Records as they are stored. `ready`: what is stored from now on is told, so that a search that begins now misses nothing.
 */
export function useLogTail(search: Search, enabled: boolean) {
  const client = useQueryClient();
  const [tail, setTail] = useState<Tail>(nothing);
  const { current_page: _page, page_size: _size, time_sort: _sort, ...filters } = search;
  const { start_time: _start, end_time: _end, ...query } = filters;
  const follows = JSON.stringify(query);
  const refused: ApiError | undefined = useStream(
    'tailAccessLogs',
    { query },
    (event) => {
      if (event.type === 'start') {
        setTail({ ...nothing, follows });
        // Found before, and again after the line broke.
        void client.invalidateQueries({ queryKey: ['searchAccessLogs'] });
      }
      if (event.type === 'rows')
        setTail((before) => ({
          ...before,
          batches: [
            { at: performance.now(), list: event.list, notShown: event.not_shown },
            ...before.batches,
          ].slice(0, batchesMax),
        }));
    },
    enabled,
  );
  const current = enabled && tail.follows === follows ? tail : nothing;
  return { ...current, refused, ready: !enabled || current.follows !== undefined || refused !== undefined };
}

/** The found page with what came since at its top; as long as a page is. */
export function withTail(found: Found | undefined, { batches }: Pick<Tail, 'batches'>) {
  if (!found) return undefined;
  const since = batches.filter(({ at }) => at >= found.begunAt);
  const known = new Set(found.list.map(({ request_id }) => request_id));
  const fresh = since.flatMap(({ list }) => list.filter(({ request_id }) => !known.has(request_id)));
  const notShown = since.reduce((all, batch) => all + batch.notShown, 0);
  const list = [...fresh, ...found.list].slice(0, found.page_size);
  return { ...found, list, total: found.total + fresh.length + notShown, fresh: fresh.length, notShown };
}
