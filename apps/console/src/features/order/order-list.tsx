import { cycles, orderStatuses, orderRoutes } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { clientChoices, productChoices } from '../../api/options.ts';
import { OrderStatus } from '../../domain/order-status.tsx';
import { orderStatusText } from '../../domain/order-status.text.ts';
import { useAdding } from '../../frame/editing.tsx';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { formatMoney } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useOrderActions } from './order-actions.tsx';
import { OrderCreateForm } from './order-form.tsx';
import { orderText } from './order.text.ts';

const orders = listOf('listOrders', orderRoutes.listOrders.query);
export const { firstRead } = orders;

const useColumns = orders.columns(orderText, (t, column) => [
  column.name(t.no, (order) => order.order_no, {
    target: ({ id }) => to.orderDetail({ id }),
    note: (order) => order.another_name,
  }),
  column.owner(t.client),
  {
    id: 'product_name',
    header: t.product,
    cell: ({ product_id: id, product_name: name }) => (
      <TextLink target={to.productDetail({ id })}>{name}</TextLink>
    ),
  },
  column.text('line_group_name', t.lineGroup, { hidden: true }),
  {
    id: 'price',
    header: t.price,
    align: 'right',
    cell: ({ price, cycle }) => `${price === 0 ? t.free : formatMoney(price)} · ${t.cycles[cycle]}`,
  },
  { id: 'status', header: t.status, cell: (order) => <OrderStatus status={order.status} />, whole: true },
  column.count('site_count', t.sites),
  column.time('end_at', t.end, { relative: true, never: t.noEnd }),
  column.time('created_at', t.created, { hidden: true }),
]);

/** Orders of all customers for operators, one's own for a customer. */
export function OrderList() {
  const t = useText(orderText);
  const admin = useAccount().role === 'admin';
  const list = orders.use();
  const { client_id: clientId, product_id: productId } = list.search;
  const { add, dialog } = useAdding({
    create: 'createOrder',
    text: t,
    form: (close) => <OrderCreateForm clientId={clientId} productId={productId} onClose={close} />,
  });
  const actions = useOrderActions();
  return (
    <Page title={t.title} subtitle={admin ? t.subtitle : t.ownSubtitle} actions={admin && add}>
      <ListTable
        id="orders"
        list={list}
        text={{ ...t, emptyHint: admin ? t.emptyHint : t.emptyHintCustomer }}
        icon="order"
        add={admin && add}
        columns={useColumns()}
        filters={useFilters()}
        rowName={(order) => order.order_no}
        rowActions={actions.actionsFor}
      />
      {dialog}
      {actions.dialogs}
    </Page>
  );
}

/** The order of the list is among them: its columns are not sorted by their heads. */
function useFilters() {
  const t = useText(orderText);
  const statuses = useText(orderStatusText);
  return [
    textFilter('username', t.username, { role: 'admin' }),
    remoteFilter('product_id', t.product, productChoices, {
      folded: true,
      role: 'admin',
      needs: 'listProducts',
    }),
    remoteFilter('client_id', t.client, clientChoices, { role: 'admin', needs: 'listClients' }),
    selectFilter('status', t.status, choices(orderStatuses, statuses)),
    selectFilter('cycle', t.cycle, choices(cycles, t.cycles), { folded: true }),
    selectFilter('sort_by', t.sortBy, choices(['created_at', 'end_at', 'price'], t.sortKeys), {
      folded: true,
      byDefault: 'created_at',
    }),
    selectFilter('sort_order', t.sortOrder, choices(['desc', 'asc'], t.sortOrders), {
      folded: true,
      byDefault: 'desc',
    }),
  ];
}
