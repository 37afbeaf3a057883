import { cycles, orderRoutes, orderStatuses, type Product } from '@breakwater/contract';
import { OrderStatus } from '../../domain/order-status.tsx';
import { orderStatusText } from '../../domain/order-status.text.ts';
import { choices, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { priceOf } from './product-words.ts';
import { productText } from './product.text.ts';

const orders = listOf('listOrders', orderRoutes.listOrders.query);

const useColumns = orders.columns(productText, (t, column) => [
  column.name(t.orderNo, ({ order_no: no }) => no, {
    target: ({ id }) => to.orderDetail({ id }),
    note: ({ another_name: name }) => name,
  }),
  column.owner(t.client),
  {
    id: 'price',
    header: t.price,
    align: 'right',
    cell: ({ price, cycle }) => `${priceOf(t, price)} · ${t.cycles[cycle]}`,
  },
  { id: 'status', header: t.status, cell: ({ status }) => <OrderStatus status={status} />, whole: true },
  column.count('site_count', t.orderSites),
  column.time('end_at', t.end, { relative: true, never: t.noEnd }),
  column.time('created_at', t.created, { hidden: true }),
]);

/** The orders of a product. One is made in the list of all orders, which is told of which product. */
export function ProductOrders({ product }: { product: Product }) {
  const t = useText(productText);
  const statuses = useText(orderStatusText);
  return (
    <ListTable
      id="product-orders"
      list={orders.use({ narrowed: { product_id: product.id } })}
      text={{ title: t.ordersTab, empty: t.noOrders, emptyHint: t.noOrdersHint }}
      icon="order"
      actions={
        <LinkButton target={to.orders({ product_id: product.id })} color="inherit" variant="outlined">
          {t.allOrders}
        </LinkButton>
      }
      columns={useColumns()}
      filters={[
        textFilter('keyword', t.orderKeyword),
        selectFilter('status', t.status, choices(orderStatuses, statuses)),
        selectFilter('cycle', t.cycle, choices(cycles, t.cycles), { folded: true }),
      ]}
      rowName={({ order_no: no }) => no}
    />
  );
}
