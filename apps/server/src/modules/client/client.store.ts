import type { clientCreateInput } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Database } from '../../db/database.ts';
import { client } from '../../db/schema.ts';
import { recordEvent, type Actor } from '../../events/record-event.ts';
import { hashPassword } from '../../password.ts';
import { endSessions } from '../account/session.store.ts';
import { assertEmailFree } from '../account/sign-in-email.store.ts';
import { resetSignIn } from '../account/two-factor.store.ts';

export const clientConstraints: Parameters<typeof mapConstraints>[0] = {
  client_email_unique: ['email', 'email_taken'],
};

/** Somebody who signs up. */
export async function signUpClient(
  db: Database['db'],
  { password, ...fields }: z.input<typeof clientCreateInput>,
): Promise<number> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [row] = await mapConstraints(clientConstraints, () =>
      tx
        .insert(client)
        .values({ ...fields, passwordHash })
        .returning(),
    );
    const { id, name, email } = row!;
    await assertEmailFree(tx, email);
    const actor = { kind: 'client', id, name } as const;
    await recordEvent(tx, { kind: 'created', subject: actor, clientId: id, actor });
    return id;
  });
}

/** Ends the sessions that were opened with the old password. */
export async function changeClientPassword(
  db: Database['db'],
  actor: Actor,
  id: number,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const [row] = await tx.update(client).set({ passwordHash }).where(eq(client.id, id)).returning();
    if (!row) throw notFound();
    await endSessions(tx, { kind: 'client', id });
    const subject = { kind: 'client', id, name: row.name } as const;
    await recordEvent(tx, { kind: 'password_changed', subject, clientId: id, actor });
  });
}

/** For somebody who lost their authenticator app and the recovery codes. Ends their sessions. */
export async function resetClientTwoFactor(db: Database['db'], actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(client).where(eq(client.id, id));
    if (!row) throw notFound();
    await resetSignIn(tx, { kind: 'client', id });
    const subject = { kind: 'client', id, name: row.name } as const;
    await recordEvent(tx, { kind: 'two_factor_disabled', subject, clientId: id, actor });
  });
}
