import { accountQuery } from '../api/account.ts';
import { queryClient } from '../api/query.ts';
import { knowTables, knownScreens } from '../api/tables.ts';
import type { ConsoleRole } from './console.tsx';

/** Asks the server who this is, and for what the page at the window's address shows first, while the console's code is on its way. */
export function beginReads({ tables, screens }: Pick<ConsoleRole, 'tables' | 'screens'>): void {
  knowTables(tables);
  // What was read for a console whose code did not come may be of somebody who has left.
  queryClient.clear();
  void queryClient.prefetchQuery(accountQuery());
  const { pathname, search } = location;
  const [id] = knownScreens().find(([, { path }]) => path === pathname) ?? [];
  // What fails the page meets itself, and says it.
  if (id) screens[id]?.readFirst(Object.fromEntries(new URLSearchParams(search))).catch(() => undefined);
}
