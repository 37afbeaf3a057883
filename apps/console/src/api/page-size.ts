import * as z from 'zod';
import { storage } from './storage.ts';

/** How many rows a page of a list has, once somebody chose: per user and list. */
export const pageSize = z.int().min(1).max(200).optional();
export const pageSizeName = (list: string): string => `page-size:${list}`;

/** The chosen size beside what an address holds, which says it louder. */
export function withPageSize(list: string, search: Record<string, unknown>): Record<string, unknown> {
  const chosen = pageSize.safeParse(storage.readJson(storage.keyOf(pageSizeName(list))) ?? undefined);
  return chosen.success && chosen.data !== undefined ? { page_size: chosen.data, ...search } : search;
}
