import { sql } from 'drizzle-orm';
import { rowsOf, type Queryable } from './queryable.ts';

/**
 * Locks of whatever changes documents, in the order in which every transaction takes them, so that none waits in a circle:
 *
 * 1. the customer or the order, where their limits are asked;
 * 2. levels, of a change of a level (`site-level-publish.ts`);
 * 3. the site;
 * 4. claims of domains;
 * 5. what is used: certificates and lists, by id;
 * 6. levels, of a site, shared with other sites;
 * 7. uses (`edge-use.ts`), all of a transaction in one call;
 * 8. the counter, this one, from the first document that is written to the end of the transaction;
 * 9. bans (`site-reject.store.ts`), and how far nodes are (`watermark.ts`), by node;
 * 10. items of operations, then the operations.
 *
 * So whoever checks and writes anything else does it before the first document, and no transaction publishes, checks and
 * publishes again. Many sites are a task with a transaction for each.
 */
export async function lockCounter(tx: Queryable): Promise<void> {
  await tx.execute(sql`INSERT INTO delivery_counter (id) VALUES (1) ON CONFLICT (id) DO NOTHING`);
  await tx.execute(sql`SELECT revision FROM delivery_counter WHERE id = 1 FOR UPDATE`);
}

export async function allocateRevision(tx: Queryable): Promise<number> {
  const [row] = await rowsOf<{ revision: string }>(
    tx,
    sql`UPDATE delivery_counter SET revision = revision + 1 WHERE id = 1 RETURNING revision`,
  );
  return Number(row!.revision);
}

/** Of the newest revisions that a document had before: what a node has that did not come further is found among them. */
const formerMax = 32;

/** To be set whenever a row of `edge_document` gets another revision. What was before a document was gone counts no more. */
export const keepFormer = sql.raw(
  `former = CASE WHEN edge_document.deleted THEN '{}'
     ELSE (edge_document.former || edge_document.revision)[greatest(1, cardinality(edge_document.former) + ${2 - formerMax}):] END`,
);
