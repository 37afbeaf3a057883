import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  nodeCommands,
  nodeSilentSeconds,
  type NodeCommandAnswer,
  type NodeCommandKind,
  type NodeCommandPayload,
  type NodeState,
} from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Db } from '../db/database.ts';
import { notify } from './notifications.ts';
import { rowsOf, type Queryable } from './queryable.ts';

/**
 * Questions to one node that are answered at once. They lie in a table: the agent's line may be at another server
 * process, and its answer may arrive at a third.
 */

const answerMilliseconds = 10_000;
const lookMilliseconds = 100;

/**
 * What the node answers, or nothing when it does not in time or says what cannot be read. One that is away is not asked:
 * nothing comes at once.
 */
export async function askNode<Kind extends NodeCommandKind>(
  db: Db,
  nodeId: number,
  kind: Kind,
  payload: NodeCommandPayload<Kind>,
  waitMilliseconds = answerMilliseconds,
): Promise<NodeCommandAnswer<Kind> | undefined> {
  if ((await presenceOf(db, nodeId)) !== 'online') return undefined;
  const id = randomBytes(16).toString('hex');
  await db.transaction(async (tx) => {
    // Left behind by a process that ended while it waited.
    await tx.execute(sql`DELETE FROM node_command WHERE created_at < now() - interval '1 hour'`);
    await tx.execute(
      sql`INSERT INTO node_command (id, node_id, kind, payload) VALUES (${id}, ${nodeId}, ${kind}, ${JSON.stringify(payload)}::jsonb)`,
    );
    await notify(tx, { type: 'command', nodeIds: [nodeId], id });
  });
  const until = Date.now() + waitMilliseconds;
  while (Date.now() < until && !(await isAnswered(db, id))) await delay(lookMilliseconds);
  const [row] = await rowsOf<{ answer: unknown }>(
    db,
    sql`DELETE FROM node_command WHERE id = ${id} RETURNING answer`,
  );
  const { data } = nodeCommands[kind].answer.safeParse(row?.answer);
  return data as NodeCommandAnswer<Kind> | undefined;
}

/** Whether a node was heard of lately, or ever. */
export async function presenceOf(database: Queryable, nodeId: number): Promise<'online' | 'away' | 'never'> {
  const [row] = await rowsOf<{ connected: boolean; online: boolean }>(
    database,
    sql`SELECT status_time IS NOT NULL AS connected,
          enabled AND coalesce(status_time > now() - make_interval(secs => ${nodeSilentSeconds}), false) AS online
        FROM node WHERE id = ${nodeId}`,
  );
  if (!row?.connected) return 'never';
  return row.online ? 'online' : 'away';
}

async function isAnswered(database: Queryable, id: string): Promise<boolean> {
  const rows = await rowsOf(database, sql`SELECT 1 FROM node_command WHERE id = ${id} AND answer IS NULL`);
  return rows.length === 0;
}

export interface Command {
  id: string;
  kind: NodeCommandKind;
  /** As it was stored: the node reads it by its kind. */
  payload: z.core.util.JSONType;
}

export async function readCommand(database: Queryable, id: string): Promise<Command | undefined> {
  const [row] = await rowsOf<Command>(
    database,
    sql`SELECT id, kind, payload FROM node_command WHERE id = ${id} AND answer IS NULL`,
  );
  return row;
}

/** Of the node that was asked, and once. */
export async function storeAnswer(
  database: Queryable,
  nodeId: number,
  { id, answer }: { id: string; answer: unknown },
): Promise<void> {
  await database.execute(
    sql`UPDATE node_command SET answer = ${JSON.stringify(answer)}::jsonb
        WHERE id = ${id} AND node_id = ${nodeId} AND answer IS NULL`,
  );
}

/** At which ports the nodes of a line group serve: those of the node that spoke last, if any did. */
export async function portsOfNode(
  database: Queryable,
  lineGroupId: number,
): Promise<{ http?: number; https?: number }> {
  const node = await onlineNode(database, lineGroupId);
  if (!node?.state) return {};
  const { http_ports: [http] = [], https_ports: [https] = [] } = node.state;
  return { ...(http === undefined ? {} : { http }), ...(https === undefined ? {} : { https }) };
}

/** A node that serves a line group and was heard of lately: the one that spoke last. */
export async function onlineNode(
  database: Queryable,
  lineGroupId: number,
): Promise<{ id: number; name: string; state: Partial<NodeState> | null } | undefined> {
  const [row] = await rowsOf<{ id: number; name: string; state: Partial<NodeState> | null }>(
    database,
    sql`SELECT n.id, n.name, n.state FROM node n JOIN node_line_group l ON l.node_id = n.id
        WHERE l.line_group_id = ${lineGroupId} AND n.enabled
          AND n.status_time > now() - make_interval(secs => ${nodeSilentSeconds})
        ORDER BY n.status_time DESC LIMIT 1`,
  );
  return row;
}

/** A node that serves a line group: the one that is wanted, else the one that spoke last. */
export async function nodeOfGroup(
  database: Queryable,
  lineGroupId: number,
  nodeId: number | undefined,
): Promise<{ id: number; name: string; online: boolean } | undefined> {
  const [row] = await rowsOf<{ id: number; name: string; online: boolean }>(
    database,
    sql`SELECT n.id, n.name,
          n.enabled AND coalesce(n.status_time > now() - make_interval(secs => ${nodeSilentSeconds}), false) AS online
        FROM node n JOIN node_line_group l ON l.node_id = n.id
        WHERE l.line_group_id = ${lineGroupId} ${nodeId === undefined ? sql`` : sql`AND n.id = ${nodeId}`}
        ORDER BY online DESC, n.status_time DESC NULLS LAST LIMIT 1`,
  );
  return row;
}
