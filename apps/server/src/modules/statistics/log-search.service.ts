import type { AccessLogRecord } from '@breakwater/contract';
import type { LogFilters } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { nodeOf } from './statistics.store.ts';

/** A search of the access logs as it is asked for: a node may be named by its application id. */
export async function findRecords(
  { db, logStore }: Pick<Services, 'db' | 'logStore'>,
  scope: Scope,
  { node_app_id, ...filters }: LogFilters,
  page: { current_page: number; page_size: number },
  signal?: AbortSignal,
): Promise<{ list: AccessLogRecord[]; total: number }> {
  if (node_app_id === undefined) return logStore.search(scope, filters, page, signal);
  const node_id = await nodeOf(db, node_app_id);
  // Both may be asked for, and then both must hold.
  if (node_id === undefined || (filters.node_id ?? node_id) !== node_id) return { list: [], total: 0 };
  return logStore.search(scope, { ...filters, node_id }, page, signal);
}
