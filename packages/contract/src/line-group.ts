import * as z from 'zod';
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

/** A line group is a set of nodes that serve the same sites. */
export const lineGroupInput = z.strictObject({ name, description: description.default('') });
export const lineGroup = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  node_count: z.int(),
  site_count: z.int(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type LineGroup = z.infer<typeof lineGroup>;

export const lineGroupRoutes = defineRoutes({
  listLineGroups: {
    method: 'GET',
    path: '/prod-api/line_group',
    summary: 'Line groups by name.',
    access: { kind: 'admin', permission: 'line_group.read' },
    query: listQuery({ name: optionalText }),
    response: listOf(lineGroup),
  },
  getLineGroup: {
    method: 'GET',
    path: '/prod-api/line_group/{id}',
    summary: 'One line group.',
    access: { kind: 'admin', permission: 'line_group.read' },
    params: idParams,
    response: lineGroup,
  },
  createLineGroup: {
    method: 'POST',
    path: '/prod-api/line_group',
    summary: 'Create a line group.',
    access: { kind: 'admin', permission: 'line_group.write' },
    body: lineGroupInput,
    response: created,
  },
  updateLineGroup: {
    method: 'PUT',
    path: '/prod-api/line_group/{id}',
    summary: 'Change a line group.',
    access: { kind: 'admin', permission: 'line_group.write' },
    params: idParams,
    body: lineGroupInput,
    response: nothing,
  },
  removeLineGroup: {
    method: 'DELETE',
    path: '/prod-api/line_group/{id}',
    summary: 'Delete a line group that no product or order uses.',
    access: { kind: 'admin', permission: 'line_group.write' },
    params: idParams,
    response: nothing,
  },
  listLineGroupNodes: {
    method: 'GET',
    path: '/prod-api/line_group/{id}/nodes',
    summary: 'The nodes of a line group.',
    access: { kind: 'admin', permission: 'line_group.read' },
    params: idParams,
    query: listQuery({}),
    response: listOf(z.strictObject({ id, name: z.string(), ip: z.string(), enabled: z.boolean() })),
  },
  bindNodes: {
    method: 'PUT',
    path: '/prod-api/line_group/{id}/bind_nodes',
    summary: 'Bind nodes to a line group, which get its sites, and unbind others, which drop them.',
    access: { kind: 'admin', permission: 'line_group.write' },
    params: idParams,
    body: z.strictObject({
      add: z.array(id).max(2000).default([]),
      remove: z.array(id).max(2000).default([]),
    }),
    response: nothing,
  },
});
