import type { Client } from '@breakwater/contract';
import { useCallback, useState, type ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { ClientEditForm, ClientPasswordForm } from './client-form.tsx';
import { clientText } from './client.text.ts';

type What = 'edit' | 'password' | 'two-factor' | 'remove';

/** What can be done with a customer, in the list and on their page, and the dialog of what was chosen. */
export function useClientActions({ onRemoved }: { onRemoved?: () => void } = {}) {
  const t = useText(clientText);
  const kit = useText(kitText);
  const may = useMay();
  const remove = useChange('removeClient');
  const reset = useChange('resetClientTwoFactor');
  const [open, setOpen] = useState<{ what: What; client: Client } | null>(null);
  const close = () => setOpen(null);
  const denied = may('updateClient') ? undefined : kit.noPermission;
  const deniedPassword = may('changeClientPassword') ? undefined : kit.noPermission;
  const deniedRemoval = may('removeClient') ? undefined : kit.noPermission;
  const actionsFor = useCallback(
    (client: Client): RowAction[] => [
      {
        label: kit.edit,
        icon: 'edit',
        onClick: () => setOpen({ what: 'edit', client }),
        disabledReason: denied,
      },
      {
        label: t.changePassword,
        icon: 'key',
        onClick: () => setOpen({ what: 'password', client }),
        disabledReason: deniedPassword,
      },
      {
        label: t.resetTwoFactor,
        icon: 'reset',
        onClick: () => setOpen({ what: 'two-factor', client }),
        disabledReason: deniedPassword,
      },
      {
        label: kit.remove,
        icon: 'delete',
        destructive: true,
        onClick: () => setOpen({ what: 'remove', client }),
        disabledReason: deniedRemoval ?? (client.order_count > 0 ? t.hasOrders : undefined),
      },
    ],
    [denied, deniedPassword, deniedRemoval, kit, t],
  );
  const dialogs: Record<What, (client: Client) => ReactNode> = {
    edit: (client) => <ClientEditForm client={client} onClose={close} />,
    password: (client) => <ClientPasswordForm client={client} onClose={close} />,
    'two-factor': (client) => (
      <Confirm
        title={t.resetTwoFactorTitle}
        body={t.resetTwoFactorBody(client.name)}
        action={t.resetTwoFactor}
        onConfirm={async () => {
          await reset.mutateAsync({ params: { id: client.id } });
          notify.success(t.twoFactorReset);
        }}
        onClose={close}
      />
    ),
    remove: (client) => (
      <Confirm
        title={t.removeTitle}
        body={t.removeBody(client.name)}
        action={kit.remove}
        typed={client.name}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id: client.id } });
          notify.success(t.removed);
          onRemoved?.();
        }}
        onClose={close}
      />
    ),
  };
  return { actionsFor, dialog: open && dialogs[open.what](open.client) };
}
