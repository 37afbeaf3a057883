import { areaRoutes } from '@breakwater/contract';
import { asc, eq } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, countOf } from '../../db/page.ts';
import { area, node } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';

export const areaModule = implement(
  areaRoutes,
  crud(areaRoutes, 'Area', 'Areas', {
    table: area,
    subject: 'area',
    orderBy: [asc(area.name)],
    filter: ({ name }) => contains(area.name, name),
    constraints: { area_name_unique: ['name', 'name_taken'] },
    fields: { node_count: countOf(node, eq(node.areaId, area.id)) },
  }),
);
