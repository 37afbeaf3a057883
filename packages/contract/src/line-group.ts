import * as z from 'zod';
import { description, id, idParams, listOf, listQuery, name, nothing, optionalText } from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { nodeLevels, shieldModes } from './shield.ts';

/** A line group is a set of nodes that serve the same sites. */
export const lineGroupInput = z.strictObject({
  name,
  description: description.optional(),
  /** Whether its L2 nodes stand between the others and the origins, and for which requests. */
  l2_enable: z.boolean().optional(),
  l2_mode: z.enum(shieldModes).optional(),
  /** Domains without a confirmed filing number are not served (docs/filings.md). */
  filing_required: z.boolean().optional(),
});
export const lineGroup = entity({
  name: z.string(),
  description: z.string(),
  l2_enable: z.boolean(),
  l2_mode: z.enum(shieldModes),
  filing_required: z.boolean(),
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
    response: listOf(
      z.strictObject({
        id,
        name: z.string(),
        ip: z.string(),
        enabled: z.boolean(),
        level: z.enum(nodeLevels),
        /** It listens for other nodes. */
        shield_ready: z.boolean(),
      }),
    ),
  },
  bindNodes: {
    method: 'PUT',
    path: '/prod-api/line_group/{id}/bind_nodes',
    summary:
      'Set the nodes of a line group. Added nodes receive its sites, removed nodes stop serving them. L2 nodes are asked by the others in place of origins.',
    access: { kind: 'admin', permission: 'line_group.write' },
    params: idParams,
    body: z.strictObject({
      add: z.array(id).max(2000).default([]),
      remove: z.array(id).max(2000).default([]),
      /** Of those added; of nodes that are bound already, the new one. */
      level: z.enum(nodeLevels).default('L1'),
    }),
    response: nothing,
  },
});
