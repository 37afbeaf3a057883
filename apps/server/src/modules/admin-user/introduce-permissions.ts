import { adminPermissions, permissions, type BuiltinGroup } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { adminGroup, knownPermission } from '../../db/schema.ts';
import { lockAdministrators } from './admin-rights.ts';

/**
 * Hands out what the catalogue has gained since the last start: to the shipped groups that it names, and to every group
 * that held all there was, for else nobody could ever grant it. What operators took from a group before stays taken.
 */
export async function introducePermissions({ db }: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const known = (await tx.select().from(knownPermission)).map(({ name }) => name);
    const added = adminPermissions.filter((name) => !known.includes(name));
    if (added.length === 0) return;
    await tx.insert(knownPermission).values(added.map((name) => ({ name })));
    const before = adminPermissions.filter((name) => known.includes(name));
    for (const group of await tx.select().from(adminGroup)) {
      const heldAll = before.length > 0 && before.every((name) => group.permissions.includes(name));
      const gained = added.filter((name) => heldAll || isShippedTo(name, group.builtin));
      if (gained.length > 0)
        await tx
          .update(adminGroup)
          .set({ permissions: [...group.permissions, ...gained], version: group.version + 1 })
          .where(eq(adminGroup.id, group.id));
    }
  });
}

const isShippedTo = (name: keyof typeof permissions, group: BuiltinGroup | null): boolean =>
  group !== null && (permissions[name].shipped as readonly BuiltinGroup[]).includes(group);
