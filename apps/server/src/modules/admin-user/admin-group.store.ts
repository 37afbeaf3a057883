import {
  builtinGroupText,
  builtinGroups,
  type BuiltinGroup,
  type adminGroupInput,
  type adminGroupUpdateInput,
} from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Database, Db, Transaction } from '../../db/database.ts';
import { among, contains, iso, listPage, pageOf } from '../../db/page.ts';
import { adminGroup, adminUser } from '../../db/schema.ts';
import { changesOf, recordEvent } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import { changeAdministrators, holdsAll, inCatalogue } from './admin-rights.ts';

type GroupInput = z.infer<typeof adminGroupInput>;
const constraints = { admin_group_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;

interface GroupFilter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
}

export async function listAdminGroups(db: Db, query: GroupFilter) {
  const { limit, offset } = pageOf(query);
  const where = and(among(adminGroup.id, query.ids), isCalled(query.name));
  const [rows, total] = await Promise.all([
    selectGroups(db).where(where).orderBy(asc(adminGroup.id)).limit(limit).offset(offset),
    db.$count(adminGroup, where),
  ]);
  return listPage(query, rows.map(present), total);
}

/** A shipped group that nobody renamed has its name in the contract, in each language. */
function isCalled(text: string | undefined): SQL | undefined {
  if (!text) return undefined;
  const part = text.toLowerCase();
  const shipped = builtinGroups.filter((group) =>
    [builtinGroupText.zh, builtinGroupText.en].some((names) =>
      names[group].name.toLowerCase().includes(part),
    ),
  );
  return or(
    contains(adminGroup.name, text),
    and(isNull(adminGroup.name), inArray(adminGroup.builtin, shipped)),
  );
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

export function createAdminGroup(database: Database, author: Session, input: GroupInput): Promise<number> {
  return changeAdministrators(database, author, async (tx, held) => {
    const permissions = within(held, input.permissions);
    const [row] = await mapConstraints(constraints, () =>
      tx
        .insert(adminGroup)
        .values({ ...wording(null, input), permissions })
        .returning(),
    );
    await record(tx, author, 'created', undefined, row!);
    return row!.id;
  });
}

export function updateAdminGroup(
  database: Database,
  author: Session,
  id: number,
  { version, ...input }: z.infer<typeof adminGroupUpdateInput>,
): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    const before = await readWithin(tx, held, id);
    if (before.version !== version) throw new ApiError('stale_version');
    const permissions = within(held, input.permissions);
    const [after] = await mapConstraints(constraints, () =>
      tx
        .update(adminGroup)
        .set({ ...wording(before.builtin, input), permissions, version: version + 1 })
        .where(eq(adminGroup.id, id))
        .returning(),
    );
    await record(tx, author, 'updated', before, after!);
  });
}

/** Throws `in_use` while somebody belongs to it. */
export function removeAdminGroup(database: Database, author: Session, id: number): Promise<void> {
  return changeAdministrators(database, author, async (tx, held) => {
    const before = await readWithin(tx, held, id);
    await mapConstraints({}, () => tx.delete(adminGroup).where(eq(adminGroup.id, id)));
    await record(tx, author, 'removed', before, undefined);
  });
}

type Row = typeof adminGroup.$inferSelect;

function record(
  tx: Transaction,
  actor: Session,
  kind: 'created' | 'updated' | 'removed',
  before: Row | undefined,
  after: Row | undefined,
): Promise<void> {
  const row = (after ?? before)!;
  const name = row.name ?? (row.builtin === null ? '' : builtinGroupText.en[row.builtin].name);
  const told = (of: Row | undefined) =>
    of && {
      name: of.name,
      description: of.description,
      // By name, so that what came and what went is said, not what moved.
      permissions: Object.fromEntries(of.permissions.map((held) => [held, true])),
    };
  return recordEvent(tx, {
    kind,
    subject: { kind: 'admin_group', id: row.id, name },
    actor,
    data: { changes: after ? changesOf(told(before), told(after)) : [] },
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
function wording(builtin: BuiltinGroup | null, { name, description = name }: GroupInput) {
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
