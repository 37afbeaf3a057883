import { clientRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { settleSuspensions } from '../site/site.service.ts';
import {
  changeClientPassword,
  createClient,
  getClient,
  listClients,
  removeClient,
  updateClient,
} from './client.store.ts';

/** A request waits for so many sites; the rest follows within a minute. */
const sitesAtOnceMax = 200;

export const clientModule = implement(clientRoutes, {
  listClients: ({ services, query }) => listClients(services.db, query),
  getClient: ({ services, params }) => getClient(services.db, params.id),
  createClient: async ({ services, body }) => ({ id: await createClient(services.db, body) }),
  updateClient: async ({ services, params, body }) => {
    await updateClient(services.db, params.id, body);
    await settleSuspensions(services, { clientId: params.id, limit: sitesAtOnceMax });
    return {};
  },
  changeClientPassword: async ({ services, params, body }) => {
    await changeClientPassword(services.db, params.id, body.password);
    return {};
  },
  removeClient: async ({ services, params }) => {
    await removeClient(services.db, params.id);
    return {};
  },
});
