import { areaRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { createArea, getArea, listAreas, removeArea, updateArea } from './area.store.ts';

export const areaModule = implement(areaRoutes, {
  listAreas: ({ services, query }) => listAreas(services.db, query),
  getArea: ({ services, params }) => getArea(services.db, params.id),
  createArea: async ({ services, body }) => ({ id: await createArea(services.db, body) }),
  updateArea: async ({ services, params, body }) => {
    await updateArea(services.db, params.id, body);
    return {};
  },
  removeArea: async ({ services, params }) => {
    await removeArea(services.db, params.id);
    return {};
  },
});
