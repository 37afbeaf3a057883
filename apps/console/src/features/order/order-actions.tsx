import type { Order } from '@breakwater/contract';
import { useCallback, useState, type ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { OrderMoveForm, OrderNotesForm } from './order-form.tsx';
import { orderText } from './order.text.ts';

type What = 'notes' | 'move' | 'remove';

/** What an administrator can do with an order; a customer gets no actions. */
export function useOrderActions({ onRemoved }: { onRemoved?: () => void } = {}) {
  const t = useText(orderText);
  const kit = useText(kitText);
  const may = useMay();
  const remove = useChange('removeOrder');
  const [open, setOpen] = useState<{ what: What; order: Order } | null>(null);
  const close = () => setOpen(null);
  const [mayEdit, mayMove, mayRemove] = [
    may('updateOrderNotes'),
    may('changeOrderLineGroup'),
    may('removeOrder'),
  ];
  const actionsFor = useCallback(
    (order: Order): RowAction[] => {
      const denied = (allowed: boolean) => (allowed ? undefined : kit.noPermission);
      return [
        {
          label: t.editNotes,
          icon: 'edit',
          onClick: () => setOpen({ what: 'notes', order }),
          disabledReason: denied(mayEdit),
        },
        {
          label: t.move,
          icon: 'line-group',
          onClick: () => setOpen({ what: 'move', order }),
          disabledReason: denied(mayMove),
        },
        {
          label: kit.remove,
          icon: 'delete',
          destructive: true,
          onClick: () => setOpen({ what: 'remove', order }),
          disabledReason: denied(mayRemove) ?? (order.site_count > 0 ? t.hasSites : undefined),
        },
      ];
    },
    [kit, mayEdit, mayMove, mayRemove, t],
  );
  const dialogs: Record<What, (order: Order) => ReactNode> = {
    notes: (order) => <OrderNotesForm order={order} onClose={close} />,
    move: (order) => <OrderMoveForm order={order} onClose={close} />,
    remove: (order) => (
      <Confirm
        title={t.removeTitle}
        body={t.removeBody(order.order_no)}
        action={kit.remove}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id: order.id } });
          notify.success(t.removed);
          onRemoved?.();
        }}
        onClose={close}
      />
    ),
  };
  return { actionsFor, dialog: open && dialogs[open.what](open.order) };
}
