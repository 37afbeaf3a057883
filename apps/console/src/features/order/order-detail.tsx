import type { Order } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAccount } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { OrderStatus } from '../../domain/order-status.tsx';
import { useActivityTab } from '../../frame/activity.tsx';
import { useText } from '../../i18n/text.ts';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts, type Fact } from '../../kit/facts.tsx';
import { formatMoney } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { RowActions } from '../../kit/row-actions.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { Time } from '../../kit/time.tsx';
import { useOrderActions } from './order-actions.tsx';
import { orderText } from './order.text.ts';

/** The page of an order, of operators and of the customer whose it is. */
export function OrderDetail() {
  const t = useText(orderText);
  const activityTab = useActivityTab('order');
  const kit = useText(kitText);
  const { role } = useAccount();
  return (
    <DetailPage
      read={useApi('getOrder', { params: { id: useIdParam() } })}
      label={t.title}
      back={{ target: to.orders(), label: t.title }}
      title={(order) => order.another_name || order.order_no}
      subtitle={(order) => <OrderStatus status={order.status} />}
      actions={(order) => <Actions order={order} />}
      tabs={(order) => [
        {
          id: 'overview',
          label: kit.overview,
          content: () => <Overview order={order} admin={role === 'admin'} />,
        },
        ...activityTab(order.id),
      ]}
    />
  );
}

function Actions({ order }: { order: Order }) {
  const navigate = useNavigate();
  const { actionsFor, dialogs } = useOrderActions({ leave: () => navigate(to.orders()) });
  return (
    <>
      <RowActions name={order.order_no} actions={() => actionsFor(order)} />
      {dialogs}
    </>
  );
}

function Overview({ order, admin }: { order: Order; admin: boolean }) {
  const t = useText(orderText);
  // Customers know neither other customers nor line groups.
  const forAdmins: Fact[] = [
    {
      label: t.client,
      value: <TextLink target={to.clientDetail({ id: order.client_id })}>{order.client_name}</TextLink>,
    },
    {
      label: t.lineGroup,
      value: (
        <>
          <TextLink target={to.lineGroupDetail({ id: order.line_group_id })}>
            {order.line_group_name}
          </TextLink>
          {/* A move takes a while, and may have left sites behind that failed. */}
          {order.sites_elsewhere > 0 && (
            <>
              {' · '}
              <TextLink target={to.tasks({ type: 'order_move', object_id: order.id })}>
                {t.sitesElsewhere(order.sites_elsewhere)}
              </TextLink>
            </>
          )}
        </>
      ),
    },
  ];
  return (
    <Section title={t.overview}>
      <Facts
        facts={[
          { label: t.no, value: order.order_no },
          {
            label: t.product,
            value: (
              <TextLink target={to.productDetail({ id: order.product_id })}>{order.product_name}</TextLink>
            ),
          },
          ...(admin ? forAdmins : []),
          { label: t.cycle, value: t.cycles[order.cycle] },
          { label: t.price, value: order.price === 0 ? t.free : formatMoney(order.price) },
          { label: t.sites, value: order.site_count },
          { label: t.start, value: <Time at={order.start_at} /> },
          { label: t.end, value: order.end_at === null ? t.noEnd : <Time at={order.end_at} /> },
          { label: t.created, value: <Time at={order.created_at} /> },
          { label: t.notes, value: order.notes, wide: true },
        ]}
      />
    </Section>
  );
}
