import type { RouteName } from '@breakwater/contract';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  keepPreviousData,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError, requestTimeout, call, type Arguments, type Data } from './client.ts';

/** Whoever is refused may hold less by now than the console knows: it asks anew. */
function onError(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 403) return;
  for (const read of ['currentAccount', 'getMenu'] satisfies RouteName[])
    void queryClient.invalidateQueries({ queryKey: [read] });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An answer is an answer; only a server that could not be reached is asked again.
      retry: (failures, error) =>
        failures < 2 &&
        error instanceof ApiError &&
        error.status !== requestTimeout &&
        (error.code === -1 || error.status === 503),
      refetchOnWindowFocus: false,
    },
  },
});

export interface ApiOptions<Answer> {
  enabled?: boolean;
  /** Milliseconds between reads; false for none. It may depend on the last answer. */
  refetchInterval?: number | false | ((last: Answer | undefined) => number | false);
  /** Another moment asks anew, where the question itself is the same still. */
  askedAt?: number | undefined;
  /** The question moves on with the clock: nobody asks it again, and its answer is not kept for that. */
  passing?: boolean;
  /** Shows the last answer while another page or filter is on its way. */
  keepPrevious?: boolean;
}

export function apiQuery<Name extends RouteName>(name: Name, args: Arguments<Name>) {
  return queryOptions<Data<Name>, ApiError>({
    queryKey: [name, args],
    queryFn: ({ signal }) => call(name, args, signal),
  });
}

/** Long enough for a step aside and back. */
const passingMs = 10_000;

/** Reads a route and keeps the answer under its name and arguments. */
export function useApi<Name extends RouteName>(
  name: Name,
  args: Arguments<Name>,
  options: ApiOptions<Data<Name>> = {},
) {
  const { enabled = true, refetchInterval = false, keepPrevious = false, passing = false, askedAt } = options;
  const read = useQuery<Data<Name>, ApiError>({
    queryKey: [name, args],
    queryFn: ({ signal }) => call(name, args, signal),
    enabled,
    refetchInterval:
      typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(passing ? { gcTime: passingMs } : {}),
  });
  const { refetch } = read;
  const answered = useRef(askedAt);
  useEffect(() => {
    if (answered.current === askedAt) return;
    answered.current = askedAt;
    // Where the question is another one by now, its read has begun already.
    if (enabled) void refetch({ cancelRefetch: false });
  }, [askedAt, enabled, refetch]);
  return read;
}
