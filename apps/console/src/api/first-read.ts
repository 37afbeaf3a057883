import type { RouteName } from '@breakwater/contract';
import type * as z from 'zod';
import type { Arguments } from './client.ts';
import { withPageSize } from './page-size.ts';
import { apiQuery, queryClient } from './query.ts';
import { parseSearch } from './search-values.ts';

/** Begins to read what a screen shows first, by the search of its address. It never fails: the screen meets the fault itself, and says it. */
export type FirstRead = (search: Record<string, unknown>) => Promise<unknown>;

/** Of a list whose state is in the address: the page of it that the address names. */
export const firstPageOf =
  <Name extends RouteName, Shape extends Record<string, z.core.$ZodType>>(
    name: Name,
    schema: z.ZodObject<Shape>,
  ): FirstRead =>
  (search) =>
    queryClient.prefetchQuery(
      apiQuery(name, { query: parseSearch(schema, withPageSize(name, search)) } as Arguments<Name>),
    );
