import type { Form, Names } from './names.ts';

const uniqueName = ({ snake }: Names, owner: Form['owner']): string =>
  owner === 'client' ? `${snake}_client_name_unique` : `${snake}_name_unique`;

export function tableFile(names: Names, { owner, secret, operation }: Form): string {
  const { snake, camel } = names;
  const isOwned = owner === 'client';
  const unique = uniqueName(names, owner);
  const columns = [
    'id: id(),',
    isOwned
      ? `/** Null: the platform's. */\n  clientId: integer().references(() => client.id, { onDelete: 'cascade' }),`
      : '',
    isOwned ? 'name: text().notNull(),' : `name: text().notNull().unique('${unique}'),`,
    `description: text().notNull().default(''),`,
    secret ? 'secret: sealed(),' : '',
    operation ? 'checkedAt: moment(),' : '',
    'version: version(),',
    'createdAt: createdAt(),',
    'updatedAt: updatedAt(),',
  ];
  const shared = `createdAt, id, ${operation ? 'moment, ' : ''}${secret ? 'sealed, ' : ''}updatedAt, version`;
  return `import { ${isOwned ? 'integer, pgTable, text, unique' : 'pgTable, text'} } from 'drizzle-orm/pg-core';
import { ${shared} } from '../../db/columns.ts';
${isOwned ? `import { client } from '../client/client.table.ts';\n` : ''}
export const ${camel} = pgTable('${snake}', {
  ${columns.filter((line) => line !== '').join('\n  ')}
}${isOwned ? `, (table) => [unique('${unique}').on(table.clientId, table.name).nullsNotDistinct()]` : ''});
`;
}

export const routesFile = (
  names: Names,
  { owner, operation }: Form,
): string => `import { ${names.camel}Routes } from '@breakwater/contract';
import { asc } from 'drizzle-orm';
import { ${operation ? 'begins, ' : ''}crud } from '../../crud.ts';
import { contains } from '../../db/page.ts';
import { ${names.camel} } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
${operation ? `import { ${names.camel}CheckJob } from './${names.kebab}.job.ts';\n` : ''}
export const ${names.camel}Module = implement(${names.camel}Routes, {
  ...crud(${names.camel}Routes, '${names.pascal}', '${names.pascals}', {
    table: ${names.camel},
    subject: '${names.snake}',
    orderBy: [asc(${names.camel}.name)],
    filter: ({ name }) => contains(${names.camel}.name, name),
    constraints: { ${uniqueName(names, owner)}: ['name', 'name_taken'] },
  }),
${operation ? `  check${names.pascal}: begins(${names.camel}, '${names.snake}', ${names.camel}CheckJob),\n` : ''}});
`;

/** What its job does, so that all of it is there: it notes when it was done. */
export const jobFile = ({ snake, camel }: Names): string => `import { eq } from 'drizzle-orm';
import { ${camel} } from '../../db/schema.ts';
import { defineJob, doubling } from '../../jobs/define-job.ts';

export const ${camel}CheckJob = defineJob({
  kind: '${snake}_check',
  attempts: 3,
  backoffSeconds: doubling(60),
  timeoutSeconds: 300,
  run: ({ item, transact }) =>
    transact(async (tx) => {
      await tx.update(${camel}).set({ checkedAt: new Date() }).where(eq(${camel}.id, Number(item.key)));
      return { state: 'done' };
    }),
});
`;

export const testFile = ({
  camel,
  pascal,
  words,
}: Names): string => `import { startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

// What all entities do is tested in crud.test.ts, who may call what in access.test.ts and test-fuzz.

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
});
afterAll(() => world.close());

test('a check is a task, and says when it was done', async () => {
  const params = await world.admin.get('create${pascal}', { body: { name: unique('${words}') } });
  const { task_id } = await world.admin.get('check${pascal}', { params });
  await waitFor('the check', async () => {
    const { status } = await world.admin.get('getTask', { params: { id: task_id } });
    return status === 'done';
  });
  const ${camel} = await world.admin.get('get${pascal}', { params });
  expect(${camel}.checked_at).not.toBeNull();
});
`;

/** Its row in the table of \`crud.test.ts\`. */
export const crudTestRow = ({ snake }: Names, { secret }: Form): string =>
  `  { path: '${snake}', subject: '${snake}', fields: () => ({ description: 'one'${secret ? `, secret: 'a secret'` : ''} }), unique: 'name', change: { description: 'another' } },`;
