import type { RouteName } from '@breakwater/contract';
import { useMutation, type Query } from '@tanstack/react-query';
import { call, type ApiError, type Arguments, type Data } from './client.ts';
import { subjectsOf, touchedBy } from './freshness.ts';
import { queryClient } from './query.ts';
import { routeOf } from './tables.ts';

/** Reads anew what shows something of what a call has changed. */
function refresh(changed: RouteName): Promise<void> {
  const touched = touchedBy(changed, routeOf(changed)!.access);
  const isTouched = ({ queryKey: [read] }: Query) => {
    const route = routeOf(read as string);
    return route !== undefined && subjectsOf(read as RouteName, route.access).some((of) => touched.has(of));
  };
  return queryClient.invalidateQueries({ predicate: isTouched });
}

interface ChangeOptions {
  /** Leaves the page of what is removed, before it is read again. */
  leave?: (() => Promise<unknown>) | undefined;
}

/** Calls a changing route; what it touches (`freshness.ts`) is read again once it succeeded. */
export function useChange<Name extends RouteName>(name: Name, { leave }: ChangeOptions = {}) {
  return useMutation<Data<Name>, ApiError, Arguments<Name>>({
    mutationFn: (args) => call(name, args),
    onSuccess: async () => {
      await leave?.();
      await refresh(name);
    },
  });
}
