import type { Names } from './names.ts';

export const tableFile = ({
  snake,
  camel,
}: Names): string => `import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from '../../db/columns.ts';

export const ${camel} = pgTable('${snake}', {
  id: id(),
  name: text().notNull().unique('${snake}_name_unique'),
  description: text().notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
`;

export const routesFile = ({
  kebab,
  camel,
  pascal,
  pascals,
}: Names): string => `import { ${camel}Routes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { create${pascal}, get${pascal}, list${pascals}, remove${pascal}, update${pascal} } from './${kebab}.store.ts';

export const ${camel}Module = implement(${camel}Routes, {
  list${pascals}: ({ services, query }) => list${pascals}(services.db, query),
  get${pascal}: ({ services, params }) => get${pascal}(services.db, params.id),
  create${pascal}: async ({ services, body }) => ({ id: await create${pascal}(services.db, body) }),
  update${pascal}: async ({ services, params, body }) => {
    await update${pascal}(services.db, params.id, body);
    return {};
  },
  remove${pascal}: async ({ services, params }) => {
    await remove${pascal}(services.db, params.id);
    return {};
  },
});
`;

export const storeFile = ({
  snake,
  camel,
  pascal,
  pascals,
}: Names): string => `import type { ${camel}Input } from '@breakwater/contract';
import { asc, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { ${camel} } from '../../db/schema.ts';

type ${pascal}Input = z.infer<typeof ${camel}Input>;
const constraints = { ${snake}_name_unique: ['name', 'name_taken'] } as const satisfies Record<string, [string, 'name_taken']>;

export async function list${pascals}(
  db: Db,
  query: { current_page: number; page_size: number; name?: string | undefined },
) {
  const where = contains(${camel}.name, query.name);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(${camel}).where(where).orderBy(asc(${camel}.name)).limit(limit).offset(offset),
    db.$count(${camel}, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function get${pascal}(db: Db, id: number) {
  const [row] = await db.select().from(${camel}).where(eq(${camel}.id, id));
  if (!row) throw notFound();
  return present(row);
}

export async function create${pascal}(db: Db, input: ${pascal}Input): Promise<number> {
  const [row] = await mapConstraints(constraints, () =>
    db.insert(${camel}).values(input).returning({ id: ${camel}.id }),
  );
  return row!.id;
}

export async function update${pascal}(db: Db, id: number, input: ${pascal}Input): Promise<void> {
  const rows = await mapConstraints(constraints, () =>
    db.update(${camel}).set(input).where(eq(${camel}.id, id)).returning({ id: ${camel}.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function remove${pascal}(db: Db, id: number): Promise<void> {
  const rows = await mapConstraints({}, () =>
    db.delete(${camel}).where(eq(${camel}.id, id)).returning({ id: ${camel}.id }),
  );
  if (rows.length === 0) throw notFound();
}

function present(row: typeof ${camel}.$inferSelect) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
`;

export const testFile = ({
  camel,
  pascal,
  pascals,
  words,
}: Names): string => `import { startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

// Who may call what is tested for every route in access.test.ts.

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const make = async () => {
  const body = { name: unique('${words}'), description: 'for a test' };
  const { id } = await world.admin.get('create${pascal}', { body });
  return { id, ...body };
};

test('what is created can be read, found and changed', async () => {
  const ${camel} = await make();
  const read = await world.admin.get('get${pascal}', { params: { id: ${camel}.id } });
  expect(read).toMatchObject(${camel});
  const found = await world.admin.get('list${pascals}', { query: { name: ${camel}.name } });
  expect(found).toMatchObject({ total: 1, list: [{ id: ${camel}.id }] });
  const body = { name: unique('other'), description: '' };
  await world.admin.get('update${pascal}', { params: { id: ${camel}.id }, body });
  expect(await world.admin.get('get${pascal}', { params: { id: ${camel}.id } })).toMatchObject(body);
});

test('what is deleted is gone', async () => {
  const ${camel} = await make();
  await world.admin.get('remove${pascal}', { params: { id: ${camel}.id } });
  const params = { id: ${camel}.id };
  expect(await world.admin.call('get${pascal}', { params })).toMatchObject({ status: 404, code: 40400 });
  expect(await world.admin.call('remove${pascal}', { params })).toMatchObject({ status: 404, code: 40400 });
});

test('a name that is taken or empty is refused at its field', async () => {
  const ${camel} = await make();
  const taken = await world.admin.call('create${pascal}', { body: { name: ${camel}.name } });
  expect(taken).toMatchObject({ status: 400, code: 40000, errors: [{ path: 'name' }] });
  const empty = await world.admin.call('create${pascal}', { body: { name: ' ' } });
  expect(empty).toMatchObject({ status: 400, code: 40000, errors: [{ path: 'name' }] });
});
`;
