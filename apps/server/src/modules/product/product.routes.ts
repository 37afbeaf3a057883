import { productRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { createProduct, getProduct, listProducts, removeProduct, updateProduct } from './product.store.ts';

export const productModule = implement(productRoutes, {
  listProducts: ({ services, query }) => listProducts(services.db, query),
  getProduct: ({ services, params }) => getProduct(services.db, params.id),
  createProduct: async ({ services, body }) => ({ id: await createProduct(services.db, body) }),
  updateProduct: async ({ services, params, body }) => {
    await updateProduct(services.db, params.id, body);
    return {};
  },
  removeProduct: async ({ services, params }) => {
    await removeProduct(services.db, params.id);
    return {};
  },
});
