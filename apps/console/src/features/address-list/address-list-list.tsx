import { addressListRoutes, type AddressList } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useActivity } from '../../api/activity.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActivityDrawer } from '../../kit/activity.tsx';
import { activityText } from '../../kit/activity.text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { AddressListForm } from './address-list-form.tsx';
import { addressListText } from './address-list.text.ts';

export function AddressListList() {
  const t = useText(addressListText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(addressListRoutes.listAddressLists.query);
  const lists = useApi('listAddressLists', { query: search }, { keepPrevious: true });
  const remove = useChange('removeAddressList');
  const refresh = useRefresh();
  const activity = useText(activityText);
  const [opened, setOpened] = useState<AddressList | null>(null);
  const [editing, setEditing] = useState<AddressList | 'new' | null>(null);
  const [removing, setRemoving] = useState<AddressList | null>(null);
  const denied = may('createAddressList') ? undefined : kit.noPermission;
  const columns = useListColumns();
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="address-lists"
        columns={columns}
        read={lists}
        rowKey={(list) => list.id}
        rowName={(list) => list.name}
        onPage={setSearch}
        filtered={search.name !== undefined || search.client_id !== undefined}
        filters={
          <FilterBar
            fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="table" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(list) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(list), disabledReason: denied },
          ...(list.source === 'url'
            ? [
                {
                  label: t.refresh,
                  icon: 'refresh' as const,
                  onClick: () => refresh(list),
                  disabledReason: denied,
                },
              ]
            : []),
          ...(may('listActivity')
            ? [{ label: activity.title, icon: 'clock' as const, onClick: () => setOpened(list) }]
            : []),
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(list),
            disabledReason: denied ?? (list.site_count + list.level_count > 0 ? t.inUse : undefined),
          },
        ]}
      />
      {editing && (
        <AddressListForm id={editing === 'new' ? null : editing.id} onClose={() => setEditing(null)} />
      )}
      {opened && <AddressListActivity list={opened} onClose={() => setOpened(null)} />}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}

function AddressListActivity({ list, onClose }: { list: AddressList; onClose: () => void }) {
  return <ActivityDrawer name={list.name} read={useActivity('address_list', list.id)} onClose={onClose} />;
}

function useRefresh() {
  const t = useText(addressListText);
  const refresh = useChange('refreshAddressList');
  return (list: AddressList) =>
    refresh.mutate(
      { params: { id: list.id } },
      {
        onSuccess: ({ entry_count: count, last_error: error }) =>
          error === '' ? notify.success(t.refreshed(count)) : notify.error(t.failed(error)),
        onError: (error) => notify.error(error.message),
      },
    );
}

function useListColumns(): Column<AddressList>[] {
  const t = useText(addressListText);
  const admin = useAccount().role === 'admin';
  return useMemo(() => {
    const owner: Column<AddressList> = {
      id: 'owner',
      header: t.owner,
      cell: (list) =>
        list.client_id === null ? (
          t.platform
        ) : (
          <TextLink target={to.clientDetail({ id: list.client_id })}>{list.client_name}</TextLink>
        ),
    };
    return [
      {
        id: 'name',
        header: t.name,
        cell: ({ name, description }) => (
          <>
            {name}
            {description !== '' && (
              <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                {description}
              </Typography>
            )}
          </>
        ),
      },
      ...(admin ? [owner] : []),
      { id: 'source', header: t.source, cell: (list) => <Source list={list} /> },
      { id: 'entries', header: t.entries, align: 'right', cell: (list) => list.entry_count },
      { id: 'sites', header: t.sites, align: 'right', cell: (list) => list.site_count },
      { id: 'updated', header: t.updated, cell: (list) => <Time at={list.fetched_at ?? list.updated_at} /> },
    ];
  }, [admin, t]);
}

function Source({ list }: { list: AddressList }) {
  const t = useText(addressListText);
  if (list.source === 'inline') return t.sources.inline;
  return (
    <Stack sx={{ minWidth: 0 }}>
      <span dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {list.url}
      </span>
      {list.last_error === '' ? (
        list.fetched_at === null && t.never
      ) : (
        <Typography variant="caption" sx={{ color: 'error.main' }}>
          {t.failed(list.last_error)}
        </Typography>
      )}
    </Stack>
  );
}
