import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { node } from '../../db/schema.ts';
import { integers, rowsOf } from '../../delivery/queryable.ts';
import type { LogClaim } from '../../logs/log-store.ts';

/**
 * Of what log lines say whose traffic they are, that which this node has no say in. Its own are sites of its line groups, and
 * those that it had in the past, for lines may come late; the customer and the order have to be the site's. Requests to no
 * site of ours are of nobody.
 */
export async function foreignClaims(
  db: Db,
  nodeId: number,
  claims: readonly LogClaim[],
): Promise<LogClaim[]> {
  if (claims.length === 0) return [];
  return rowsOf<LogClaim>(
    db,
    sql`SELECT c.site_id, c.client_id, c.order_id
        FROM unnest(${integers(claims.map((claim) => claim.site_id))}, ${integers(claims.map((claim) => claim.client_id))},
          ${integers(claims.map((claim) => claim.order_id))}) AS c (site_id, client_id, order_id)
        WHERE NOT (c.site_id = 0 AND c.client_id = 0 AND c.order_id = 0)
          AND NOT coalesce(
            EXISTS (SELECT FROM "order" o WHERE o.id = c.order_id AND o.client_id = c.client_id)
            AND c.client_id = ${ownerOfSite}
            AND ${servesOrServed(nodeId)}, false)`,
  );
}

/** Of a site that is deleted its tasks still tell. */
const ownerOfSite = sql`coalesce(
  (SELECT s.client_id FROM site s WHERE s.id = c.site_id),
  (SELECT t.client_id FROM operation t WHERE t.subject_kind = 'site' AND t.subject_id = c.site_id ORDER BY t.id DESC LIMIT 1))`;

/** Documents of deleted sites stay as a mark; of groups that the node has left, the parts of its tasks tell. */
const servesOrServed = (nodeId: number) => sql`(
  EXISTS (SELECT FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
    WHERE l.node_id = ${nodeId} AND d.kind = 'site' AND d.key = c.site_id::text)
  OR EXISTS (SELECT FROM operation_item p WHERE p.node_id = ${nodeId} AND p.kind = 'site' AND p.key = c.site_id::text))`;

/** Adds to the node's count, which its page and the metrics show. */
export async function countForeignLines(db: Db, nodeId: number, lines: number): Promise<void> {
  await db.execute(
    sql`UPDATE ${node} SET log_lines_foreign = log_lines_foreign + ${lines} WHERE id = ${nodeId}`,
  );
}
