import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { addressList } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { limitOf } from '../customer-limit/customer-limit.service.ts';

/** How many entries all lists of a list's owner may hold; null without end. Before the list is locked. */
export async function entriesLimit(tx: Transaction, id: number): Promise<number | null> {
  const [row] = await tx
    .select({ clientId: addressList.clientId })
    .from(addressList)
    .where(eq(addressList.id, id));
  const owner = row?.clientId ?? null;
  return owner === null ? null : limitOf(tx, owner, 'address_list_entries');
}

/** How many entries the other lists of its owner hold. */
export async function otherEntries(tx: Transaction, id: number): Promise<number> {
  const [row] = await rowsOf<{ entries: number }>(
    tx,
    sql`SELECT coalesce(sum(o.entry_count), 0)::int AS entries FROM address_list l
        JOIN address_list o ON o.client_id = l.client_id AND o.id <> l.id WHERE l.id = ${id}`,
  );
  return row!.entries;
}
