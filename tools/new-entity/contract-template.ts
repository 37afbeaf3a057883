import type { Names } from './names.ts';

export const contractFile = ({
  snake,
  camel,
  pascal,
  pascals,
  title,
  titles,
  words,
}: Names): string => `import * as z from 'zod';
import {
  created,
  dateTime,
  description,
  id,
  idParams,
  listOf,
  listQuery,
  name,
  nothing,
  optionalText,
} from './common.ts';
import { defineRoutes } from './define.ts';

export const ${camel}Input = z.strictObject({ name, description: description.default('') });
export const ${camel} = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type ${pascal} = z.infer<typeof ${camel}>;

export const ${camel}Routes = defineRoutes({
  list${pascals}: {
    method: 'GET',
    path: '/prod-api/${snake}',
    summary: '${titles} by name.',
    access: { kind: 'admin', permission: '${snake}.read' },
    query: listQuery({ name: optionalText }),
    response: listOf(${camel}),
  },
  get${pascal}: {
    method: 'GET',
    path: '/prod-api/${snake}/{id}',
    summary: 'One ${words}.',
    access: { kind: 'admin', permission: '${snake}.read' },
    params: idParams,
    response: ${camel},
  },
  create${pascal}: {
    method: 'POST',
    path: '/prod-api/${snake}',
    summary: '${title}: create.',
    access: { kind: 'admin', permission: '${snake}.write' },
    body: ${camel}Input,
    response: created,
  },
  update${pascal}: {
    method: 'PUT',
    path: '/prod-api/${snake}/{id}',
    summary: '${title}: change.',
    access: { kind: 'admin', permission: '${snake}.write' },
    params: idParams,
    body: ${camel}Input,
    response: nothing,
  },
  remove${pascal}: {
    method: 'DELETE',
    path: '/prod-api/${snake}/{id}',
    summary: '${title}: delete.',
    access: { kind: 'admin', permission: '${snake}.write' },
    params: idParams,
    response: nothing,
  },
});
`;
