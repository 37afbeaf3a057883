import type { profileInput } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { invalid, mapConstraints } from '../../api-error.ts';
import { adminUser, client } from '../../db/schema.ts';
import { changesOf } from '../../events/record-event.ts';
import { hashPassword } from '../../password.ts';
import { sessionIdOf, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { recordOwn } from './account-event.ts';
import { endSessions } from './session.store.ts';
import { confirmPassword, findAccount } from './sign-in.service.ts';

/** Whoever has a session for a moment shall not take over the account: the e-mail is how a customer signs in. */
export async function updateProfile(
  services: Services,
  request: FastifyRequest,
  session: Session,
  { name, email, password }: z.infer<typeof profileInput>,
): Promise<void> {
  const { db } = services;
  const isClient = session.kind === 'client';
  if (isClient && name === '') throw invalid('name', 'required');
  if (isClient && email === '') throw invalid('email', 'required');
  const before = await findAccount(db, session);
  if (email !== before.email) {
    if (password === undefined) throw invalid('password', 'required');
    await confirmPassword(services, request, session, { password });
  }
  await db.transaction(async (tx) => {
    if (isClient)
      await mapConstraints({ client_email_unique: ['email', 'email_taken'] }, () =>
        tx
          .update(client)
          .set({ name, email, version: sql`${client.version} + 1` })
          .where(eq(client.id, session.id)),
      );
    else
      await tx
        .update(adminUser)
        .set({ name, email, version: sql`${adminUser.version} + 1` })
        .where(eq(adminUser.id, session.id));
    const changes = changesOf({ name: before.name, email: before.email }, { name, email });
    if (changes.length > 0) await recordOwn(tx, session, 'updated', { changes });
  });
}

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
    if (session.kind === 'admin')
      await tx.update(adminUser).set({ passwordHash }).where(eq(adminUser.id, session.id));
    else await tx.update(client).set({ passwordHash }).where(eq(client.id, session.id));
    await endSessions(tx, session, sessionIdOf(session));
    await recordOwn(tx, session, 'password_changed');
  });
}
