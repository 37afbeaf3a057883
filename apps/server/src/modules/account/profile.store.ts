import type { profileInput } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints } from '../../api-error.ts';
import { adminUser, client, member } from '../../db/schema.ts';
import type { Transaction } from '../../db/database.ts';
import { changesOf } from '../../events/record-event.ts';
import { hashPassword } from '../../password.ts';
import { sessionIdOf, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { recordOwn } from './account-event.ts';
import { endSessions } from './session.store.ts';
import { assertEmailFree } from './sign-in-email.store.ts';
import { confirmPassword } from './sign-in.service.ts';

/**
 * Whoever has a session for a moment shall not take over the account: the e-mail is how customers and their members sign in.
 * Throws `stale_version` where the account was changed since that version.
 */
export async function updateProfile(
  services: Services,
  request: FastifyRequest,
  session: Session,
  { name, email, password, version }: z.infer<typeof profileInput> & { version: number },
): Promise<void> {
  const { db } = services;
  const isCustomer = session.kind !== 'admin';
  if (isCustomer && name === '') throw invalid('name', 'required');
  if (isCustomer && email === '') throw invalid('email', 'required');
  const { table, id } = rowOf(session);
  const own = { name: table.name, email: table.email, version: table.version };
  const [known] = await db.select(own).from(table).where(eq(table.id, id));
  // First of all: a form that is older takes somebody's new e-mail for its own change, and has nowhere to ask for the password.
  if (known?.version !== version) throw new ApiError('stale_version');
  if (email !== known.email) {
    if (password === undefined) throw invalid('password', 'required');
    await confirmPassword(services, request, session, { password });
  }
  await db.transaction(async (tx) => {
    const [found] = await tx.select(own).from(table).where(eq(table.id, id)).for('update');
    if (found?.version !== version) throw new ApiError('stale_version');
    const { version: _, ...before } = found;
    await writeProfile(tx, session, { name, email });
    const changes = changesOf(before, { name, email });
    if (changes.length > 0) await recordOwn(tx, session, 'updated', { changes });
  });
}

async function writeProfile(
  tx: Transaction,
  session: Session,
  fields: { name: string; email: string },
): Promise<void> {
  const { table, id } = rowOf(session);
  const write = () =>
    tx
      .update(table)
      .set({ ...fields, version: sql`${table.version} + 1` })
      .where(eq(table.id, id));
  await mapConstraints(
    { client_email_unique: ['email', 'email_taken'], member_email_unique: ['email', 'email_taken'] },
    write,
  );
  if (session.kind !== 'admin') await assertEmailFree(tx, fields.email);
}

/** The row that an account has its name, e-mail and password in. */
const rowOf = ({ kind, id }: Session) => ({
  table: { admin: adminUser, client, member }[kind],
  id,
});

/** Ends all sessions but the one that asks. */
export async function changeOwnPassword(
  services: Services,
  request: FastifyRequest,
  session: Session,
  input: { current_password: string; password: string },
): Promise<void> {
  await confirmPassword(services, request, session, {
    password: input.current_password,
    path: 'current_password',
  });
  const passwordHash = await hashPassword(input.password);
  await services.db.transaction(async (tx) => {
    const { table, id } = rowOf(session);
    await tx.update(table).set({ passwordHash }).where(eq(table.id, id));
    await endSessions(tx, session, sessionIdOf(session));
    await recordOwn(tx, session, 'password_changed');
  });
}
