import { cycles, productRoutes, type Product } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { formatCount, formatMoney } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { ProductForm } from './product-form.tsx';
import { productText } from './product.text.ts';

export const firstRead = firstPageOf('listProducts', productRoutes.listProducts.query);

export function ProductList() {
  const t = useText(productText);
  const kit = useText(kitText);
  const may = useMay();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchState(productRoutes.listProducts.query);
  const products = useApi('listProducts', { query: search }, { keepPrevious: true });
  const remove = useChange('removeProduct');
  const [editing, setEditing] = useState<Product | 'new' | null>(null);
  const [removing, setRemoving] = useState<Product | null>(null);
  const denied = may('createProduct') ? undefined : kit.noPermission;
  const columns = useProductColumns();
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="products"
        columns={columns}
        read={products}
        rowKey={(product) => product.id}
        rowName={(product) => product.name}
        onPage={setSearch}
        filtered={search.name !== undefined}
        filters={
          <FilterBar
            fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="product" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(product) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(product), disabledReason: denied },
          {
            label: t.defaults,
            icon: 'setting',
            onClick: () => void navigate(to.productDefaults({ id: product.id })),
          },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(product),
            disabledReason: denied ?? (product.order_count > 0 ? t.hasOrders : undefined),
          },
        ]}
      />
      {editing && (
        <ProductForm product={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}

function useProductColumns(): Column<Product>[] {
  const t = useText(productText);
  return useMemo(() => {
    const limit = (value: number | null) => (value === null ? t.unlimited : formatCount(value));
    return [
      {
        id: 'name',
        header: t.name,
        cell: (product) => (
          <div>
            {product.name}
            {product.description && (
              <Typography variant="body2" sx={{ color: 'text.secondary', fontWeight: 400 }}>
                {product.description}
              </Typography>
            )}
          </div>
        ),
      },
      {
        id: 'lineGroup',
        header: t.lineGroup,
        cell: (product) => (
          <TextLink target={to.lineGroupDetail({ id: product.line_group_id })}>
            {product.line_group_name}
          </TextLink>
        ),
      },
      {
        id: 'prices',
        header: t.prices,
        cell: ({ prices }) => {
          const sold = cycles.filter((cycle) => prices[cycle] !== null);
          if (sold.length === 0) return t.notSold;
          return sold.map((cycle) => (
            <div key={cycle}>
              {t.cycles[cycle]} {prices[cycle] === 0 ? t.free : formatMoney(prices[cycle] ?? 0)}
            </div>
          ));
        },
      },
      { id: 'sites', header: t.sites, align: 'right', cell: ({ limits }) => limit(limits.sites) },
      {
        id: 'domains',
        header: t.domainsPerSite,
        align: 'right',
        hidden: true,
        cell: ({ limits }) => limit(limits.domains_per_site),
      },
      { id: 'stock', header: t.stock, align: 'right', cell: ({ stock }) => limit(stock) },
      {
        id: 'orders',
        header: t.orders,
        align: 'right',
        cell: (product) => (
          <TextLink target={to.orders({ product_id: product.id })}>{product.order_count}</TextLink>
        ),
      },
      {
        id: 'status',
        header: t.status,
        cell: ({ delisted }) => (
          <StatusChip tone={delisted ? 'neutral' : 'success'} label={delisted ? t.delisted : t.onSale} />
        ),
      },
      { id: 'updated', header: t.updated, hidden: true, cell: (product) => <Time at={product.updated_at} /> },
    ];
  }, [t]);
}
