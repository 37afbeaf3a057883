import { and, eq } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { member } from '../../db/schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hashPassword } from '../../password.ts';
import type { Session } from '../../plugins/session.ts';
import { owned, type Scope } from '../../scope.ts';
import { endSessions } from '../account/session.store.ts';
import { resetSignIn } from '../account/two-factor.store.ts';
import { checkRights } from './member-rights.ts';

interface Author {
  session: Session;
  scope: Scope;
}

/** Ends the sessions that were opened with the old password. One's own is changed where the old one is asked for. */
export async function changeMemberPassword(
  db: Database['db'],
  author: Author,
  id: number,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await record(tx, author, 'password_changed', await lockMember(tx, author, id));
    await tx.update(member).set({ passwordHash }).where(eq(member.id, id));
    await endSessions(tx, { kind: 'member', id });
  });
}

/** For somebody who lost their authenticator app and the recovery codes. Ends their sessions. */
export async function resetMemberTwoFactor(db: Database['db'], author: Author, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await record(tx, author, 'two_factor_disabled', await lockMember(tx, author, id));
    await resetSignIn(tx, { kind: 'member', id });
  });
}

/** A member of the author's, who holds nothing that the author does not hold, and is not the author. */
async function lockMember(tx: Transaction, { session, scope }: Author, id: number) {
  if (session.kind === 'member' && session.id === id) throw new ApiError('own_account');
  const [before] = await tx
    .select()
    .from(member)
    .where(and(eq(member.id, id), owned(member, scope)))
    .for('update');
  if (!before) throw notFound();
  await checkRights(tx, session, { before });
  return before;
}

const record = (
  tx: Transaction,
  { session: actor }: Author,
  kind: 'password_changed' | 'two_factor_disabled',
  { id, name, clientId }: { id: number; name: string; clientId: number },
) => recordEvent(tx, { kind, subject: { kind: 'member', id, name }, clientId, actor });
