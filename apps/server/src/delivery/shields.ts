import type { NodeState, ShieldGroup, ShieldOrder } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';
import { ensureAuthority } from './edge-authority.ts';
import { rowsOf } from './queryable.ts';

interface Row {
  line_group_id: number;
  mode: ShieldGroup['mode'];
  is_shield: boolean;
  shields: ShieldGroup['shields'];
  members: number[];
}

/**
 * What a node is to know of the shields of its line groups: whom to ask, or who may ask. Named as shields are only nodes that
 * listen; whether they answer is found by those who ask. Nothing for a node that knows of no shields.
 */
export async function shieldOrderOf(
  db: Db,
  secrets: Secrets,
  nodeId: number,
  { shield }: NodeState,
): Promise<ShieldOrder | undefined> {
  if (shield === undefined) return undefined;
  const groups = await rowsOf<Row>(
    db,
    sql`SELECT g.id AS line_group_id, g.l2_mode AS mode, l.level = 'L2' AS is_shield,
          coalesce((SELECT jsonb_agg(jsonb_build_object('node_id', n.id, 'ip', i.ip, 'port', n.state #> '{shield,port}') ORDER BY n.id)
            FROM node_line_group o JOIN node n ON n.id = o.node_id
              CROSS JOIN LATERAL (SELECT ip FROM node_ip WHERE node_id = n.id AND enabled ORDER BY id LIMIT 1) i
            WHERE o.line_group_id = g.id AND o.level = 'L2' AND l.level = 'L1' AND n.enabled
              AND n.state #> '{shield,is_listening}' = 'true'), '[]') AS shields,
          ARRAY(SELECT n.id FROM node_line_group o JOIN node n ON n.id = o.node_id
            WHERE o.line_group_id = g.id AND o.level = 'L1' AND l.level = 'L2' AND n.enabled ORDER BY n.id) AS members
        FROM node_line_group l JOIN line_group g ON g.id = l.line_group_id
        WHERE l.node_id = ${nodeId} AND g.l2_enable
          AND EXISTS (SELECT FROM node_line_group o WHERE o.line_group_id = g.id AND o.level = 'L2')
        ORDER BY g.id`,
  );
  if (groups.length === 0) return { groups };
  return { groups, authority: (await ensureAuthority(db, secrets)).certificate };
}
