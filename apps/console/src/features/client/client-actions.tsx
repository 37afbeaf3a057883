import type { Client } from '@breakwater/contract';
import { useAsking, useRemoval } from '../../frame/asking.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { ClientEditForm, ClientPasswordForm } from './client-form.tsx';
import { clientText } from './client.text.ts';

/** What can be done with a customer, in the list and on their page, and the dialogs of it. */
export function useClientActions({ leave }: { leave?: () => Promise<unknown> } = {}) {
  const t = useText(clientText);
  const kit = useText(kitText);
  const editing = useRowDialog<Client>({
    route: 'updateClient',
    label: kit.edit,
    icon: 'edit',
    render: (client, close) => <ClientEditForm client={client} onClose={close} />,
  });
  const password = useRowDialog<Client>({
    route: 'changeClientPassword',
    label: t.changePassword,
    icon: 'key',
    render: (client, close) => <ClientPasswordForm client={client} onClose={close} />,
  });
  const twoFactor = useAsking<Client>('resetClientTwoFactor', {
    label: t.resetTwoFactor,
    icon: 'reset',
    title: t.resetTwoFactorTitle,
    body: ({ name }) => t.resetTwoFactorBody(name),
    done: t.twoFactorReset,
  });
  const removal = useRemoval<Client>('removeClient', {
    text: t,
    body: ({ name }) => t.removeBody(name),
    // With all that was theirs.
    typed: ({ name }) => name,
    leave,
  });
  return {
    actionsFor: (client: Client): RowAction[] => [
      editing.action(client),
      password.action(client),
      twoFactor.action(client),
      // The server deletes nobody who has orders.
      removal.action(client, client.order_count > 0 && t.hasOrders),
    ],
    dialogs: (
      <>
        {editing.dialog}
        {password.dialog}
        {twoFactor.dialog}
        {removal.dialog}
      </>
    ),
  };
}
