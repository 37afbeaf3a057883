import type { AccessLogRecord, AccessLogRow } from '@breakwater/contract';
import type { LogFilters } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { named } from './log-names.ts';
import { nodeOf } from './statistics.store.ts';

type Store = Pick<Services, 'db' | 'logStore'>;

/** A search of the access logs as it is asked for: a node may be named by its application id. */
export async function findRecords(
  { db, logStore }: Store,
  scope: Scope,
  asked: LogFilters,
  page: { current_page: number; page_size: number },
  signal?: AbortSignal,
): Promise<{ list: AccessLogRecord[]; total: number }> {
  const filters = await storeFilters(db, asked);
  return filters === undefined ? { list: [], total: 0 } : logStore.search(scope, filters, page, signal);
}

/** The same with the names that lists show. */
export async function findRows(
  store: Store,
  ...[scope, ...asked]: Parameters<typeof findRecords> extends [Store, ...infer Rest] ? Rest : never
): Promise<{ list: AccessLogRow[]; total: number }> {
  const { list, total } = await findRecords(store, scope, ...asked);
  return { list: await named(store.db, scope, list), total };
}

/** The filters as the store knows them; undefined where nothing can fit them. */
export async function storeFilters(
  db: Services['db'],
  { node_app_id, ...filters }: LogFilters,
): Promise<LogFilters | undefined> {
  if (node_app_id === undefined) return filters;
  const node_id = await nodeOf(db, node_app_id);
  // Both may be asked for, and then both must hold.
  if (node_id === undefined || (filters.node_id ?? node_id) !== node_id) return undefined;
  return { ...filters, node_id };
}
