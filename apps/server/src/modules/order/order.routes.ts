import { orderRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { moveOrder } from '../site/site.service.ts';
import { createOrder, getOrder, listOrders, removeOrder, updateOrderTexts } from './order.store.ts';

export const orderModule = implement(orderRoutes, {
  listOrders: ({ services, scope, query }) => listOrders(services.db, scope, query),
  getOrder: ({ services, scope, params }) => getOrder(services.db, scope, params.id),
  createOrder: async ({ services, session, body }) => ({ id: await createOrder(services.db, session, body) }),
  updateOrderNotes: async ({ services, session, params, body }) => {
    await updateOrderTexts(services.db, session, params.id, body);
    return {};
  },
  updateOrderAnotherName: async ({ services, session, params, body }) => {
    await updateOrderTexts(services.db, session, params.id, body);
    return {};
  },
  changeOrderLineGroup: ({ services, session, params, body }) =>
    moveOrder(services.db, session, params.id, body),
  removeOrder: async ({ services, session, params }) => {
    await removeOrder(services.db, session, params.id);
    return {};
  },
});
