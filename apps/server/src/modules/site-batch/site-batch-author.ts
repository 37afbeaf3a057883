import { operators, supporters } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { adminUser, client, type siteBatch } from '../../db/schema.ts';
import { scopeOf, type Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';

export interface BatchAuthor {
  session: Session;
  scope: Scope;
}

/** Who started a batch, if that account may still do what the batch does: a batch outlives a session. */
export async function readAuthor(
  db: Db,
  batch: Pick<typeof siteBatch.$inferSelect, 'authorType' | 'authorId' | 'kind'>,
): Promise<BatchAuthor | undefined> {
  const session =
    batch.authorType === 'admin'
      ? await readAdmin(db, batch.authorId, batch.kind === 'sync' ? supporters : operators)
      : await readClient(db, batch.authorId);
  return session && { session, scope: scopeOf(session) };
}

async function readAdmin(db: Db, id: number, groups: readonly string[]): Promise<Session | undefined> {
  const [user] = await db
    .select()
    .from(adminUser)
    .where(and(eq(adminUser.id, id), eq(adminUser.enabled, true)));
  if (!user || !groups.includes(user.group)) return undefined;
  return { kind: 'admin', id, name: user.username, group: user.group };
}

async function readClient(db: Db, id: number): Promise<Session | undefined> {
  const [user] = await db
    .select()
    .from(client)
    .where(and(eq(client.id, id), eq(client.status, 'active')));
  return user && { kind: 'client', id, name: user.name };
}
