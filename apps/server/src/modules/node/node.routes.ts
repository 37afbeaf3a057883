import { nodeRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { createNodeIp, listNodeIps, removeNodeIp, updateNodeIp } from './node-ip.store.ts';
import {
  bindNodeLineGroups,
  createNode,
  getNode,
  listNodes,
  removeNode,
  renewNodeCredentials,
  updateNode,
} from './node.store.ts';

export const nodeModule = implement(nodeRoutes, {
  listNodes: ({ services, query }) => listNodes(services.db, query),
  getNode: ({ services, params }) => getNode(services.db, params.id),
  createNode: ({ services, body }) => createNode(services.db, services.secrets, body),
  updateNode: async ({ services, params, body }) => {
    await updateNode(services.db, params.id, body);
    return {};
  },
  removeNode: async ({ services, params }) => {
    await removeNode(services.db, params.id);
    return {};
  },
  renewNodeCredentials: ({ services, params }) =>
    renewNodeCredentials(services.db, services.secrets, params.id),
  bindNodeLineGroups: async ({ services, params, body }) => {
    await bindNodeLineGroups(services.db, params.id, body.line_group_ids);
    return {};
  },
  listNodeIps: ({ services, query }) => listNodeIps(services.db, query),
  createNodeIp: async ({ services, body }) => ({ id: await createNodeIp(services.db, body) }),
  updateNodeIp: async ({ services, params, body }) => {
    await updateNodeIp(services.db, params.id, body);
    return {};
  },
  removeNodeIp: async ({ services, params }) => {
    await removeNodeIp(services.db, params.id);
    return {};
  },
});
