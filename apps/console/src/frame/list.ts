import type { RouteName } from '@breakwater/contract';
import { useMemo } from 'react';
import type * as z from 'zod';
import { useAccount, useMay } from '../api/account.ts';
import type { Arguments, Data, Row } from '../api/client.ts';
import { firstPageOf } from '../api/first-read.ts';
import { useApi, type ApiOptions } from '../api/query.ts';
import { parseSearch, type Fields } from '../api/search-values.ts';
import { useText, type Text } from '../i18n/text.ts';
import type { Column, Rows } from '../kit/table/data-table.tsx';
import type { Read } from '../kit/loaded.tsx';
import { useSearchState } from '../kit/search-state.ts';
import { columnsFor, type ColumnsFor } from './columns.tsx';
import { isAllowed, type Restricted } from './restricted.ts';

/** Calls that answer a page of rows. */
export type ListName = {
  [Name in RouteName]: Data<Name> extends Rows<object> ? Name : never;
}[RouteName];

/** A list as it is shown: what its address asks for, and what was read of that. */
export interface List<Item extends object> {
  query: z.ZodObject<Fields>;
  search: Record<string, unknown>;
  setSearch: (patch: object) => void;
  read: Read<Rows<Item>>;
  /** Anything but the page and the order is set, so that nothing found is no empty list. */
  filtered: boolean;
}

interface UseOptions<Name extends ListName> extends Pick<ApiOptions<Data<Name>>, 'refetchInterval'> {
  within?: { id: number };
  narrowed?: Partial<NonNullable<Arguments<Name> extends { query?: infer Query } ? Query : never>>;
}

const ordering = ['current_page', 'page_size', 'sort_by', 'sort_order'];

/** A list call whose query stands in the address of its screen. */
export function listOf<Name extends ListName, Shape extends Fields>(name: Name, query: z.ZodObject<Shape>) {
  type Item = Row<Name> & object;
  const byDefault = parseSearch(query, {}) as Record<string, unknown>;
  return {
    /** For the router: begins to read before the screen is drawn. */
    firstRead: firstPageOf(name, query),
    /**
     * @param within of a list that is a part of something: what its path is filled with.
     * @param narrowed of a list that is a part of something: what its query says besides the address.
     */
    use({ within, narrowed, ...options }: UseOptions<Name> = {}) {
      const [search, setSearch] = useSearchState(query, name);
      const args = { query: { ...search, ...narrowed }, ...(within ? { params: within } : {}) };
      const read = useApi(name, args as unknown as Arguments<Name>, { ...options, keepPrevious: true });
      const filtered = Object.entries(search).some(
        ([key, value]) => !ordering.includes(key) && value !== byDefault[key],
      );
      return { query, search, setSearch, filtered, read: read as typeof read & Read<Rows<Item>> };
    },
    /** The columns of its table, as a hook; `more` is what they need besides the texts, and stays the same. */
    columns<Tree, More = void>(
      text: Text<Tree>,
      make: (t: Tree, column: ColumnsFor<Item>, more: More) => readonly Restricted<Column<Item>>[],
    ) {
      return function useColumns(more: More): Column<Item>[] {
        const t = useText(text);
        const may = useMay();
        const { role } = useAccount();
        return useMemo(
          () => make(t, columnsFor<Item>(), more).filter((column) => isAllowed(column, role, may)),
          [t, role, may, more],
        );
      };
    },
  };
}
