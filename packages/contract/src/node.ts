import * as z from 'zod';
import {
  chosenIds,
  count,
  created,
  dateTime,
  id,
  idParams,
  ipAddress,
  listOf,
  listQuery,
  pagination,
  name,
  nothing,
  optionalIdText,
  optionalText,
  inputText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { nodeState } from './node-api.ts';
import { secret } from './secret.ts';

/** `normal`: reported within `nodeSilentSeconds`; `abnormal`: it did once, and is silent or without nginx; else `unseen`. */
export const nodeStatuses = ['normal', 'abnormal', 'unseen'] as const;
export const nodeSilentSeconds = 20;

export const nodeIp = z.strictObject({
  id,
  node_id: id,
  ip: z.string(),
  enabled: z.boolean(),
  created_at: dateTime,
});
export const nodeInput = z.strictObject({
  name,
  area_id: id,
  /** The address visitors reach it at; more can be added as node_ip. */
  ip: ipAddress,
  enabled: z.boolean().default(true),
});
export const node = z.strictObject({
  id,
  name: z.string(),
  area_id: id,
  area_name: z.string(),
  ip: z.string(),
  ips: z.array(nodeIp),
  app_id: z.string(),
  enabled: z.boolean(),
  status: z.enum(nodeStatuses),
  /** Of its agent; empty until it was there. */
  agent_version: z.string(),
  state: nodeState.nullable(),
  status_time: dateTime.nullable(),
  /** Log lines that were not taken, for they were of sites that the node does not serve. */
  log_lines_foreign: count,
  line_groups: z.array(z.strictObject({ id, name: z.string() })),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type Node = z.infer<typeof node>;

/** Shown once, when made: the secret cannot be read again. */
export const nodeCredentials = z.strictObject({
  id,
  app_id: inputText().length(16),
  app_secret: secret(inputText().length(32)),
});

export const nodeRoutes = defineRoutes({
  listNodes: {
    method: 'GET',
    path: '/prod-api/node',
    summary: 'List nodes by name, with their live state.',
    access: { kind: 'admin', permission: 'node.read' },
    query: listQuery({
      // Spec §9.
      page_size: pagination.page_size.unwrap().default(200),
      ids: chosenIds,
      name: optionalText,
      ip: optionalText,
      area_id: optionalIdText,
      line_group_id: optionalIdText,
      /** Only nodes that this line group does not have. */
      without_line_group_id: optionalIdText,
    }),
    response: listOf(node),
  },
  getNode: {
    method: 'GET',
    path: '/prod-api/node/{id}',
    summary: 'Get a node.',
    access: { kind: 'admin', permission: 'node.read' },
    params: idParams,
    response: node,
  },
  createNode: {
    method: 'POST',
    path: '/prod-api/node',
    summary: 'Create a node. Its credentials are returned only once.',
    access: { kind: 'admin', permission: 'node.write' },
    body: nodeInput,
    response: nodeCredentials,
  },
  updateNode: {
    method: 'PUT',
    path: '/prod-api/node/{id}',
    summary: 'Change a node.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    body: nodeInput.extend({ version }),
    response: nothing,
  },
  removeNode: {
    method: 'DELETE',
    path: '/prod-api/node/{id}',
    summary: 'Delete a node that belongs to no line group.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    response: nothing,
  },
  renewNodeCredentials: {
    method: 'POST',
    path: '/prod-api/node/{id}/credentials',
    summary: 'Replace the secret of a node. The old one stops working immediately.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    response: nodeCredentials,
  },
  bindNodeLineGroups: {
    method: 'PUT',
    path: '/prod-api/node/{id}/bind_line_groups',
    summary: 'Set the line groups that a node serves.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    body: z.strictObject({
      line_group_ids: z.array(id).max(200),
      /** Of the node: what it serves by now is not replaced by what was chosen for an older one. */
      version: version.optional(),
    }),
    response: nothing,
  },
  listNodeIps: {
    method: 'GET',
    path: '/prod-api/node_ip',
    summary: 'List the IP addresses of nodes.',
    access: { kind: 'admin', permission: 'node.read' },
    query: listQuery({ node_id: optionalIdText }),
    response: listOf(nodeIp),
  },
  createNodeIp: {
    method: 'POST',
    path: '/prod-api/node_ip',
    summary: 'Add an IP address to a node.',
    access: { kind: 'admin', permission: 'node.write' },
    body: z.strictObject({ node_id: id, ip: ipAddress, enabled: z.boolean().default(true) }),
    response: created,
  },
  updateNodeIp: {
    method: 'PUT',
    path: '/prod-api/node_ip/{id}',
    summary: 'Enable or disable an IP address of a node.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    body: z.strictObject({ enabled: z.boolean() }),
    response: nothing,
  },
  removeNodeIp: {
    method: 'DELETE',
    path: '/prod-api/node_ip/{id}',
    summary: 'Remove an IP address from a node. A node keeps at least one.',
    access: { kind: 'admin', permission: 'node.write' },
    params: idParams,
    response: nothing,
  },
});
