import { errors, type AccessLogRow, type LogSearchEvent, type statisticsRoutes } from '@breakwater/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod';
import { ApiError } from '../../api/client.ts';
import { readStream } from '../../api/stream.ts';
import type { Rows } from '../../kit/table/data-table.tsx';
import type { Read } from '../../kit/loaded.tsx';
import { language } from '../../i18n/language.ts';

export type Search = z.output<typeof statisticsRoutes.listAccessLogs.query>;
type Progress = Extract<LogSearchEvent, { type: 'progress' }>;

/** How far a search is, and what it has found of its page until now. */
export interface SearchProgress extends Omit<Progress, 'type' | 'list'> {
  /** Which search it is. */
  asked: string;
  list: AccessLogRow[];
}

/** A page that was found; when its search began, by the time since the page was opened. */
export type Found = Rows<AccessLogRow> & { begunAt: number };

export interface LogSearch {
  read: Read<Found>;
  /** Of this search; undefined before its first stretch is done, and where it has only one. */
  progress: SearchProgress | undefined;
  /** What was found does not count any more: searches anew. */
  again: () => void;
  /** Ends it here and in the store. */
  stop: () => void;
}

/** A search whose page fills while it goes on. */
export function useLogSearch(search: Search, enabled: boolean): LogSearch {
  const client = useQueryClient();
  const asked = JSON.stringify(search);
  const [told, setTold] = useState<SearchProgress>();
  const queryKey = ['searchAccessLogs', search];
  const query = useQuery<Found, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const begunAt = performance.now();
      let found: Found | undefined;
      let list: AccessLogRow[] = [];
      setTold(undefined);
      await readStream(
        'searchAccessLogs',
        { query: search },
        (event) => {
          if (event.type === 'done') found = { ...event, begunAt };
          if (event.type !== 'progress') return;
          list = event.list ?? list;
          setTold({ ...event, asked, list });
        },
        signal,
      );
      if (!found) throw new ApiError(errors.unavailable.code, 503, errors.unavailable[language.get()]);
      return found;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  const progress = told?.asked === asked ? told : undefined;
  const { current_page, page_size } = search;
  const whole = query.data !== undefined && !query.isPlaceholderData;
  const soFar = !whole &&
    progress && {
      list: progress.list,
      total: progress.total,
      current_page,
      page_size,
      // Nothing that came since stands at the top of a page that is not whole.
      begunAt: Infinity,
    };
  return {
    read: { ...query, data: soFar && soFar.list.length > 0 ? soFar : query.data },
    progress: whole ? undefined : progress,
    again: () => void client.invalidateQueries({ queryKey }),
    stop: () => void client.cancelQueries({ queryKey }),
  };
}
