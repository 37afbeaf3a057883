import { lineGroupRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  bindNodes,
  createLineGroup,
  getLineGroup,
  listLineGroupNodes,
  listLineGroups,
  removeLineGroup,
  updateLineGroup,
} from './line-group.store.ts';

export const lineGroupModule = implement(lineGroupRoutes, {
  listLineGroups: ({ services, query }) => listLineGroups(services.db, query),
  getLineGroup: ({ services, params }) => getLineGroup(services.db, params.id),
  createLineGroup: async ({ services, body }) => ({ id: await createLineGroup(services.db, body) }),
  updateLineGroup: async ({ services, params, body }) => {
    await updateLineGroup(services.db, params.id, body);
    return {};
  },
  removeLineGroup: async ({ services, params }) => {
    await removeLineGroup(services.db, params.id);
    return {};
  },
  listLineGroupNodes: ({ services, params, query }) => listLineGroupNodes(services.db, params.id, query),
  bindNodes: async ({ services, params, body }) => {
    await bindNodes(services.db, params.id, body);
    return {};
  },
});
