import { clientStatuses, clientRoutes, type Client } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { ClientCreateForm } from './client-form.tsx';
import { useClientActions } from './client-actions.tsx';
import { clientText } from './client.text.ts';

export const firstRead = firstPageOf('listClients', clientRoutes.listClients.query);

export function ClientList() {
  const t = useText(clientText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(clientRoutes.listClients.query);
  const clients = useApi('listClients', { query: search }, { keepPrevious: true });
  const [adding, setAdding] = useState(false);
  const { actionsFor, dialog } = useClientActions();
  const columns = useMemo<Column<Client>[]>(
    () => [
      {
        id: 'name',
        header: t.name,
        cell: (client) => <TextLink target={to.clientDetail({ id: client.id })}>{client.name}</TextLink>,
      },
      { id: 'email', header: t.email, cell: (client) => client.email },
      { id: 'phone', header: t.phone, hidden: true, cell: (client) => client.phone || '–' },
      {
        id: 'status',
        header: t.status,
        cell: ({ status }) => (
          <StatusChip tone={status === 'active' ? 'success' : 'neutral'} label={t.statuses[status]} />
        ),
      },
      {
        id: 'orders',
        header: t.orders,
        align: 'right',
        cell: (client) => (
          <TextLink target={to.orders({ client_id: client.id })}>{client.order_count}</TextLink>
        ),
      },
      {
        id: 'sites',
        header: t.sites,
        align: 'right',
        cell: (client) => (
          <TextLink target={to.sites({ client_id: client.id })}>{client.site_count}</TextLink>
        ),
      },
      {
        id: 'lastLogin',
        header: t.lastLogin,
        cell: (client) => (client.last_login_at ? <Time at={client.last_login_at} relative /> : t.never),
      },
      { id: 'created', header: t.created, cell: (client) => <Time at={client.created_at} /> },
    ],
    [t],
  );
  const add = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={() => setAdding(true)}
      disabledReason={may('createClient') ? undefined : kit.noPermission}
    >
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="clients"
        columns={columns}
        read={clients}
        rowKey={(client) => client.id}
        rowName={(client) => client.name}
        onPage={setSearch}
        filtered={[search.name, search.email, search.status].some((value) => value !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              { name: 'name', label: t.name, kind: 'text', inBar: true },
              { name: 'email', label: t.email, kind: 'text', inBar: true },
              {
                name: 'status',
                label: t.status,
                kind: 'select',
                inBar: true,
                options: clientStatuses.map((value) => ({ value, label: t.statuses[value] })),
              },
            ]}
          />
        }
        empty={<EmptyState icon="client" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={actionsFor}
      />
      {adding && <ClientCreateForm onClose={() => setAdding(false)} />}
      {dialog}
    </Page>
  );
}
