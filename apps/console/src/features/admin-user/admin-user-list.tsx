import { adminUserRoutes, type AdminUser } from '@breakwater/contract';
import { useMemo } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useAdminUserActions } from './admin-user-actions.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useGroupName, useGroups } from './group-choice.ts';

export function AdminUserList() {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(adminUserRoutes.listAdminUsers.query);
  const users = useApi('listAdminUsers', { query: search }, { keepPrevious: true });
  const { actionsFor, add, dialog } = useAdminUserActions();
  const addButton = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={add}
      disabledReason={may('createAdminUser') ? undefined : kit.noPermission}
    >
      {t.add}
    </ActionButton>
  );
  return (
    <>
      <DataTable
        label={useText(adminUserText).title}
        id="admin-users"
        columns={useColumns()}
        read={users}
        rowKey={(user) => user.id}
        rowName={(user) => user.username}
        onPage={setSearch}
        filtered={[search.username, search.group_id, search.enabled].some((value) => value !== undefined)}
        filters={<Filters />}
        actions={addButton}
        empty={<EmptyState icon="client" title={t.empty} hint={t.emptyHint} action={addButton} />}
        rowActions={actionsFor}
      />
      {dialog}
    </>
  );
}

function Filters() {
  const t = useText(adminUserText).user;
  const nameOf = useGroupName();
  const groups = useGroups();
  const [search, setSearch] = useSearchState(adminUserRoutes.listAdminUsers.query);
  return (
    <FilterBar
      values={search}
      onChange={setSearch}
      fields={[
        { name: 'username', label: t.username, kind: 'text', inBar: true },
        {
          name: 'group_id',
          label: t.group,
          kind: 'select',
          inBar: true,
          options: groups.map((group) => ({ value: group.id, label: nameOf(group) })),
        },
        {
          name: 'enabled',
          label: t.status,
          kind: 'select',
          inBar: true,
          options: (['yes', 'no'] as const).map((value) => ({ value, label: t.statuses[value] })),
        },
      ]}
    />
  );
}

function useColumns(): Column<AdminUser>[] {
  const t = useText(adminUserText).user;
  const nameOf = useGroupName();
  const { user_id: own } = useAccount();
  return useMemo(
    () => [
      {
        id: 'username',
        header: t.username,
        cell: ({ id, username }) => (id === own ? t.you(username) : username),
      },
      { id: 'name', header: t.name, cell: (user) => user.name || '–' },
      { id: 'email', header: t.email, cell: (user) => user.email || '–' },
      { id: 'group', header: t.group, cell: (user) => nameOf(user.group) },
      {
        id: 'status',
        header: t.status,
        cell: ({ enabled }) => (
          <StatusChip
            tone={enabled ? 'success' : 'neutral'}
            label={enabled ? t.statuses.yes : t.statuses.no}
          />
        ),
      },
      {
        id: 'twoFactor',
        header: t.twoFactor,
        cell: (user) => (user.two_factor ? <StatusChip tone="success" label={t.twoFactorOn} /> : '–'),
      },
      {
        id: 'lastLogin',
        header: t.lastLogin,
        cell: (user) => (user.last_login_at ? <Time at={user.last_login_at} relative /> : t.never),
      },
      { id: 'created', header: t.created, hidden: true, cell: (user) => <Time at={user.created_at} /> },
    ],
    [t, nameOf, own],
  );
}
