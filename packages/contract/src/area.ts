import * as z from 'zod';
import { description, name, optionalText } from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';

/** An area is where nodes stand; it orders them, nothing more. */
export const areaInput = z.strictObject({ name, description: description.optional() });
export const area = entity({ name: z.string(), description: z.string(), node_count: z.int() });
export type Area = z.infer<typeof area>;

export const areaRoutes = defineRoutes(
  crudRoutes('Area', 'Areas', {
    path: 'area',
    owner: 'platform',
    permission: 'area',
    input: areaInput,
    item: area,
    filters: { name: optionalText },
    summaries: { list: 'List areas by name.', remove: 'Delete an area that has no nodes.' },
  }),
);
