import { cycles, productRoutes, type Product } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAdding } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useProductActions } from './product-actions.tsx';
import { ProductForm } from './product-form.tsx';
import { priceOf, statusOf } from './product-words.ts';
import { productText } from './product.text.ts';

const products = listOf('listProducts', productRoutes.listProducts.query);
export const { firstRead } = products;

const useColumns = products.columns(productText, (t, column) => {
  const limit = (value: number | null) => (value === null ? t.unlimited : formatCount(value));
  return [
    column.name(t.name, ({ name }) => name, {
      target: ({ id }) => to.productDetail({ id }),
      note: ({ description }) => description,
    }),
    {
      id: 'lineGroup',
      header: t.lineGroup,
      cell: ({ line_group_id: id, line_group_name: name }) => (
        <TextLink target={to.lineGroupDetail({ id })}>{name}</TextLink>
      ),
    },
    { id: 'prices', header: t.prices, cell: ({ prices }) => <Prices prices={prices} /> },
    { id: 'sites', header: t.sites, align: 'right', cell: ({ limits }) => limit(limits.sites) },
    {
      id: 'domains',
      header: t.domainsPerSite,
      align: 'right',
      hidden: true,
      cell: ({ limits }) => limit(limits.domains_per_site),
    },
    { id: 'stock', header: t.stock, align: 'right', hidden: true, cell: ({ stock }) => limit(stock) },
    column.count('order_count', t.orders, ({ id }) => to.orders({ product_id: id })),
    column.status(t.status, (product) => statusOf(t, product)),
    column.time('updated_at', t.updated, { hidden: true }),
  ];
});

/** Products for operators, with the way to what sites of each inherit. */
export function ProductList() {
  const t = useText(productText);
  const navigate = useNavigate();
  const { add, dialog } = useAdding({
    create: 'createProduct',
    text: t,
    form: (close) => <ProductForm product={null} onClose={close} />,
  });
  const actions = useProductActions();
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <ListTable
        id="products"
        list={products.use()}
        text={t}
        icon="product"
        add={add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={({ name }) => name}
        rowActions={(product) => [
          {
            label: t.defaults,
            icon: 'setting',
            onClick: () => void navigate(to.productDefaults({ id: product.id })),
          },
          ...actions.actionsFor(product),
        ]}
      />
      {dialog}
      {actions.dialogs}
    </Page>
  );
}

/** Only the periods that it is sold for. */
function Prices({ prices }: Pick<Product, 'prices'>) {
  const t = useText(productText);
  const sold = cycles.filter((cycle) => prices[cycle] !== null);
  if (sold.length === 0) return t.notSold;
  return sold.map((cycle) => `${t.cycles[cycle]} ${priceOf(t, prices[cycle])}`).join(' · ');
}
