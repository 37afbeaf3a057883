import { storage } from './storage.ts';

/** How many rows a page of a list has, once somebody chose: per user and list. */
export const pageSizeName = (list: string): string => `page-size:${list}`;
/** What is stored, if it is such a number. */
export const pageSizeOf = (stored: unknown): number | undefined =>
  typeof stored === 'number' && Number.isInteger(stored) && stored >= 1 && stored <= 200 ? stored : undefined;

/** The chosen size beside what an address holds, which says it louder. */
export function withPageSize(list: string, search: Record<string, unknown>): Record<string, unknown> {
  const chosen = pageSizeOf(storage.readJson(storage.keyOf(pageSizeName(list))));
  return chosen === undefined ? search : { page_size: chosen, ...search };
}
