import { searchRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { searchEntities } from './search.store.ts';

export const searchModule = implement(searchRoutes, {
  search: async ({ services, scope, session, query }) => ({
    hits: await searchEntities(services.db, scope, session.permissions, query.keyword),
  }),
});
