import { cycles, orderStatuses, orderRoutes, type Order } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useProductOptions } from '../../api/options.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { formatMoney } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { useOrderActions } from './order-actions.tsx';
import { OrderCreateForm } from './order-form.tsx';
import { OrderStatus } from './order-status.tsx';
import { orderText } from './order.text.ts';

export const firstRead = firstPageOf('listOrders', orderRoutes.listOrders.query);

export function OrderList() {
  const t = useText(orderText);
  const kit = useText(kitText);
  const may = useMay();
  const { role } = useAccount();
  const [search, setSearch] = useSearchState(orderRoutes.listOrders.query);
  const orders = useApi('listOrders', { query: search }, { keepPrevious: true });
  const [adding, setAdding] = useState(false);
  const { actionsFor, dialog } = useOrderActions();
  const columns = useOrderColumns(role === 'admin');
  const add = role === 'admin' && (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={() => setAdding(true)}
      disabledReason={may('createOrder') ? undefined : kit.noPermission}
    >
      {t.add}
    </ActionButton>
  );
  const { product_id, client_id, username, cycle, status } = search;
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="orders"
        columns={columns}
        read={orders}
        rowKey={(order) => order.id}
        rowName={(order) => order.order_no}
        onPage={setSearch}
        filtered={[product_id, client_id, username, cycle, status].some((value) => value !== undefined)}
        filters={
          <FilterBar values={search} onChange={setSearch} fields={useOrderFilters(role === 'admin')} />
        }
        empty={
          <EmptyState
            icon="order"
            title={t.empty}
            hint={role === 'admin' ? t.emptyHint : t.emptyHintCustomer}
            action={add || undefined}
          />
        }
        {...(role === 'admin' ? { rowActions: actionsFor } : {})}
      />
      {adding && (
        <OrderCreateForm clientId={client_id} productId={product_id} onClose={() => setAdding(false)} />
      )}
      {dialog}
    </Page>
  );
}

function useOrderFilters(admin: boolean): FilterField[] {
  const t = useText(orderText);
  const products = useProductOptions({ enabled: admin });
  const forAdmins: FilterField[] = [
    { name: 'username', label: t.username, kind: 'text', inBar: true },
    { name: 'product_id', label: t.product, kind: 'select', options: products },
    { name: 'client_id', label: `${t.client} ID`, kind: 'number' },
  ];
  return [
    ...(admin ? forAdmins : []),
    {
      name: 'status',
      label: t.status,
      kind: 'select',
      inBar: true,
      options: orderStatuses.map((value) => ({ value, label: t.statuses[value] })),
    },
    {
      name: 'cycle',
      label: t.cycle,
      kind: 'select',
      options: cycles.map((value) => ({ value, label: t.cycles[value] })),
    },
    {
      name: 'sort_by',
      label: t.sortBy,
      kind: 'select',
      options: (['created_at', 'end_at', 'price'] as const).map((value) => ({
        value,
        label: t.sortKeys[value],
      })),
      byDefault: 'created_at',
    },
    {
      name: 'sort_order',
      label: t.sortOrder,
      kind: 'select',
      options: (['desc', 'asc'] as const).map((value) => ({ value, label: t.sortOrders[value] })),
      byDefault: 'desc',
    },
  ];
}

function useOrderColumns(admin: boolean): Column<Order>[] {
  const t = useText(orderText);
  return useMemo(() => {
    const client: Column<Order> = {
      id: 'client',
      header: t.client,
      cell: (order) => (
        <TextLink target={to.clientDetail({ id: order.client_id })}>{order.client_name}</TextLink>
      ),
    };
    return [
      {
        id: 'no',
        header: t.no,
        cell: (order) => (
          <div>
            <TextLink target={to.orderDetail({ id: order.id })}>{order.order_no}</TextLink>
            {order.another_name && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {order.another_name}
              </Typography>
            )}
          </div>
        ),
      },
      ...(admin ? [client] : []),
      { id: 'product', header: t.product, cell: (order) => order.product_name },
      { id: 'lineGroup', header: t.lineGroup, hidden: true, cell: (order) => order.line_group_name },
      {
        id: 'price',
        header: t.price,
        align: 'right',
        cell: (order) => (order.price === 0 ? t.free : formatMoney(order.price)),
      },
      { id: 'cycle', header: t.cycle, cell: (order) => t.cycles[order.cycle] },
      { id: 'status', header: t.status, cell: (order) => <OrderStatus status={order.status} /> },
      {
        id: 'sites',
        header: t.sites,
        align: 'right',
        cell: (order) => order.site_count,
      },
      {
        id: 'end',
        header: t.end,
        cell: (order) => (order.end_at === null ? t.noEnd : <Time at={order.end_at} />),
      },
      { id: 'created', header: t.created, hidden: true, cell: (order) => <Time at={order.created_at} /> },
    ];
  }, [admin, t]);
}
