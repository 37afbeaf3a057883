import type { adminUserCreateInput, adminUserUpdateInput, Permission } from '@breakwater/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Database, Db, Transaction } from '../../db/database.ts';
import { contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { adminGroup, adminUser } from '../../db/schema.ts';
import { hashPassword } from '../../password.ts';
import { changeAdministrators, holdsAll } from './admin-rights.ts';

interface Author {
  id: number;
  permissions: ReadonlySet<Permission>;
}
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

export async function listAdminUsers(db: Db, author: Author, query: AdminUserFilter) {
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

export async function getAdminUser(db: Db, author: Author, id: number) {
  const [row] = await selectUsers(db).where(eq(adminUser.id, id));
  if (!row) throw notFound();
  return present(row, author);
}

export async function createAdminUser(
  database: Database,
  author: Author,
  { password, ...input }: z.infer<typeof adminUserCreateInput>,
): Promise<number> {
  const passwordHash = await hashPassword(password);
  return changeAdministrators(database, author, async (tx, held) => {
    await checkGroup(tx, held, input.group_id);
    const [row] = await mapConstraints(constraints, () =>
      tx
        .insert(adminUser)
        .values({ ...columnsOf(input), passwordHash })
        .returning({ id: adminUser.id }),
    );
    return row!.id;
  });
}

/** Disabling an administrator ends their sessions. */
export function updateAdminUser(
  database: Database,
  author: Author,
  id: number,
  { version, ...input }: z.infer<typeof adminUserUpdateInput>,
): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    const before = await readWithin(tx, held, id);
    if (before.version !== version) throw new ApiError('stale_version');
    if (input.group_id !== before.groupId) await checkGroup(tx, held, input.group_id);
    const sessionEpoch = before.sessionEpoch + (input.enabled ? 0 : 1);
    await mapConstraints(constraints, () =>
      tx
        .update(adminUser)
        .set({ ...columnsOf(input), sessionEpoch, version: version + 1 })
        .where(eq(adminUser.id, id)),
    );
  });
}

/** Ends the sessions that were opened with the old password. */
export async function changeAdminPassword(
  database: Database,
  author: Author,
  id: number,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await changeAdministrators(database, author, async (tx, held) => {
    await readWithin(tx, held, id);
    await tx
      .update(adminUser)
      .set({ passwordHash, sessionEpoch: sql`${adminUser.sessionEpoch} + 1` })
      .where(eq(adminUser.id, id));
  });
}

export function removeAdminUser(database: Database, author: Author, id: number): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    await readWithin(tx, held, id);
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
    })
    .from(adminUser)
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
    .$dynamic();
}

function present(
  { user: row, group, permissions }: Awaited<ReturnType<typeof selectUsers>>[number],
  author: Author,
) {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    group_id: row.groupId,
    group,
    enabled: row.enabled,
    beyond: !holdsAll(author.permissions, permissions),
    last_login_ip: row.lastLoginIp,
    last_login_at: isoOrNull(row.lastLoginAt),
    version: row.version,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
