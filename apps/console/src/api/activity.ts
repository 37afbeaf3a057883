import type { EventSubject } from '@breakwater/contract';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { call, type ApiError, type Data } from './client.ts';

const refreshMilliseconds = 10_000;

/** What happened to one thing, or to all that one may read, page by page, and what happens while one looks. */
export function useActivity(subject?: EventSubject, id?: number) {
  return useInfiniteQuery<
    Data<'listActivity'>,
    ApiError,
    InfiniteData<Data<'listActivity'>>,
    readonly unknown[],
    number | undefined
  >({
    queryKey: ['listActivity', subject, id],
    queryFn: ({ pageParam: before, signal }) =>
      call('listActivity', { query: { subject_kind: subject, subject_id: id, before } }, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Whoever opens it has often just changed something.
    staleTime: 0,
    refetchInterval: refreshMilliseconds,
  });
}
