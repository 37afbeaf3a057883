import type { GuardShare, LiveWatch } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Queryable } from './queryable.ts';

/** What delivery tells every server process through PostgreSQL when a transaction commits. */
export const deliveryChannel = 'breakwater_delivery';

export type Notification =
  /** Documents of these line groups changed, up to this revision; `pushed`: its document may go with the news (`pushed.ts`). */
  | { type: 'revision'; revision: number; lineGroupIds: number[]; pushed?: boolean }
  /** What belongs to these nodes changed, or whether they may speak at all. */
  | { type: 'nodes'; nodeIds: number[] }
  /** The open lines of these nodes end: credentials were replaced, or the node is gone. */
  | { type: 'drop'; nodeIds: number[] }
  /** There is a command for this node. */
  | { type: 'command'; nodeIds: number[]; id: string }
  /** Somebody watches these. */
  | { type: 'watch'; watches: readonly AskedWatch[] }
  /** What a node counted for sites of this line group. */
  | { type: 'guard'; nodeId: number; lineGroupId: number; shares: readonly GuardShare[] };

/** Without a node, all are asked. */
export type AskedWatch = LiveWatch & { node_id?: number };

/** PostgreSQL carries less than 8000 bytes; a longer list is cut into several notifications. */
const idsPerNotification = 500;

export async function notify(
  tx: Queryable,
  notification: Exclude<Notification, { type: 'watch' | 'guard' }>,
): Promise<void> {
  const ids = notification.type === 'revision' ? notification.lineGroupIds : notification.nodeIds;
  for (let start = 0; start < ids.length; start += idsPerNotification) {
    const part = ids.slice(start, start + idsPerNotification);
    const message: Notification =
      notification.type === 'revision'
        ? { ...notification, lineGroupIds: part }
        : { ...notification, nodeIds: part };
    await tx.execute(sql`SELECT pg_notify(${deliveryChannel}, ${JSON.stringify(message)})`);
  }
}

const watchesPerNotification = 40;

export async function notifyWatches(database: Queryable, watches: readonly AskedWatch[]): Promise<void> {
  for (let start = 0; start < watches.length; start += watchesPerNotification) {
    const part = watches.slice(start, start + watchesPerNotification);
    const message: Notification = { type: 'watch', watches: part };
    await database.execute(sql`SELECT pg_notify(${deliveryChannel}, ${JSON.stringify(message)})`);
  }
}

const sharesPerNotification = 40;

export async function notifyShares(
  database: Queryable,
  nodeId: number,
  lineGroupId: number,
  shares: readonly GuardShare[],
): Promise<void> {
  for (let start = 0; start < shares.length; start += sharesPerNotification) {
    const part = shares.slice(start, start + sharesPerNotification);
    const message: Notification = { type: 'guard', nodeId, lineGroupId, shares: part };
    await database.execute(sql`SELECT pg_notify(${deliveryChannel}, ${JSON.stringify(message)})`);
  }
}

export const parseNotification = (payload: string): Notification => JSON.parse(payload) as Notification;
