import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as z from 'zod';
import { pageSizeName, pageSizeOf } from '../api/page-size.ts';
import { parseSearch, type Fields } from '../api/search-values.ts';
import { useRemembered } from './remembered.ts';

/**
 * State that lives in the address, checked field by field: what does not fit is as if it were absent. A change of
 * anything but the page goes back to the first page; what equals its default is not written. The page size that was chosen
 * for a `list` is that of its next visit.
 */
export function useSearchState<Shape extends Fields>(schema: z.ZodObject<Shape>, list = '') {
  const address = useSearch({ strict: false }) as Record<string, unknown>;
  const [chosen, choose] = useRemembered(pageSizeName(list), pageSizeOf, undefined);
  const raw = list === '' || chosen === undefined ? address : { page_size: chosen, ...address };
  const navigate = useNavigate();
  const text = JSON.stringify(raw);
  const values = useMemo(
    () => parseSearch(schema, JSON.parse(text) as Record<string, unknown>),
    [schema, text],
  );
  const setValues = useCallback(
    (patch: Partial<Record<keyof Shape & string, unknown>>, { replace = false } = {}) => {
      const size = (patch as { page_size?: unknown }).page_size;
      if (list !== '' && typeof size === 'number') choose(size);
      const paged = 'current_page' in patch ? patch : { current_page: undefined, ...patch };
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => written(schema, { ...before, ...paged }),
        replace,
        resetScroll: false,
      });
    },
    [navigate, schema, list, choose],
  );
  return [values, setValues] as const;
}

function written<Shape extends Fields>(
  schema: z.ZodObject<Shape>,
  values: Record<string, unknown>,
): Record<string, string> {
  const search: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    const text = textOf(value);
    const field = schema.shape[key];
    const byDefault = field ? z.safeParse(field, undefined) : undefined;
    if (text === '' || (byDefault?.success && textOf(byDefault.data) === text)) continue;
    search[key] = text;
  }
  return search;
}

/** What an address holds of a value: text, numbers and switches; anything else is no state of a screen. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
