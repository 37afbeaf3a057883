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
  createNode: ({ services, session, body }) => createNode(services.db, services.secrets, session, body),
  updateNode: async ({ services, session, params, body }) => {
    await updateNode(services.db, session, params.id, body);
    return {};
  },
  removeNode: async ({ services, session, params }) => {
    await removeNode(services.db, session, params.id);
    return {};
  },
  renewNodeCredentials: ({ services, session, params }) =>
    renewNodeCredentials(services.db, services.secrets, session, params.id),
  bindNodeLineGroups: async ({ services, session, params, body }) => {
    await bindNodeLineGroups(services.db, session, params.id, body);
    return {};
  },
  listNodeIps: ({ services, query }) => listNodeIps(services.db, query),
  createNodeIp: async ({ services, session, body }) => ({
    id: await createNodeIp(services.db, session, body),
  }),
  updateNodeIp: async ({ services, session, params, body }) => {
    await updateNodeIp(services.db, session, params.id, body);
    return {};
  },
  removeNodeIp: async ({ services, session, params }) => {
    await removeNodeIp(services.db, session, params.id);
    return {};
  },
});
