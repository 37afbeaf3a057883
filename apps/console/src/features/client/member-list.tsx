import { memberRoutes, userPermissions, type Member } from '@breakwater/contract';
import { useMemo } from 'react';
import { useMay } from '../../api/account.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Page } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useIsOwn, useMemberActions } from './member-actions.tsx';
import { memberText } from './member.text.ts';

export const firstRead = firstPageOf('listMembers', memberRoutes.listMembers.query);

/** The customers' own screen. */
export function Members() {
  const t = useText(memberText);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <MemberList />
    </Page>
  );
}

/** Members of a customer: of the caller's own account where none is named. */
export function MemberList({ clientId }: { clientId?: number }) {
  const t = useText(memberText);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(memberRoutes.listMembers.query);
  const members = useApi(
    'listMembers',
    { query: clientId === undefined ? search : { ...search, client_id: clientId } },
    { keepPrevious: true },
  );
  const { actionsFor, add, dialog } = useMemberActions(clientId);
  const addButton = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={add}
      disabledReason={may('createMember') ? undefined : kit.noPermission}
    >
      {t.add}
    </ActionButton>
  );
  return (
    <>
      <DataTable
        label={t.title}
        id="members"
        columns={useColumns()}
        read={members}
        rowKey={(member) => member.id}
        rowName={(member) => member.name}
        onPage={setSearch}
        filtered={[search.name, search.email, search.enabled].some((value) => value !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              { name: 'name', label: t.name, kind: 'text', inBar: true },
              { name: 'email', label: t.email, kind: 'text', inBar: true },
              {
                name: 'enabled',
                label: t.status,
                kind: 'select',
                inBar: true,
                options: (['yes', 'no'] as const).map((value) => ({ value, label: t.statuses[value] })),
              },
            ]}
          />
        }
        actions={addButton}
        empty={<EmptyState icon="client" title={t.empty} hint={t.emptyHint} action={addButton} />}
        rowActions={actionsFor}
      />
      {dialog}
    </>
  );
}

function useColumns(): Column<Member>[] {
  const t = useText(memberText);
  const isOwn = useIsOwn();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t.name,
        cell: (member) => (isOwn(member) ? t.you(member.name) : member.name),
      },
      { id: 'email', header: t.email, cell: (member) => member.email },
      {
        id: 'permissions',
        header: t.permissions,
        cell: ({ permissions }) => t.count(permissions.length, userPermissions.length),
      },
      {
        id: 'sites',
        header: t.sites,
        cell: ({ site_ids: ids }) => (ids.length === 0 ? t.allSites : t.siteCount(ids.length)),
      },
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
        cell: (member) => (member.two_factor ? <StatusChip tone="success" label={t.twoFactorOn} /> : '–'),
      },
      {
        id: 'lastLogin',
        header: t.lastLogin,
        cell: (member) => (member.last_login_at ? <Time at={member.last_login_at} relative /> : t.never),
      },
      { id: 'created', header: t.created, hidden: true, cell: (member) => <Time at={member.created_at} /> },
    ],
    [t, isOwn],
  );
}
