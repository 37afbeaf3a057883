import type { Order } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { OrderAttack } from './order-attack.tsx';
import { OrderMoveForm, OrderNotesForm } from './order-form.tsx';
import { orderText } from './order.text.ts';

/** What can be done with an order, and the dialogs of it. Customers have emergency protection alone. */
export function useOrderActions({ leave }: { leave?: () => Promise<unknown> } = {}) {
  const t = useText(orderText);
  const { role } = useAccount();
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
  const attack = useRowDialog<Order>({
    route: 'changeSitesProtection',
    label: t.attack,
    icon: 'privacy',
    render: (order, close) => <OrderAttack order={order} onClose={close} />,
  });
  const removal = useRemoval<Order>('removeOrder', {
    text: t,
    body: (order) => t.removeBody(order.order_no),
    leave,
  });
  return {
    actionsFor: (order: Order): RowAction[] => {
      const attacked = attack.action(order, order.site_count === 0 && t.noSites);
      if (role !== 'admin') return [attacked];
      return [
        notes.action(order),
        move.action(order),
        attacked,
        // Sites belong to an order, which gives them their limits.
        removal.action(order, order.site_count > 0 && t.hasSites),
      ];
    },
    dialogs: (
      <>
        {notes.dialog}
        {move.dialog}
        {attack.dialog}
        {removal.dialog}
      </>
    ),
  };
}
