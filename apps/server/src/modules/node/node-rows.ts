import { eq } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { node, type nodeIp } from '../../db/schema.ts';

/** What the stores of nodes and of their addresses share. */

export const nodeConstraints = {
  node_name_unique: ['name', 'name_taken'],
  node_area_id_area_id_fk: ['area_id', 'does_not_exist'],
  node_ip_ip_unique: ['ip', 'ip_taken'],
} as const satisfies Record<string, [string, 'name_taken' | 'does_not_exist' | 'ip_taken']>;

/** Throws `stale_version` where it is not the version that a change was built on. */
export async function lockNode(tx: Db, id: number, version?: number) {
  const [row] = await tx.select().from(node).where(eq(node.id, id)).for('update');
  if (!row) throw notFound();
  if (version !== undefined && row.version !== version) throw new ApiError('stale_version');
  return row;
}

export const presentIp = (row: typeof nodeIp.$inferSelect) => ({
  id: row.id,
  node_id: row.nodeId,
  ip: row.ip,
  enabled: row.enabled,
  created_at: iso(row.createdAt),
});
