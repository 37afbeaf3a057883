import * as z from 'zod';
import { description, id, idParams, listOf, listQuery, name, nothing, optionalText } from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';

/** A line group is a set of nodes that serve the same sites. */
export const lineGroupInput = z.strictObject({ name, description: description.optional() });
export const lineGroup = entity({
  name: z.string(),
  description: z.string(),
  node_count: z.int(),
  site_count: z.int(),
});
export type LineGroup = z.infer<typeof lineGroup>;

export const lineGroupRoutes = defineRoutes({
  ...crudRoutes('LineGroup', 'LineGroups', {
    path: 'line_group',
    owner: 'platform',
    permission: 'line_group',
    input: lineGroupInput,
    item: lineGroup,
    filters: { name: optionalText },
    summaries: {
      list: 'List line groups by name.',
      remove: 'Delete a line group that no product or order uses.',
    },
  }),
  listLineGroupNodes: {
    method: 'GET',
    path: '/prod-api/line_group/{id}/nodes',
    summary: 'List the nodes of a line group.',
    access: { kind: 'admin', permission: 'line_group.read' },
    params: idParams,
    query: listQuery({}),
    response: listOf(z.strictObject({ id, name: z.string(), ip: z.string(), enabled: z.boolean() })),
  },
  bindNodes: {
    method: 'PUT',
    path: '/prod-api/line_group/{id}/bind_nodes',
    summary: 'Set the nodes of a line group. Added nodes receive its sites, removed nodes stop serving them.',
    access: { kind: 'admin', permission: 'line_group.write' },
    params: idParams,
    body: z.strictObject({
      add: z.array(id).max(2000).default([]),
      remove: z.array(id).max(2000).default([]),
    }),
    response: nothing,
  },
});
