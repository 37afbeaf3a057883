import type { AccessLogRecord, AccessLogRow } from '@breakwater/contract';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../scope.ts';
import { ruleRefsOfLines } from './rule-refs.store.ts';
import { clientNames, lineGroupNames, namesOf, nodeNames } from './statistics.store.ts';

/** Records with the names of what they tell of, each kind read once for all of them. */
export async function named(
  db: Db,
  scope: Scope,
  records: readonly AccessLogRecord[],
): Promise<AccessLogRow[]> {
  const idsOf = (field: 'site_id' | 'order_id' | 'client_id' | 'node_id') =>
    [...new Set(records.map((record) => record[field]))].filter((id) => id > 0);
  const [sites, orders, lineGroups, clients, nodes, rules] = await Promise.all([
    namesOf(db, scope, 'site', idsOf('site_id')),
    namesOf(db, scope, 'order', idsOf('order_id')),
    lineGroupNames(db, scope, idsOf('order_id')),
    clientNames(db, scope, idsOf('client_id')),
    nodeNames(db, scope, idsOf('node_id')),
    ruleRefsOfLines(db, scope, records),
  ]);
  return records.map((record, index) => ({
    ...record,
    site_name: sites.get(record.site_id) ?? '',
    order_name: orders.get(record.order_id) ?? '',
    line_group_name: lineGroups.get(record.order_id) ?? '',
    client_name: clients.get(record.client_id) ?? '',
    node_name: nodes.get(record.node_id) ?? '',
    ...rules[index]!,
  }));
}
