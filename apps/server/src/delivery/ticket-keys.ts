import { eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { nodeLineGroup } from '../db/schema.ts';
import type { Secrets } from '../secrets.ts';

/** A key encrypts for so long, and is good for what it encrypted for as long again. */
export const ticketKeyHours = 12;

/**
 * What the nodes of a line group seal TLS tickets with, so that a visitor resumes at one what began at another. They are derived,
 * not stored: every server process comes to the same. The first encrypts; then those of the time before and of the next, since
 * nodes do not hear of a new one in the same second; then those of the node's other line groups. None for a node without any.
 */
export async function ticketKeysOf(
  db: Db,
  secrets: Secrets,
  nodeId: number,
  now = Date.now(),
): Promise<string[]> {
  const keys = await groupPeriods(db, nodeId, now);
  return keys.map(({ id, period }) => secrets.ticketKey(id, period).toString('base64'));
}

/**
 * The same of what browsers' passes are signed with, in hexadecimal: a visitor who was let through by one node is by the others.
 * No pass is good for longer than a period.
 */
export async function passKeysOf(
  db: Db,
  secrets: Secrets,
  nodeId: number,
  now = Date.now(),
): Promise<string[]> {
  const keys = await groupPeriods(db, nodeId, now);
  return keys.map(({ id, period }) => secrets.passKey(id, period).toString('hex'));
}

async function groupPeriods(db: Db, nodeId: number, now: number): Promise<{ id: number; period: number }[]> {
  const groups = await db
    .select({ id: nodeLineGroup.lineGroupId })
    .from(nodeLineGroup)
    .where(eq(nodeLineGroup.nodeId, nodeId))
    .orderBy(nodeLineGroup.lineGroupId);
  const current = Math.floor(now / (ticketKeyHours * 3_600_000));
  return groups.flatMap(({ id }) => [current, current - 1, current + 1].map((period) => ({ id, period })));
}
