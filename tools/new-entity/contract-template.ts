import type { Form, Names } from './names.ts';

export const contractFile = (
  { snake, camel, pascal, pascals, manyWords, words }: Names,
  { owner, secret, operation }: Form,
): string => `import * as z from 'zod';
import { ${operation ? 'dateTime, ' : ''}description, ${operation ? 'id, idParams, ' : ''}${secret ? 'inputText, ' : ''}name, optionalText } from './common.ts';
import { crudRoutes, ${owner === 'client' ? 'ownedEntity' : 'entity'} } from './crud.ts';
import { defineRoutes } from './define.ts';
${secret ? `import { secretField } from './secret.ts';\n` : ''}
export const ${camel}Input = z.strictObject({
  name,
  description: description.optional(),
  ${secret ? `...secretField('secret', inputText().max(500)),` : ''}
});
export const ${camel} = ${owner === 'client' ? 'ownedEntity' : 'entity'}({
  name: z.string(),
  description: z.string(),
  ${secret ? 'secret_set: z.boolean(),' : ''}
  ${operation ? 'checked_at: dateTime.nullable(),' : ''}
});
export type ${pascal} = z.infer<typeof ${camel}>;

export const ${camel}Routes = defineRoutes({
  ...crudRoutes('${pascal}', '${pascals}', {
    path: '${snake}',
    owner: '${owner}',
    permission: '${snake}',
    input: ${camel}Input,
    item: ${camel},
    filters: { name: optionalText },
    summaries: { list: 'List ${manyWords} by name.' },
  }),
${operation ? checkRoute(snake, pascal, words, owner) : ''}});
`;

const checkRoute = (
  snake: string,
  pascal: string,
  words: string,
  owner: Form['owner'],
): string => `  check${pascal}: {
    method: 'POST',
    path: '/prod-api/${snake}/{id}/check',
    summary: 'Check one ${words}. Runs as a task.',
    access: { kind: '${owner === 'client' ? 'both' : 'admin'}', permission: '${snake}.write' },
    params: idParams,
    response: z.strictObject({ task_id: id }),
  },
`;
