import { productRoutes } from '@breakwater/contract';
import { and, asc, eq } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, countOf, nameOf } from '../../db/page.ts';
import { lineGroup, order, product } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { removeLevel } from '../site-level/site-level.service.ts';

export const productModule = implement(
  productRoutes,
  crud(productRoutes, 'Product', 'Products', {
    table: product,
    subject: 'product',
    orderBy: [asc(product.name)],
    filter: ({ name, delisted }) =>
      and(contains(product.name, name), delisted && eq(product.delisted, delisted === 'yes')),
    constraints: {
      product_name_unique: ['name', 'name_taken'],
      product_line_group_id_line_group_id_fk: ['line_group_id', 'does_not_exist'],
    },
    fields: {
      line_group_name: nameOf(lineGroup, product.lineGroupId),
      order_count: countOf(order, eq(order.productId, product.id)),
    },
    follow: async (tx, change) => {
      if (change.kind === 'removed') await removeLevel(tx, { level: 'product', target_id: change.before.id });
    },
  }),
);
