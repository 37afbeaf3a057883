import type { RouteName } from '@breakwater/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError, Arguments, Data } from './client.ts';
import { apiQuery } from './query.ts';

let opened = 0;

/**
 * What a form is built on: read after it was opened, never what somebody else on the screen read before. It is kept for this
 * form alone, and read again with all that is read by the route.
 */
export function useFormRead<Name extends RouteName>(name: Name, args: Arguments<Name>) {
  const [form] = useState(() => (opened += 1));
  return useQuery<Data<Name>, ApiError>({
    ...apiQuery(name, args),
    queryKey: [name, args, { form }],
    gcTime: 0,
  });
}
