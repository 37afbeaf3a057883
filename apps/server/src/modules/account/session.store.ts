import type { AccountSession } from '@breakwater/contract';
import { and, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { accountSession, member } from '../../db/schema.ts';

/** Somebody who signs in. */
export interface Account {
  kind: 'admin' | 'client' | 'member';
  id: number;
}
interface Owned {
  adminUserId: PgColumn;
  clientId: PgColumn;
  memberId: PgColumn;
}

/** Where it stands whose a row is. */
const ownerColumn = { admin: 'adminUserId', client: 'clientId', member: 'memberId' } as const;

/** The rows of an account, in any table of what accounts have. */
export const ownedBy = (table: Owned, { kind, id }: Account) => eq(table[ownerColumn[kind]], id);

/** Whose a row is. */
export function accountOf(row: { [Column in keyof Owned]: number | null }): Account | undefined {
  const kinds = Object.keys(ownerColumn) as Account['kind'][];
  const kind = kinds.find((each) => row[ownerColumn[each]] !== null);
  return kind && { kind, id: row[ownerColumn[kind]]! };
}

export const ownerColumns = ({ kind, id }: Account): { [Column in keyof Owned]?: number } => ({
  [ownerColumn[kind]]: id,
});

const userAgentMax = 500;

interface NewSession {
  ip: string;
  userAgent: string;
  seconds: number;
}

/** Part of the caller's transaction, which holds the row of the account: a new password then ends this session too. */
export async function openSession(
  tx: Db,
  account: Account,
  { ip, userAgent, seconds }: NewSession,
): Promise<string> {
  const [row] = await tx
    .insert(accountSession)
    .values({
      ...ownerColumns(account),
      ip,
      userAgent: userAgent.slice(0, userAgentMax),
      expiresAt: new Date(Date.now() + seconds * 1000),
    })
    .returning({ id: accountSession.id });
  return row!.id;
}

export async function listSessions(
  db: Db,
  account: Account,
  currentId: string,
  query: { current_page: number; page_size: number },
) {
  const where = and(ownedBy(accountSession, account), gt(accountSession.expiresAt, new Date()));
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(accountSession)
      .where(where)
      .orderBy(desc(accountSession.lastUsedAt), desc(accountSession.id))
      .limit(limit)
      .offset(offset),
    db.$count(accountSession, where),
  ]);
  const present = (row: typeof accountSession.$inferSelect): AccountSession => ({
    id: row.id,
    current: row.id === currentId,
    user_agent: row.userAgent,
    ip: row.ip,
    last_used_at: iso(row.lastUsedAt),
    created_at: iso(row.createdAt),
    expires_at: iso(row.expiresAt),
  });
  return listPage(query, rows.map(present), total);
}

export async function endSession(db: Db, account: Account, id: string): Promise<void> {
  const rows = await db
    .delete(accountSession)
    .where(and(ownedBy(accountSession, account), eq(accountSession.id, id)))
    .returning({ id: accountSession.id });
  if (rows.length === 0) throw notFound();
}

/** Ends the sessions of an account, but for `exceptId`. */
export async function endSessions(db: Db, account: Account, exceptId?: string): Promise<void> {
  const others = exceptId === undefined ? undefined : ne(accountSession.id, exceptId);
  await db.delete(accountSession).where(and(ownedBy(accountSession, account), others));
}

/** Ends the sessions of a customer, and of all members of their account. */
export async function endCustomerSessions(db: Db, clientId: number): Promise<void> {
  await endSessions(db, { kind: 'client', id: clientId });
  const members = db.select({ id: member.id }).from(member).where(eq(member.clientId, clientId));
  await db.delete(accountSession).where(inArray(accountSession.memberId, members));
}

/** Forgets sessions that are over. */
export async function pruneSessions(db: Db): Promise<void> {
  await db.delete(accountSession).where(lt(accountSession.expiresAt, new Date()));
}
