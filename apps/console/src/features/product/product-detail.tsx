import { cycles, readTips, type Product } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { Tips } from '../../domain/tips.tsx';
import { useActivityTab } from '../../frame/activity.tsx';
import { useText } from '../../i18n/text.ts';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { formatCount } from '../../kit/format.ts';
import { useIdParam } from '../../kit/id-param.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { RowActions } from '../../kit/row-actions.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useProductActions } from './product-actions.tsx';
import { ProductOrders } from './product-orders.tsx';
import { limitsOf, priceOf, statusOf } from './product-words.ts';
import { productText } from './product.text.ts';

export function ProductDetail() {
  const t = useText(productText);
  const kit = useText(kitText);
  const may = useMay();
  const activityTab = useActivityTab('product');
  return (
    <DetailPage
      read={useApi('getProduct', { params: { id: useIdParam() } })}
      label={t.title}
      back={{ target: to.products(), label: t.title }}
      title={({ name }) => name}
      subtitle={(product) => <StatusChip {...statusOf(t, product)} />}
      actions={(product) => <Actions product={product} />}
      tabs={(product) => [
        { id: 'overview', label: kit.overview, content: () => <Overview product={product} /> },
        ...(may('listOrders')
          ? [{ id: 'orders', label: t.ordersTab, content: () => <ProductOrders product={product} /> }]
          : []),
        ...activityTab(product.id),
      ]}
    />
  );
}

function Actions({ product }: { product: Product }) {
  const t = useText(productText);
  const navigate = useNavigate();
  const { actionsFor, dialogs } = useProductActions({ leave: () => navigate(to.products()) });
  return (
    <>
      <LinkButton
        target={to.productDefaults({ id: product.id })}
        icon="setting"
        color="inherit"
        variant="outlined"
      >
        {t.defaults}
      </LinkButton>
      <RowActions name={product.name} actions={() => actionsFor(product)} />
      {dialogs}
    </>
  );
}

/** What is sold, and for how much. */
function Overview({ product }: { product: Product }) {
  const t = useText(productText);
  const tips = readTips(product.prompts, '{cname}');
  return (
    <Stack sx={{ gap: 3 }}>
      <Section title={t.overview}>
        <Facts
          facts={[
            {
              label: t.lineGroup,
              value: (
                <TextLink target={to.lineGroupDetail({ id: product.line_group_id })}>
                  {product.line_group_name}
                </TextLink>
              ),
            },
            { label: t.stock, value: product.stock === null ? t.unlimited : formatCount(product.stock) },
            { label: t.orders, value: formatCount(product.order_count) },
            { label: t.created, value: <Time at={product.created_at} /> },
            { label: t.updated, value: <Time at={product.updated_at} /> },
            { label: t.description, value: product.description, wide: true },
          ]}
        />
      </Section>
      <Section title={t.prices}>
        <Facts
          columns={4}
          facts={cycles.map((cycle) => ({
            label: t.cycles[cycle],
            value: priceOf(t, product.prices[cycle]),
          }))}
        />
      </Section>
      <Section title={t.limits}>
        <Facts
          facts={limitsOf(t).map(([field, label]) => {
            const most = product.limits[field] ?? null;
            return { label, value: most === null ? t.unlimited : formatCount(most) };
          })}
        />
      </Section>
      {tips.length > 0 && (
        <Section title={t.prompts} hint={t.promptsShown}>
          <Tips tips={tips} />
        </Section>
      )}
    </Stack>
  );
}
