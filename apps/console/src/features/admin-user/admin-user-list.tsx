import { adminUserRoutes, type AdminUser } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { useAdding } from '../../frame/editing.tsx';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { useAdminUserActions } from './admin-user-actions.tsx';
import { AdminUserCreateForm } from './admin-user-form.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useGroupChoices, useGroupName } from './group-choice.ts';

export const adminUsers = listOf('listAdminUsers', adminUserRoutes.listAdminUsers.query);

const useColumns = adminUsers.columns(adminUserText, ({ user: t }, column) => [
  { id: 'username', header: t.username, cell: (user) => <Username user={user} /> },
  column.text('name', t.name),
  column.text('email', t.email),
  { id: 'group', header: t.group, cell: (user) => <GroupName group={user.group} /> },
  column.status(t.status, ({ enabled }) =>
    enabled ? { tone: 'success', label: t.statuses.yes } : { tone: 'neutral', label: t.statuses.no },
  ),
  {
    id: 'twoFactor',
    header: t.twoFactor,
    cell: (user) => (user.two_factor ? <StatusChip tone="success" label={t.twoFactorOn} /> : '–'),
  },
  column.time('last_login_at', t.lastLogin, { relative: true, never: t.never }),
  column.time('created_at', t.created, { hidden: true }),
]);

/** Administrators with their groups; the reader is marked among them. */
export function AdminUserList() {
  const { user: t, title } = useText(adminUserText);
  const { add, dialog } = useAdding({
    create: 'createAdminUser',
    text: t,
    form: (close) => <AdminUserCreateForm onClose={close} />,
  });
  const actions = useAdminUserActions();
  return (
    <>
      <ListTable
        id="admin-users"
        list={adminUsers.use()}
        text={{ ...t, title }}
        icon="operator"
        add={add}
        actions={add}
        columns={useColumns()}
        filters={[
          textFilter('username', t.username),
          remoteFilter('group_id', t.group, useGroupChoices()),
          selectFilter('enabled', t.status, choices(['yes', 'no'], t.statuses)),
        ]}
        rowName={(user) => user.username}
        rowActions={actions.actionsFor}
      />
      {dialog}
      {actions.dialogs}
    </>
  );
}

function Username({ user: { id, username } }: { user: AdminUser }) {
  const { you } = useText(adminUserText).user;
  return id === useAccount().user_id ? you(username) : username;
}

function GroupName({ group }: Pick<AdminUser, 'group'>) {
  return useGroupName()(group);
}
