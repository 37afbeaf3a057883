import type { Order } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { OrderMoveForm, OrderNotesForm } from './order-form.tsx';
import { orderText } from './order.text.ts';

/** What an administrator can do with an order, and the dialogs of it; a customer gets no actions. */
export function useOrderActions({ leave }: { leave?: () => Promise<unknown> } = {}) {
  const t = useText(orderText);
  const notes = useRowDialog<Order>({
    route: 'updateOrderNotes',
    label: t.editNotes,
    icon: 'edit',
    render: (order, close) => <OrderNotesForm order={order} onClose={close} />,
  });
  const move = useRowDialog<Order>({
    route: 'changeOrderLineGroup',
    label: t.move,
    icon: 'line-group',
    render: (order, close) => <OrderMoveForm order={order} onClose={close} />,
  });
  const removal = useRemoval<Order>('removeOrder', {
    text: t,
    body: (order) => t.removeBody(order.order_no),
    leave,
  });
  return {
    actionsFor: (order: Order): RowAction[] => [
      notes.action(order),
      move.action(order),
      removal.action(order, order.site_count > 0 && t.hasSites),
    ],
    dialogs: (
      <>
        {notes.dialog}
        {move.dialog}
        {removal.dialog}
      </>
    ),
  };
}
