import { clientStatuses, clientRoutes } from '@breakwater/contract';
import { useAdding } from '../../frame/editing.tsx';
import { choices, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { ClientCreateForm } from './client-form.tsx';
import { useClientActions } from './client-actions.tsx';
import { clientText } from './client.text.ts';

const clients = listOf('listClients', clientRoutes.listClients.query);
export const { firstRead } = clients;

const useColumns = clients.columns(clientText, (t, column) => [
  column.name(t.name, ({ name }) => name, { target: ({ id }) => to.clientDetail({ id }) }),
  column.text('email', t.email),
  column.text('phone', t.phone, { hidden: true }),
  column.status(t.status, ({ status }) => ({
    tone: status === 'active' ? 'success' : 'neutral',
    label: t.statuses[status],
  })),
  column.count('order_count', t.orders, ({ id }) => to.orders({ client_id: id })),
  column.count('site_count', t.sites, ({ id }) => to.sites({ client_id: id })),
  column.time('last_login_at', t.lastLogin, { relative: true, never: t.never }),
  column.time('created_at', t.created, { relative: true }),
]);

/** The customers of the platform, for operators. */
export function ClientList() {
  const t = useText(clientText);
  const { add, dialog } = useAdding({
    create: 'createClient',
    text: t,
    form: (close) => <ClientCreateForm onClose={close} />,
  });
  const actions = useClientActions();
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <ListTable
        id="clients"
        list={clients.use()}
        text={t}
        icon="client"
        add={add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          textFilter('email', t.email),
          selectFilter('status', t.status, choices(clientStatuses, t.statuses)),
        ]}
        rowName={({ name }) => name}
        rowActions={actions.actionsFor}
      />
      {dialog}
      {actions.dialogs}
    </Page>
  );
}
