import { createHash } from 'node:crypto';
import { logShippingSettings, type LogShippingOrder } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { node, nodeLineGroup } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import { readSetting } from '../setting/setting.store.ts';

/** What a node is to do. One outside of the line groups that are named sends nothing. */
export async function logShippingOf(db: Db, secrets: Secrets, nodeId: number): Promise<LogShippingOrder> {
  const {
    http_authorization: secret,
    http_authorization_set: _,
    ...setting
  } = (await readSetting(db, logShippingSettings)).value;
  const isMeant = setting.kind !== 'off' && (await serves(db, nodeId, setting.line_group_ids));
  const order = {
    ...setting,
    ...(isMeant ? {} : { kind: 'off' as const }),
    ...(secret && isMeant ? { http_authorization: secrets.decrypt(secret) } : {}),
  };
  return { version: createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 16), ...order };
}

/** The nodes that are to send, and what each says of it. */
export async function sendingNodes(db: Db, secrets: Secrets) {
  const rows = await db
    .select({ id: node.id, name: node.name, state: node.state })
    .from(node)
    .where(eq(node.enabled, true))
    .orderBy(node.name);
  const nodes = [];
  for (const { id, name, state } of rows) {
    const { kind, version } = await logShippingOf(db, secrets, id);
    if (kind === 'off') continue;
    const told = state?.log_shipping ?? null;
    nodes.push({ id, name, in_service: told?.version === version, state: told });
  }
  return nodes;
}

async function serves(db: Db, nodeId: number, lineGroupIds: readonly number[]): Promise<boolean> {
  if (lineGroupIds.length === 0) return true;
  const rows = await db
    .select({ id: nodeLineGroup.lineGroupId })
    .from(nodeLineGroup)
    .where(eq(nodeLineGroup.nodeId, nodeId));
  return rows.some(({ id }) => lineGroupIds.includes(id));
}
