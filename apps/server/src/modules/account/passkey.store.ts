import type { Passkey } from '@breakwater/contract';
import { and, desc, eq } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { passkey } from '../../db/schema.ts';
import type { Session } from '../../plugins/session.ts';
import { recordOwn } from './account-event.ts';
import { ownedBy, ownerColumns, type Account } from './session.store.ts';

const passkeysMax = 20;

export async function listPasskeys(
  db: Db,
  account: Account,
  query: { current_page: number; page_size: number },
) {
  const where = ownedBy(passkey, account);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(passkey).where(where).orderBy(desc(passkey.id)).limit(limit).offset(offset),
    db.$count(passkey, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function credentialIdsOf(db: Db, account: Account): Promise<string[]> {
  const rows = await db.select().from(passkey).where(ownedBy(passkey, account));
  return rows.map((row) => row.credentialId);
}

type NewPasskey = Pick<
  typeof passkey.$inferInsert,
  'name' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'relyingParty'
>;

export async function addPasskey(db: Db, account: Session, values: NewPasskey): Promise<number> {
  if ((await db.$count(passkey, ownedBy(passkey, account))) >= passkeysMax) throw new ApiError('too_many');
  return db.transaction(async (tx) => {
    const [row] = await mapConstraints({ passkey_credentialId_unique: ['name', 'passkey_known'] }, () =>
      tx
        .insert(passkey)
        .values({ ...ownerColumns(account), ...values })
        .returning({ id: passkey.id }),
    );
    await recordOwn(tx, account, 'passkey_added', { facts: { passkey: values.name } });
    return row!.id;
  });
}

const one = (account: Account, id: number) => and(ownedBy(passkey, account), eq(passkey.id, id));

/** Throws `stale_version` where it was renamed since that version. */
export async function renamePasskey(
  db: Db,
  account: Account,
  id: number,
  { name, version }: { name: string; version: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(passkey).where(one(account, id)).for('update');
    if (!before) throw notFound();
    if (before.version !== version) throw new ApiError('stale_version');
    await tx
      .update(passkey)
      .set({ name, version: version + 1 })
      .where(eq(passkey.id, id));
  });
}

export async function removePasskey(db: Db, account: Session, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.delete(passkey).where(one(account, id)).returning({ name: passkey.name });
    if (!row) throw notFound();
    await recordOwn(tx, account, 'passkey_removed', { facts: { passkey: row.name } });
  });
}

function present(row: typeof passkey.$inferSelect): Passkey {
  return {
    id: row.id,
    name: row.name,
    relying_party: row.relyingParty,
    last_used_at: isoOrNull(row.lastUsedAt),
    version: row.version,
    created_at: iso(row.createdAt),
  };
}
