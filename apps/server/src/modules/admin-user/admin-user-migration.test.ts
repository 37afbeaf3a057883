import { readdirSync, readFileSync } from 'node:fs';
import { adminPermissions, builtinGroups, shippedPermissions } from '@breakwater/contract';
import { cloneDatabase, type TestDatabase } from '@breakwater/test-world';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../db/database.ts';
import { adminGroup, adminUser, knownPermission } from '../../db/schema.ts';
import { introducePermissions } from './introduce-permissions.ts';

let copy: TestDatabase;
let database: Database;
beforeAll(async () => {
  copy = await cloneDatabase(inject('templateUrl'));
  database = openDatabase(copy.url);
});
afterAll(async () => {
  await database.close();
  await copy.drop();
});

/** What the migration does that made groups rows, once more. */
async function migrate() {
  const folder = new URL('../../db/migrations/', import.meta.url);
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const statements = texts
    .find((text) => text.includes('INSERT INTO "admin_group"'))!
    .split('--> statement-breakpoint')
    .filter((statement) => /"(admin_user|admin_group|known_permission)"/.test(statement));
  for (const statement of statements) await database.db.execute(sql.raw(statement));
}

async function tablesAsBefore() {
  const { db } = database;
  await db.execute(
    sql`ALTER TABLE admin_user DROP COLUMN group_id, DROP COLUMN version, ADD COLUMN "group" text NOT NULL`,
  );
  await db.execute(sql`DROP TABLE admin_group, known_permission`);
  for (const group of builtinGroups)
    await db.execute(
      sql`INSERT INTO admin_user (username, password_hash, "group") VALUES (${group}, '', ${group})`,
    );
}

const heldBy = async (name: string) => {
  const [row] = await database.db.select().from(adminGroup).where(eq(adminGroup.name, name));
  return row!.permissions;
};

it('keeps everybody in the group they were in, with its rights', async () => {
  await tablesAsBefore();
  await migrate();
  await introducePermissions(database);
  const rows = await database.db
    .select({ username: adminUser.username, builtin: adminGroup.builtin, held: adminGroup.permissions })
    .from(adminUser)
    .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId));
  expect(rows).toHaveLength(builtinGroups.length);
  for (const { username, builtin, held } of rows) {
    expect(builtin).toBe(username);
    expect(held).toEqual(shippedPermissions(builtin!));
  }
});

it('gives a new permission to the shipped groups that it names and to whoever held all before, and no old one back', async () => {
  const { db } = database;
  const old = adminPermissions.filter((name) => !name.startsWith('area.'));
  await db.delete(knownPermission).where(inArray(knownPermission.name, ['area.read', 'area.write']));
  await db
    .update(adminGroup)
    .set({ permissions: ['tag.read'], name: 'support' })
    .where(eq(adminGroup.builtin, 'support'));
  await db.insert(adminGroup).values([
    { name: 'everything', permissions: old },
    { name: 'almost', permissions: old.slice(1) },
  ]);
  await Promise.all([introducePermissions(database), introducePermissions(database)]);
  expect(await heldBy('support')).toEqual(['tag.read', 'area.read']);
  expect(await heldBy('everything')).toEqual([...old, 'area.read', 'area.write']);
  expect(await heldBy('almost')).toEqual(old.slice(1));
});
