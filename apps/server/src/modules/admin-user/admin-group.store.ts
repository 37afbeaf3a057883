import {
  builtinGroupText,
  builtinGroups,
  type BuiltinGroup,
  type adminGroupInput,
  type adminGroupUpdateInput,
} from '@breakwater/contract';
import { asc, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Database, Db, Transaction } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { adminGroup, adminUser } from '../../db/schema.ts';
import { changeAdministrators, holdsAll, inCatalogue } from './admin-rights.ts';

type GroupInput = z.infer<typeof adminGroupInput>;
type Author = { id: number };
const constraints = { admin_group_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;

export async function listAdminGroups(db: Db, query: { current_page: number; page_size: number }) {
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectGroups(db).orderBy(asc(adminGroup.id)).limit(limit).offset(offset),
    db.$count(adminGroup),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getAdminGroup(db: Db, id: number) {
  const [row] = await selectGroups(db).where(eq(adminGroup.id, id));
  if (!row) throw notFound();
  return present(row);
}

/** The shipped group of an installation that has it still. */
export async function builtinGroupId(db: Db, builtin: BuiltinGroup): Promise<number> {
  const [row] = await db
    .select({ id: adminGroup.id })
    .from(adminGroup)
    .where(eq(adminGroup.builtin, builtin));
  if (!row) throw notFound();
  return row.id;
}

export function createAdminGroup(database: Database, author: Author, input: GroupInput): Promise<number> {
  return changeAdministrators(database, author, async (tx, held) => {
    const permissions = within(held, input.permissions);
    const [row] = await mapConstraints(constraints, () =>
      tx
        .insert(adminGroup)
        .values({ ...wording(null, input), permissions })
        .returning({ id: adminGroup.id }),
    );
    return row!.id;
  });
}

export function updateAdminGroup(
  database: Database,
  author: Author,
  id: number,
  { version, ...input }: z.infer<typeof adminGroupUpdateInput>,
): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    const before = await readWithin(tx, held, id);
    if (before.version !== version) throw new ApiError('stale_version');
    const permissions = within(held, input.permissions);
    await mapConstraints(constraints, () =>
      tx
        .update(adminGroup)
        .set({ ...wording(before.builtin, input), permissions, version: version + 1 })
        .where(eq(adminGroup.id, id)),
    );
  });
}

/** Throws `in_use` while somebody belongs to it. */
export function removeAdminGroup(database: Database, author: Author, id: number): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    await readWithin(tx, held, id);
    await mapConstraints({}, () => tx.delete(adminGroup).where(eq(adminGroup.id, id)));
  });
}

/** A group that holds more than one does oneself is for others to change. */
async function readWithin(tx: Transaction, held: ReadonlySet<string>, id: number) {
  const [row] = await tx.select().from(adminGroup).where(eq(adminGroup.id, id));
  if (!row) throw notFound();
  if (!holdsAll(held, row.permissions)) throw new ApiError('beyond_permissions');
  return row;
}

/** What a group is to hold: nothing that whoever writes it does not hold. */
function within(held: ReadonlySet<string>, permissions: readonly string[]) {
  if (!holdsAll(held, permissions)) throw invalid('permissions', 'permission_beyond');
  return inCatalogue(permissions);
}

/** Name and description as they are stored: the texts that a group was shipped with are none of its own. */
function wording(builtin: BuiltinGroup | null, { name, description }: GroupInput) {
  const shipped = (group: BuiltinGroup) => [builtinGroupText.zh[group], builtinGroupText.en[group]];
  for (const group of builtinGroups)
    if (group !== builtin && shipped(group).some((text) => text.name === name))
      throw invalid('name', 'name_taken');
  const own = builtin === null ? [] : shipped(builtin);
  return {
    name: own.some((text) => text.name === name) ? null : name,
    description: own.some((text) => text.description === description) ? null : description,
  };
}

function selectGroups(db: Db) {
  return db
    .select({
      group: adminGroup,
      userCount: db.$count(adminUser, eq(adminUser.groupId, adminGroup.id)),
    })
    .from(adminGroup)
    .$dynamic();
}

function present({ group: row, userCount }: Awaited<ReturnType<typeof selectGroups>>[number]) {
  return {
    id: row.id,
    builtin: row.builtin,
    name: row.name,
    description: row.description,
    permissions: inCatalogue(row.permissions),
    user_count: userCount,
    version: row.version,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
