import { lineGroupRoutes } from '@breakwater/contract';
import { asc, eq } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, countOf } from '../../db/page.ts';
import { lineGroup, nodeLineGroup, site } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { extendBans } from '../site-reject/site-reject.service.ts';
import { bindNodes, listLineGroupNodes } from './line-group.store.ts';

export const lineGroupModule = implement(lineGroupRoutes, {
  ...crud(lineGroupRoutes, 'LineGroup', 'LineGroups', {
    table: lineGroup,
    subject: 'line_group',
    orderBy: [asc(lineGroup.name)],
    filter: ({ name }) => contains(lineGroup.name, name),
    constraints: { line_group_name_unique: ['name', 'name_taken'] },
    follow: async (tx, { before, after }) => {
      if (!before) await extendBans(tx, after.id);
    },
    fields: {
      node_count: countOf(nodeLineGroup, eq(nodeLineGroup.lineGroupId, lineGroup.id)),
      site_count: countOf(site, eq(site.lineGroupId, lineGroup.id)),
    },
  }),
  listLineGroupNodes: ({ services, params, query }) => listLineGroupNodes(services.db, params.id, query),
  bindNodes: async ({ services, session, params, body }) => {
    await bindNodes(services.db, session, params.id, body);
    return {};
  },
});
