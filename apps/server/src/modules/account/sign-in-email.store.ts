import { eq, sql } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { client, member } from '../../db/schema.ts';

const emailLock = 728_142;

/**
 * Customers and their members sign in by e-mail at one place, so that no two of them have the same. To be called by
 * whoever has just written one: each of both tables refuses its own doubles, this one those between them. Two who take
 * the same e-mail at once take turns, and the second one finds it taken.
 */
export async function assertEmailFree(tx: Transaction, email: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${emailLock}, hashtext(${email}))`);
  const clients = await tx.$count(client, eq(client.email, email));
  const members = await tx.$count(member, eq(member.email, email));
  if (clients + members > 1) throw invalid('email', 'email_taken');
}
