import { adminGroupRoutes, adminPermissions, type AdminGroup } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { AdminGroupForm } from './admin-group-form.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useDescription, useGrantable, useGroupName } from './group-choice.ts';

/** A group that is changed or, as a copy or from nothing, made. */
type Editing = { group?: AdminGroup; copy?: AdminGroup };

export function AdminGroupList() {
  const t = useText(adminUserText).group;
  const kit = useText(kitText);
  const may = useMay();
  const nameOf = useGroupName();
  const [search, setSearch] = useSearchState(adminGroupRoutes.listAdminGroups.query);
  const groups = useApi('listAdminGroups', { query: search }, { keepPrevious: true });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [removing, setRemoving] = useState<AdminGroup | null>(null);
  const denied = may('createAdminGroup') ? undefined : kit.noPermission;
  const deniedFor = useDenied(denied);
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing({})} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  const actionsFor = (group: AdminGroup): RowAction[] => [
    {
      label: kit.edit,
      icon: 'edit',
      onClick: () => setEditing({ group }),
      disabledReason: deniedFor(group),
    },
    { label: t.copy, icon: 'copy', onClick: () => setEditing({ copy: group }), disabledReason: denied },
    {
      label: kit.remove,
      icon: 'delete',
      destructive: true,
      onClick: () => setRemoving(group),
      disabledReason: deniedFor(group) ?? (group.user_count > 0 ? t.hasUsers : undefined),
    },
  ];
  return (
    <>
      <DataTable
        label={useText(adminUserText).tabs.groups}
        id="admin-groups"
        columns={useColumns()}
        read={groups}
        rowKey={(group) => group.id}
        rowName={nameOf}
        onPage={setSearch}
        actions={add}
        empty={<EmptyState icon="key" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={actionsFor}
      />
      {editing && <AdminGroupForm {...editing} onClose={() => setEditing(null)} />}
      {removing && <Removal group={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

/** Why a group cannot be changed by whoever is signed in. */
function useDenied(denied: string | undefined) {
  const t = useText(adminUserText).group;
  const grantable = useGrantable();
  return ({ permissions }: AdminGroup): string | undefined =>
    denied ?? (permissions.every((name) => grantable.has(name)) ? undefined : t.beyond);
}

function Removal({ group, onClose }: { group: AdminGroup; onClose: () => void }) {
  const t = useText(adminUserText).group;
  const kit = useText(kitText);
  const nameOf = useGroupName();
  const remove = useChange('removeAdminGroup');
  return (
    <Confirm
      title={t.removeTitle}
      body={t.removeBody(nameOf(group))}
      action={kit.remove}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: group.id } });
        notify.success(t.removed);
      }}
      onClose={onClose}
    />
  );
}

function useColumns(): Column<AdminGroup>[] {
  const t = useText(adminUserText).group;
  const nameOf = useGroupName();
  const descriptionOf = useDescription();
  return useMemo(
    () => [
      { id: 'name', header: t.name, cell: nameOf },
      {
        id: 'description',
        header: t.description,
        cell: (group) => descriptionOf(group) || '–',
      },
      {
        id: 'permissions',
        header: t.permissions,
        cell: ({ permissions }) => t.count(permissions.length, adminPermissions.length),
      },
      {
        id: 'users',
        header: t.users,
        align: 'right',
        cell: (group) => (
          <TextLink target={to.adminUsers({ group_id: group.id })}>{group.user_count}</TextLink>
        ),
      },
      { id: 'updated', header: t.updated, cell: (group) => <Time at={group.updated_at} relative /> },
    ],
    [t, nameOf, descriptionOf],
  );
}
