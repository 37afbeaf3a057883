import type { adminUserCreateInput, adminUserUpdateInput, EventKind } from '@breakwater/contract';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Database, Db, Transaction } from '../../db/database.ts';
import { contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { adminGroup, adminUser, twoFactor } from '../../db/schema.ts';
import { changesOf, recordEvent, systemActor, type Actor } from '../../events/record-event.ts';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { hashPassword } from '../../password.ts';
import type { Session } from '../../plugins/session.ts';
import { forgetAttempts } from '../account/attempt.store.ts';
import { endSessions } from '../account/session.store.ts';
import { resetSignIn } from '../account/two-factor.store.ts';
import { changeAdministrators, holdsAll, lockAdministrators } from './admin-rights.ts';

const record = (
  tx: Transaction,
  actor: Actor,
  kind: EventKind,
  { id, username }: { id: number; username: string },
  changes?: DiffEntry[],
) =>
  recordEvent(tx, {
    kind,
    subject: { kind: 'admin_user', id, name: username },
    actor,
    ...(changes === undefined ? {} : { data: { changes } }),
  });
const toldOf = ({ username, name, email, groupId, enabled }: typeof adminUser.$inferSelect) => ({
  username,
  name,
  email,
  group_id: groupId,
  enabled,
});
const constraints = { admin_user_username_unique: ['username', 'username_taken'] } as const satisfies Record<
  string,
  [string, 'username_taken']
>;

export interface AdminUserFilter {
  current_page: number;
  page_size: number;
  username?: string | undefined;
  group_id?: number | undefined;
  enabled?: 'yes' | 'no' | undefined;
}

export async function listAdminUsers(db: Db, author: Session, query: AdminUserFilter) {
  const where = and(
    contains(adminUser.username, query.username),
    query.group_id ? eq(adminUser.groupId, query.group_id) : undefined,
    query.enabled && eq(adminUser.enabled, query.enabled === 'yes'),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectUsers(db).where(where).orderBy(asc(adminUser.username)).limit(limit).offset(offset),
    db.$count(adminUser, where),
  ]);
  return listPage(
    query,
    rows.map((row) => present(row, author)),
    total,
  );
}

export async function getAdminUser(db: Db, author: Session, id: number) {
  const [row] = await selectUsers(db).where(eq(adminUser.id, id));
  if (!row) throw notFound();
  return present(row, author);
}

export async function createAdminUser(
  database: Database,
  author: Session,
  { password, ...input }: z.infer<typeof adminUserCreateInput>,
): Promise<number> {
  const passwordHash = await hashPassword(password);
  return changeAdministrators(database, author, async (tx, held) => {
    await checkGroup(tx, held, input.group_id);
    const [row] = await mapConstraints(constraints, () =>
      tx
        .insert(adminUser)
        .values({ ...columnsOf(input), passwordHash })
        .returning(),
    );
    await record(tx, author, 'created', row!, changesOf(undefined, toldOf(row!)));
    return row!.id;
  });
}

/** Disabling an administrator ends their sessions. */
export function updateAdminUser(
  database: Database,
  author: Session,
  id: number,
  { version, ...input }: z.infer<typeof adminUserUpdateInput>,
): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    const before = await readWithin(tx, held, id);
    if (before.version !== version) throw new ApiError('stale_version');
    if (input.group_id !== before.groupId) await checkGroup(tx, held, input.group_id);
    const [after] = await mapConstraints(constraints, () =>
      tx
        .update(adminUser)
        .set({ ...columnsOf(input), version: version + 1 })
        .where(eq(adminUser.id, id))
        .returning(),
    );
    await record(tx, author, 'updated', after!, changesOf(toldOf(before), toldOf(after!)));
    if (!input.enabled) await endSessions(tx, { kind: 'admin', id });
  });
}

/** Ends the sessions that were opened with the old password. One's own is changed where the old one is asked for. */
export async function changeAdminPassword(
  database: Database,
  author: Session,
  id: number,
  password: string,
): Promise<void> {
  if (id === author.id) throw new ApiError('own_account');
  const passwordHash = await hashPassword(password);
  await changeAdministrators(database, author, async (tx, held) => {
    await record(tx, author, 'password_changed', await readWithin(tx, held, id));
    await tx.update(adminUser).set({ passwordHash }).where(eq(adminUser.id, id));
    await endSessions(tx, { kind: 'admin', id });
  });
}

/** For somebody who lost their authenticator app and the recovery codes. Ends their sessions. */
export async function resetAdminTwoFactor(database: Database, author: Session, id: number): Promise<void> {
  if (id === author.id) throw new ApiError('own_account');
  await changeAdministrators(database, author, async (tx, held) => {
    await record(tx, author, 'two_factor_disabled', await readWithin(tx, held, id));
    await resetSignIn(tx, { kind: 'admin', id });
  });
}

/**
 * For whoever has the machine and lost the password: no author, so nothing that an author would have to hold. Ends the
 * sessions. Answers whether the administrator is enabled, or nothing where there is none of that name.
 */
export async function replaceLostPassword(
  { db }: Database,
  username: string,
  { password, twoFactorOff }: { password: string; twoFactorOff: boolean },
): Promise<{ enabled: boolean } | undefined> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const [row] = await tx
      .update(adminUser)
      .set({ passwordHash })
      .where(eq(adminUser.username, username))
      .returning({ id: adminUser.id, enabled: adminUser.enabled });
    if (!row) return undefined;
    const account = { kind: 'admin', id: row.id } as const;
    await record(tx, systemActor, 'password_changed', { id: row.id, username });
    if (twoFactorOff) await record(tx, systemActor, 'two_factor_disabled', { id: row.id, username });
    await (twoFactorOff ? resetSignIn(tx, account) : endSessions(tx, account));
    await forgetAttempts(tx, account, username);
    return { enabled: row.enabled };
  });
}

export function removeAdminUser(database: Database, author: Session, id: number): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    await record(tx, author, 'removed', await readWithin(tx, held, id));
    await tx.delete(adminUser).where(eq(adminUser.id, id));
  });
}

const columnsOf = ({
  group_id: groupId,
  ...fields
}: Omit<z.infer<typeof adminUserUpdateInput>, 'version'>) => ({ ...fields, groupId });

/** Whoever could change an administrator who holds more could sign in as that one. */
async function readWithin(tx: Transaction, held: ReadonlySet<string>, id: number) {
  const [row] = await selectUsers(tx).where(eq(adminUser.id, id));
  if (!row) throw notFound();
  if (!holdsAll(held, row.permissions)) throw new ApiError('beyond_permissions');
  return row.user;
}

async function checkGroup(tx: Transaction, held: ReadonlySet<string>, id: number): Promise<void> {
  const [group] = await tx.select().from(adminGroup).where(eq(adminGroup.id, id));
  if (!group) throw invalid('group_id', 'not_an_option');
  if (!holdsAll(held, group.permissions)) throw invalid('group_id', 'permission_beyond');
}

function selectUsers(db: Db) {
  return db
    .select({
      user: adminUser,
      group: { builtin: adminGroup.builtin, name: adminGroup.name },
      permissions: adminGroup.permissions,
      twoFactorAt: twoFactor.enabledAt,
    })
    .from(adminUser)
    .leftJoin(twoFactor, and(eq(twoFactor.adminUserId, adminUser.id), isNotNull(twoFactor.enabledAt)))
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
    .$dynamic();
}

function present(
  { user: row, group, permissions, twoFactorAt }: Awaited<ReturnType<typeof selectUsers>>[number],
  author: Session,
) {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    group_id: row.groupId,
    group,
    enabled: row.enabled,
    two_factor: twoFactorAt !== null,
    beyond: !holdsAll(author.permissions, permissions),
    last_login_ip: row.lastLoginIp,
    last_login_at: isoOrNull(row.lastLoginAt),
    version: row.version,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
